import { t } from '#lib/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText } from '#lib/checkout/checkout-form.ts'
import { type DeliveryDay, findDateProblem } from '#lib/delivery/calendar.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { findTerms, toDayState } from '#lib/delivery/terms.ts'
import { ShopError } from '#lib/errors.ts'
import { type Paise, toPaise } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import { type Placing, readDayLoads, reservePlace } from '../../delivery/places.ts'
import {
  DELIVERY_SECTIONS,
  readDeliveryRules,
  readProductFacts,
  type StoredRules,
  toDeliveryRules,
  withFacts
} from '../../delivery/rules.ts'
import { isLiveAt, readIdentity } from '../../live-shop/live-shop.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { invalidField } from '../../platform/http/validate.ts'
import { notDeliveredText } from '../../platform/pincodes/pincodes.ts'
import { usesTestMode } from '../../razorpay/config.ts'
import { findMissingLegal, readCurrentSections, toValues } from '../../settings/settings.ts'
import { type DeliveryStates, SELLER_SECTIONS, toDeliveryStates } from '../../settings/tax.ts'
import { addressOf } from '../queries.ts'
import type { OrderDelivery, PricedQuote } from './cart.ts'
import { type Checkout, toDestination } from './input.ts'
import { findDayRefusal } from './limits.ts'

export { requireOpen } from '../../settings/checks.ts'

export interface ShopRules {
  shopId: string
  isLive: boolean
  isLegal: boolean
  paymentMode: 'test' | 'live'
  orders: Settings['orders']
  delivery: StoredRules
  states: DeliveryStates
}

const SECTIONS = [...SELLER_SECTIONS, ...DELIVERY_SECTIONS] as const

export async function readShopRules({
  database,
  config,
  payments
}: Pick<FastifyInstance, 'database' | 'config' | 'payments'>): Promise<ShopRules> {
  const db = database.kysely
  const isTest = usesTestMode(await payments.current())
  const identity = await readIdentity(db)
  const stored = await readCurrentSections(db, SECTIONS)
  const { orders, ...values } = toValues(stored, SECTIONS)
  return {
    shopId: identity.id,
    isLive: isLiveAt(identity, config.siteUrl),
    isLegal: isTest || (await findMissingLegal(db)).length === 0,
    paymentMode: isTest ? 'test' : 'live',
    orders,
    delivery: toDeliveryRules(stored),
    states: toDeliveryStates(values)
  }
}

// Licence: Food Safety and Standards Act 2006. Grievance officer: E-Commerce Rules 2020.
export function requireSelling({ isLive, isLegal }: ShopRules, { role }: { role: string }): void {
  if (!isLive) throw new ShopError('SHOP_NOT_LIVE')
  if (isLegal) return
  const details = role === 'admin' ? { message: ADMIN_MESSAGES.legalMissing } : {}
  throw new ShopError('LEGAL_DETAILS_MISSING', details)
}

export function requireMinimum({ orders }: ShopRules, subtotal: Paise): void {
  const missing = findMissingText(subtotal, orders.minimumOrder)
  if (missing !== undefined) throw new ShopError('BELOW_MINIMUM_ORDER', { message: `${missing}.` })
}

/** With `mayMove`, any date is accepted, because the order is paid and moves to a later day. */
export function requireDelivery(
  { delivery, lines, products }: PricedQuote,
  { address, deliveryDate, note, eventAt }: Checkout,
  mayMove: boolean
): OrderDelivery {
  if (!delivery)
    throw new ShopError('NOT_DELIVERED', { message: notDeliveredText(address.pincode) })
  const { rules, terms } = delivery
  const [problem] = terms.problems
  if (problem) {
    const name = products.get(problem.product)?.name
    throw new ShopError('NOT_DELIVERED', { message: `${name}: ${problem.text}` })
  }
  const dateProblem = mayMove ? undefined : findMistakenDate(terms.days, deliveryDate)
  if (dateProblem !== undefined) throw invalidField('deliveryDate', dateProblem)
  const { orderNote, eventCategories } = rules.calendar
  if (note !== '' && !orderNote)
    throw invalidField('note', t('Notes are switched off at the moment. Please remove yours.'))
  if (eventAt === null) return delivery
  const takesEvents = lines.some(({ product }) =>
    eventCategories.includes(products.get(product)?.category ?? '')
  )
  if (!takesEvents)
    throw invalidField(
      'eventAt',
      t('These items are not made for an event time. Please remove it.')
    )
  if ((deliveryDate ?? '') > dayOf(eventAt))
    throw invalidField(
      'eventAt',
      t('Your event is before the delivery. Please choose an earlier delivery date.')
    )
  return delivery
}

