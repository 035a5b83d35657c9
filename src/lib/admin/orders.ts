import { DELIVERY_DAYS_AHEAD, PINCODE } from '../constants.ts'
import type { Order } from '../contract/orders.ts'
import type { KitchenOrder } from '../contract/kitchen.ts'
import { listFulfilmentSteps } from '../order.ts'
import { type FulfilmentStatus, KITCHEN_FILTERS, FULFILMENT_STATUSES } from '../contract/names.ts'
import { formatPack } from '../product.ts'
import { DAY, toDayInIndia } from '../time.ts'
import { readGroup, toGroup, toProblems, type Problems } from '../account/forms.ts'
import { FIELD_TEXTS, normalizePhone, toDigits } from '../contract/formats.ts'
import type { OrderChangeRequest, OrderQuery, AdminOrder } from '../contract/desk.ts'
import { texts } from '../contract/texts.ts'
import type { QueryStrings } from '../contract/values.ts'

export function isOpenOrder({ status }: Pick<Order, 'status'>): boolean {
  return KITCHEN_FILTERS.some(open => open === status)
}

type Steppable = Pick<Order, 'status' | 'deliveryMethod'> &
  Partial<Pick<AdminOrder, 'isOnHold' | 'isAnonymised'>>

export function nextStatus(order: Steppable): FulfilmentStatus | undefined {
  if (order.isOnHold || order.isAnonymised) return undefined
  const steps = listFulfilmentSteps(order)
  const current = steps.findIndex(step => step === order.status)
  return current < 0 ? undefined : steps[current + 1]
}

export function groupByNextStatus<Each extends Steppable>(
  orders: readonly Each[]
): { from: FulfilmentStatus; to: FulfilmentStatus; orders: readonly Each[] }[] {
  return KITCHEN_FILTERS.flatMap(from =>
    FULFILMENT_STATUSES.map(to => ({
      from,
      to,
      orders: orders.filter(order => order.status === from && nextStatus(order) === to)
    }))
  ).filter(step => step.orders.length > 0)
}

export function hasParcel({ status }: Pick<AdminOrder, 'status'>): boolean {
  return FULFILMENT_STATUSES.some(each => each === status)
}

export function listOpenReversals({
  reversals
}: Pick<AdminOrder, 'reversals'>): AdminOrder['reversals'] {
  return reversals.filter(({ state, isAcknowledged }) => state !== 'void' && !isAcknowledged)
}

export function isOnHold(order: Pick<AdminOrder, 'status' | 'reversals'>): boolean {
  return isOpenOrder(order) && listOpenReversals(order).length > 0
}

/** Told to customers who choose no delivery date. */
export function lastPromisedDay({ createdAt }: Pick<Order, 'createdAt'>): string {
  return toDayInIndia(Date.parse(createdAt) + 7 * DAY)
}

/** Of an order that is placed now. */
export function lastDueDate(now: number): string {
  return toDayInIndia(now + DELIVERY_DAYS_AHEAD.earliest * DAY)
}

/** Parcels leave the day before delivery. */
export function lastDayToPack(now: number): string {
  return toDayInIndia(now + DAY)
}

type QueriedDays = QueryStrings<Pick<OrderQuery, 'from' | 'until' | 'cooked'>>

/** The filter can also be a date, or days in the kitchen such as '2026-11-28..2026-12-01'. */
export const DELIVERY_FILTERS = texts({
  any: 'Any date',
  due: 'Due within 2 days',
  pack: 'To pack today',
  today: 'Delivery today',
  tomorrow: 'Delivery tomorrow',
  week: 'Next 7 days'
})

export function deliveryRange(filter: string, now: number): QueriedDays {
  const today = toDayInIndia(now)
  const tomorrow = toDayInIndia(now + DAY)
  switch (filter) {
    case 'due':
      return { until: lastDueDate(now) }
    case 'pack':
      return { until: lastDayToPack(now) }
    case 'today':
      return { from: today, until: today }
    case 'tomorrow':
      return { from: tomorrow, until: tomorrow }
    case 'week':
      return { from: today, until: toDayInIndia(now + 6 * DAY) }
    default:
      return parseDays(filter)
  }
}

function parseDays(filter: string): QueriedDays {
  const [from = '', until = from] = filter.split('..')
  if (![from, until].every(day => /^\d{4}-\d\d-\d\d$/.test(day))) return {}
  return { from, until, ...(filter.includes('..') && { cooked: 'true' }) }
}

export function listPacks(
  orders: readonly Pick<KitchenOrder, 'items'>[]
): { name: string; pack: string; count: number }[] {
  const packs = new Map<string, { name: string; pack: string; count: number }>()
  for (const { product, packSize, quantity } of orders.flatMap(({ items }) => items)) {
    const pack = packSize ? formatPack(packSize) : ''
    const key = `${product._id} ${pack}`
    packs.set(key, { name: product.name, pack, count: (packs.get(key)?.count ?? 0) + quantity })
  }
  return [...packs.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** In page order. The state can't be changed. */
export const ADDRESS_FIELDS = [
  'apartmentOrSuite',
  'street',
  'landmark',
  'city',
  'district',
  'pincode'
] as const
type AddressField = `shippingAddress.${(typeof ADDRESS_FIELDS)[number]}`
type ChangeField = 'deliveryDate' | 'phone' | AddressField
type ChangeForm = Record<ChangeField, string>

export const CHANGE_FIELDS: readonly ChangeField[] = [
  'deliveryDate',
  'phone',
  ...ADDRESS_FIELDS.map(name => `shippingAddress.${name}` as const)
]

export function toChangeForm(order: AdminOrder): ChangeForm {
  const address = ADDRESS_FIELDS.map(name => [name, order.shippingAddress[name] ?? ''])
  return {
    ...toGroup(Object.fromEntries(address) as Record<string, string>, 'shippingAddress'),
    deliveryDate: order.deliveryDate ?? '',
    phone: order.customerDetails.phone
  } as ChangeForm
}

export function findChangeProblems(
  { deliveryMethod }: Pick<AdminOrder, 'deliveryMethod'>,
  values: ChangeForm
): Problems<ChangeField> {
  const phone = !/^\d{10}$/.test(normalizePhone(values.phone)) && FIELD_TEXTS.phoneInvalid
  if (deliveryMethod === 'pickup') return toProblems({ phone })
  const { street, city, pincode } = readGroup(values, 'shippingAddress')
  return toProblems({
    phone,
    'shippingAddress.street': street === '' && FIELD_TEXTS.streetRequired,
    'shippingAddress.city': city === '' && FIELD_TEXTS.cityRequired,
    'shippingAddress.pincode': !PINCODE.test(toDigits(pincode)) && FIELD_TEXTS.pincodeInvalid
  })
}

/** Only what differs from `before`, so that a change by somebody else stays. */
export function toChangeRequest(
  order: AdminOrder,
  values: ChangeForm,
  before: ChangeForm
): OrderChangeRequest {
  const edits = Object.entries(values).filter(
    ([name, value]) => value !== before[name as ChangeField]
  )
  const { deliveryDate, phone, ...address } = Object.fromEntries(edits) as Partial<ChangeForm>
  // The form of an order for pickup has no address.
  const isMoved = order.deliveryMethod !== 'pickup' && Object.keys(address).length > 0
  return {
    version: order.version,
    ...(deliveryDate && { deliveryDate }),
    ...(phone !== undefined && { phone }),
    ...(isMoved && {
      shippingAddress: { ...order.shippingAddress, ...readGroup(address, 'shippingAddress') }
    })
  }
}
