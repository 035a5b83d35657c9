import { t } from '#lib/contract/texts.ts'
import type { OrderChangeRequest } from '#lib/contract/desk.ts'
import type { ShippingAddress } from '#lib/contract/orders.ts'
import { type DeliveryDay, findDateProblem } from '#lib/delivery/calendar.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { type DeliveryTerms, findTerms } from '#lib/delivery/terms.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { sumPaise } from '#lib/money.ts'
import { isSameState } from '#lib/contract/states.ts'
import { movePlace, readCapacity, reservePlace, updateUnits } from '../../delivery/places.ts'
import { readDeliveryRules, readProductFacts, withFacts } from '../../delivery/rules.ts'
import type { OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { findPincodeProblems, notDeliveredText } from '../../platform/pincodes/pincodes.ts'
import {
  addressOf,
  type ChangedDetails,
  type CheckoutDeps,
  customerOf,
  findLinesOf
} from '../queries.ts'

export interface PlannedDelivery {
  details: ChangedDetails
  fields: Partial<Pick<OrderRow, 'customer' | 'address'>>
  day: DeliveryDay | undefined
  isForced: boolean
  units: number
}

export async function planDelivery(
  deps: CheckoutDeps,
  order: OrderRow,
  { deliveryDate, phone, shippingAddress, confirmDay = false }: OrderChangeRequest
): Promise<PlannedDelivery> {
  const db = deps.database.kysely
  const items = await findLinesOf(db, order.id)
  const known = await readFactsOf(db, items)
  const rules = await readDeliveryRules(db)
  const customer = customerOf(order)
  const hasNewPhone = phone !== undefined && phone !== customer.phone
  const hasNewAddress =
    shippingAddress !== undefined && JSON.stringify(shippingAddress) !== order.address
  const isNewDay = deliveryDate !== undefined && deliveryDate !== order.delivery_date
  const termsAt = ({ pincode }: ShippingAddress): DeliveryTerms | undefined =>
    findTerms(rules, {
      items: known,
      goods: sumPaise(items.map(({ total }) => total)),
      to: order.delivery_method === 'pickup' ? 'pickup' : { pincode },
      now: deps.clock()
    })
  const terms = termsAt(addressOf(order))
  const problems: FieldErrors = {
    ...(hasNewAddress &&
      findAddressProblems(order, shippingAddress, terms, termsAt(shippingAddress))),
    ...(isNewDay && findDayProblem(terms, deliveryDate, confirmDay))
  }
  if (Object.keys(problems).length > 0) throw new ShopError('INVALID_INPUT', { fields: problems })
  return {
    details: {
      ...(isNewDay && { deliveryDate }),
      ...(hasNewPhone && { phone: true }),
      ...(hasNewAddress && { address: true })
    },
    fields: {
      ...(hasNewPhone && { customer: JSON.stringify({ ...customer, phone }) }),
      ...(hasNewAddress && { address: JSON.stringify(shippingAddress) })
    },
    day: isNewDay ? terms?.days.find(({ date }) => date === deliveryDate) : undefined,
    isForced: confirmDay,
    units: sumUnits(known)
  }
}

async function readFactsOf(db: Db, lines: readonly OrderLineRow[]) {
  const packs = lines.map(({ product_id: product, quantity }) => ({ product, quantity }))
  const ids = packs.map(({ product }) => product)
  return withFacts(packs, await readProductFacts(db, ids))
}

function sumUnits(items: Awaited<ReturnType<typeof readFactsOf>>) {
  return items.reduce((sum, { kitchenUnits, quantity }) => sum + kitchenUnits * quantity, 0)
}

/** After packs were taken off. */
export async function lowerUnits(trx: Trx, order: OrderRow): Promise<void> {
  const units = sumUnits(await readFactsOf(trx, await findLinesOf(trx, order.id)))
  if (units < order.kitchen_units) await updateUnits(trx, order, units)
}

// Taxes and delivery fee stay as invoiced.
function findAddressProblems(
  order: OrderRow,
  address: ShippingAddress,
  before: DeliveryTerms | undefined,
  after: DeliveryTerms | undefined
): FieldErrors {
  const conflict = findPincodeProblems(address, 'shippingAddress')
  if (Object.keys(conflict).length > 0) return conflict
  const { state } = addressOf(order)
  // An older order can name a state that is not in the list.
  const mayDiffer = order.delivery_method === 'pickup' || address.state === state
  if (!mayDiffer && !isSameState(address.state, state)) {
    return {
      'shippingAddress.state': t(
        'A new address must be in the same state. For another state, cancel the order and order ' +
          'again.'
      )
    }
  }
  if (!after) return { 'shippingAddress.pincode': notDeliveredText(address.pincode) }
  const { method, zone, usualFee } = after
  const isSame = method === before?.method && zone === before.zone && usualFee === before.usualFee
  if (isSame) return {}
  return {
    'shippingAddress.pincode': t(
      'A new address must have the same delivery place and fee. For another one, cancel the order ' +
        'and order again.'
    )
  }
}

/** A confirmed day may be closed, but must be one of the days that can be ordered. */
function findDayProblem(
  terms: DeliveryTerms | undefined,
  date: string,
  isConfirmed: boolean
): FieldErrors {
  if (!terms) return { deliveryDate: CHECKOUT_MESSAGES.notDelivered }
  const isClosed = terms.days.some(day => day.date === date && !day.isOpen)
  if (isClosed && !isConfirmed)
    throw new ShopError('DAY_CLOSED', { message: t('The kitchen is closed for this day.') })
  const problem = isClosed ? undefined : findDateProblem(terms.days, date)
  return problem === undefined ? {} : { deliveryDate: problem }
}

export async function changePlace(
  trx: Trx,
  order: OrderRow,
  { day, isForced, units }: Pick<PlannedDelivery, 'day' | 'isForced' | 'units'>
): Promise<void> {
  if (!day) return
  const moved =
    order.holds_place === 1
      ? await movePlace(trx, order, day, { units: Math.min(units, order.kitchen_units), isForced })
      : await reserveNewPlace(trx, order, day, { units, isForced })
  if (!moved) throw new ShopError('DAY_FULL', { message: t('This day is full.') })
}

async function reserveNewPlace(
  trx: Trx,
  order: OrderRow,
  day: DeliveryDay,
  { units, isForced }: Pick<PlannedDelivery, 'units' | 'isForced'>
) {
  await updateUnits(trx, order, units)
  const unplaced = { ...order, delivery_date: null, kitchen_units: units }
  const capacity = await readCapacity(trx, isForced)
  const { order: placed } = await reservePlace(trx, unplaced, [day], { keepsDate: false, capacity })
  return placed
}