/** The first day of a page opened before the cut-off is no mistake: its order gets DAY_CLOSED. */
function findMistakenDate(days: readonly DeliveryDay[], date: string | null) {
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  if (date === null || first === undefined || last === undefined) return undefined
  return date < addDays(first, -1) || date > last ? findDateProblem(days, date) : undefined
}

function dayOf(eventAt: string) {
  return eventAt.slice(0, 10)
}

/** With `mayMove`, a later day is taken too, unless the shopper has named an event. */
export function reserveDay(
  trx: Trx,
  order: OrderRow,
  { rules, terms }: OrderDelivery,
  { mayMove, isLimited }: { mayMove: boolean; isLimited: boolean }
): Promise<Placing> {
  const days = listPossibleDays(terms.days, order, mayMove && order.event_at === null)
  const findRefusal = (day: string) => findDayRefusal(trx, order, day, rules.calendar)
  return reservePlace(trx, order, days, {
    keepsDate: !rules.isSet,
    capacity: rules.calendar,
    findRefusal: isLimited ? findRefusal : undefined
  })
}

export async function noDayError(
  trx: Trx,
  order: OrderRow,
  delivery: OrderDelivery
): Promise<ShopError> {
  const { days } = delivery.terms
  const isClosed = listPossibleDays(days, order).length === 0
  const { dayClosed, dayFull } = CHECKOUT_MESSAGES
  const text = findDateProblem(days, order.delivery_date ?? '') ?? (isClosed ? dayClosed : dayFull)
  return new ShopError(isClosed ? 'DAY_CLOSED' : 'DAY_FULL', {
    nextDay: await findNextDay(trx, delivery, order),
    fields: { deliveryDate: text }
  })
}

/** Uses the current rules, but the prices of the order. */
export async function readDeliveryOf(
  trx: Trx,
  order: OrderRow,
  lines: readonly OrderLineRow[],
  now: number
): Promise<OrderDelivery | undefined> {
  const rules = await readDeliveryRules(trx)
  const items = lines.map(({ product_id: product, quantity }) => ({ product, quantity }))
  const facts = await readProductFacts(trx, [...new Set(items.map(({ product }) => product))])
  const terms = findTerms(rules, {
    items: withFacts(items, facts),
    goods: toPaise(order.total - order.delivery_fee),
    to: toDestination({ pickup: order.delivery_method === 'pickup', address: addressOf(order) }),
    now
  })
  return terms && { rules, terms }
}

export type MoveReason = 'too_soon' | 'closed' | 'full'

/** Why a paid order could not keep its date, by the current rules and the time of its creation. */
export async function readMoveReason(
  trx: Trx,
  order: OrderRow,
  lines: readonly OrderLineRow[]
): Promise<MoveReason | undefined> {
  const { moved_from, created_at } = order
  if (moved_from === null) return undefined
  const days = (await readDeliveryOf(trx, order, lines, Date.parse(created_at)))?.terms.days ?? []
  if (moved_from < (days[0]?.date ?? '')) return 'too_soon'
  return days.some(({ date, isOpen }) => date === moved_from && !isOpen) ? 'closed' : 'full'
}

function listPossibleDays(
  days: readonly DeliveryDay[],
  { delivery_date: date, event_at }: Pick<OrderRow, 'delivery_date' | 'event_at'>,
  mayMove = false
): DeliveryDay[] {
  return days.filter(
    day =>
      day.isOpen &&
      (date === null || day.date === date || (mayMove && day.date > date)) &&
      (event_at === null || day.date <= dayOf(event_at))
  )
}

async function findNextDay(
  db: Db,
  { rules: { calendar }, terms: { days } }: OrderDelivery,
  { delivery_date, event_at, kitchen_units }: OrderRow
) {
  const loads = await readDayLoads(db, days[0]?.kitchenDay ?? '', days.at(-1)?.kitchenDay ?? '')
  const open = listPossibleDays(days, { delivery_date: null, event_at }).filter(day => {
    const load = loads.get(day.kitchenDay) ?? { orders: 0, units: 0 }
    return toDayState(day, load, calendar, kitchen_units) !== 'full'
  })
  return (open.find(({ date }) => date > (delivery_date ?? '')) ?? open[0])?.date
}
