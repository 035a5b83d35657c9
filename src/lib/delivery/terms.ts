import type { Product } from '../contract/catalog.ts'
import type { DayState } from '../contract/delivery.ts'
import { parsePincodes, type PincodeRange } from '../contract/formats.ts'
import { ARMY_PINCODE, DEFAULT_COUNTRY } from '../constants.ts'
import type { Settings, ShopSettings } from '../contract/settings.ts'
import { fromRupees, toFee, toRupees, type Paise } from '../money.ts'
import type { EpochMs } from '../time.ts'
import { listDays, type ClosedDays, type DeliveryDay } from './calendar.ts'
import { plural, t } from '../contract/texts.ts'
import { CHECKOUT_MESSAGES } from '../checkout/messages.ts'
import type { DeliveryMethod } from '../contract/names.ts'

export interface DeliveryRules {
  delivery: Settings['delivery']
  calendar: Settings['calendar']
  closed: ClosedDays
}

export interface ProductFacts {
  id: string
  name: string
  category: string
  kitchenUnits: number
  extraLeadDays: number
  localOnly: boolean
  shelfLifeDays: number | null
}

export interface DeliveryOrder {
  items: readonly (ProductFacts & { quantity: number })[]
  goods: Paise
  to: { pincode: string } | 'pickup'
  now: EpochMs
}

interface ItemNote {
  product: string
  text: string
}

export interface DeliveryTerms {
  method: DeliveryMethod
  zone: string
  fee: Paise
  usualFee: Paise
  freeAbove: Paise | null
  days: DeliveryDay[]
  kitchenUnits: number
  problems: ItemNote[]
  warnings: ItemNote[]
}

const MIN_SHELF_LIFE_LEFT = 0.3

/** Undefined if the shop does not deliver there. */
export function findTerms(
  rules: DeliveryRules,
  { items, goods, to, now }: DeliveryOrder
): DeliveryTerms | undefined {
  const isPickup = to === 'pickup'
  if (isPickup && !rules.delivery.pickup) return undefined
  const service = isPickup ? FREE_SERVICE : findService(rules.delivery, to.pincode)
  if (!service) return undefined
  const method = isPickup ? 'pickup' : service.method
  const { longCategories } = rules.calendar
  const transit = toTransit(service)
  const usualFee = fromRupees(service.fee)
  const freeAbove = usualFee > 0 && service.freeAbove > 0 ? fromRupees(service.freeAbove) : null
  return {
    method,
    zone: service.name,
    fee: toFee(goods, usualFee, freeAbove),
    usualFee,
    freeAbove,
    days: listDays(
      { ...rules.calendar, closed: rules.closed },
      {
        now,
        extraLead: Math.max(0, ...items.map(({ extraLeadDays }) => extraLeadDays)),
        transit,
        isLong: items.some(({ category }) => longCategories.includes(category))
      }
    ),
    kitchenUnits: items.reduce(
      (sum, { kitchenUnits, quantity }) => sum + kitchenUnits * quantity,
      0
    ),
    problems:
      method === 'courier'
        ? items.flatMap(item => toNote(item, findCourierProblem(item, transit)))
        : [],
    warnings: items.flatMap(item => toNote(item, findShelfLifeWarning(item, transit)))
  }
}

function toNote({ id }: ProductFacts, text: string | undefined): ItemNote[] {
  return text === undefined ? [] : [{ product: id, text }]
}

function findCourierProblem(
  { localOnly, shelfLifeDays }: Pick<ProductFacts, 'localOnly' | 'shelfLifeDays'>,
  transit: number
) {
  if (localOnly) return CHECKOUT_MESSAGES.localOnly
  if (shelfLifeDays === null || transit < shelfLifeDays) return undefined
  return t('Best within {shelfLife}, but the courier takes up to {longest}.', {
    shelfLife: formatDays(shelfLifeDays),
    longest: formatDays(transit)
  })
}

function findShelfLifeWarning({ shelfLifeDays }: ProductFacts, transit: number) {
  if (shelfLifeDays === null) return undefined
  const left = shelfLifeDays - transit
  if (left <= 0 || left >= shelfLifeDays * MIN_SHELF_LIFE_LEFT) return undefined
  return t('Best within {shelfLife}. It may arrive with only {rest} left.', {
    shelfLife: formatDays(shelfLifeDays),
    rest: formatDays(left)
  })
}

const formatDays = (count: number) => plural(count, '{count} day', '{count} days')

export interface DayLoad {
  orders: number
  units: number
}

const FEW_ORDERS = 3
const FEW_PART = 0.2

/** A limit of 0 means no limit. */
export function toDayState(
  { isOpen }: DeliveryDay,
  taken: DayLoad,
  { ordersPerDay, unitsPerDay }: Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>,
  units: number
): DayState {
  if (!isOpen) return 'closed'
  const orders = ordersPerDay === 0 ? Infinity : ordersPerDay - taken.orders
  const unitsLeft = unitsPerDay === 0 ? Infinity : unitsPerDay - taken.units
  if (orders < 1 || unitsLeft < units) return 'full'
  const hasFewOrders = orders <= Math.min(FEW_ORDERS, Math.ceil(ordersPerDay * FEW_PART))
  return hasFewOrders || unitsLeft <= unitsPerDay * FEW_PART ? 'few' : 'open'
}

export type Zone = Settings['delivery']['zones'][number]

type DeliverySettings = Pick<
  Settings['delivery'],
  'zones' | 'elsewhere' | 'elsewhereFee' | 'elsewhereDays'
>

type Service = Pick<Zone, 'name' | 'method' | 'fee' | 'freeAbove' | 'transitMax'>

const FREE_SERVICE: Service = {
  name: '',
  method: 'own',
  fee: 0,
  freeAbove: 0,
  transitMax: 0
}

export const OTHER_PINCODE = ''

function findService(delivery: DeliverySettings, pincode: string): Service | undefined {
  const zone = findZone(delivery.zones, pincode)
  // No courier goes there, so a zone must name army pincodes.
  return zone ?? (ARMY_PINCODE.test(pincode) ? undefined : findElsewhere(delivery))
}

function findElsewhere({
  zones,
  elsewhere,
  elsewhereFee,
  elsewhereDays
}: DeliverySettings): Service | undefined {
  if (elsewhere === 'none') return undefined
  if (elsewhere === '')
    return zones.some(({ active }) => active)
      ? { ...FREE_SERVICE, method: 'courier' }
      : FREE_SERVICE
  return {
    ...FREE_SERVICE,
    method: 'courier',
    fee: elsewhereFee ?? 0,
    transitMax: elsewhereDays ?? 0
  }
}

export function isElsewhereMissing(delivery: DeliverySettings): boolean {
  return delivery.elsewhere === '' && delivery.zones.length > 0 && !hasRest(delivery)
}

function hasRest({ zones }: Pick<DeliverySettings, 'zones'>) {
  return findZone(zones, OTHER_PINCODE) !== undefined
}

export function servesAll(delivery: DeliverySettings): boolean {
  return hasRest(delivery) || findElsewhere(delivery) !== undefined
}

export function hasFees(delivery: DeliverySettings): boolean {
  return listServices(delivery).some(({ fee }) => fee > 0)
}

export function leastTransit(delivery: DeliverySettings): number {
  const services = listServices(delivery)
  return services.length === 0 ? 0 : Math.min(...services.map(toTransit))
}

/** All that may apply to a pincode that is served. */
export function listServices(delivery: DeliverySettings): ShopSettings['delivery']['countrywide'] {
  const elsewhere = hasRest(delivery) ? undefined : findElsewhere(delivery)
  const services = [
    ...delivery.zones.filter(({ active }) => active),
    ...(elsewhere ? [elsewhere] : [])
  ]
  return services.map(({ method, fee, freeAbove, transitMax }) => {
    return { method, fee, freeAbove, transitMax }
  })
}

/** `fee` in rupees is the highest, if it depends on the pincode. */
export interface Shipping {
  fee: number
  handling: [from: number, to: number]
  transit: [from: number, to: number]
}

/** Of one pack. Undefined if it does not go to all of India. */
export function findShipping(
  { calendar, delivery: { countrywide } }: ShopSettings,
  { price, localOnly = false, shelfLifeDays = null, extraLeadDays = 0 }: Product
): Shipping | undefined {
  const facts = { localOnly, shelfLifeDays }
  const isRefused = countrywide.some(
    each => each.method === 'courier' && findCourierProblem(facts, toTransit(each))
  )
  if (isRefused || countrywide.length === 0) return undefined
  const fees = countrywide.map(({ fee, freeAbove }) =>
    toFee(fromRupees(price), fromRupees(fee), freeAbove > 0 ? fromRupees(freeAbove) : null)
  )
  const transits = countrywide.map(toTransit)
  const lead = calendar.leadDays + extraLeadDays
  const waits = calendar.closedWeekdays.length + (calendar.cutOff === '' ? 0 : 1)
  return {
    fee: Math.max(...fees.map(toRupees)),
    handling: [lead, lead + waits],
    transit: [Math.min(...transits), Math.max(...transits)]
  }
}

export function toTransit({ method, transitMax }: Pick<Service, 'method' | 'transitMax'>): number {
  return method === 'courier' ? transitMax : 0
}

// Cached, because a zone can have a long list of pincodes.
const parsed = new Map<string, PincodeRange[]>()
const MAX_PARSED = 100

export function findZone(zones: readonly Zone[], pincode: string): Zone | undefined {
  return zones.find(({ active, pincodes }) => {
    const ranges = parsed.get(pincodes) ?? parsePincodes(pincodes)
    if (!active || !ranges) return false
    if (parsed.size >= MAX_PARSED) parsed.clear()
    parsed.set(pincodes, ranges)
    return ranges.length === 0
      ? !ARMY_PINCODE.test(pincode)
      : ranges.some(({ from, until }) => from <= pincode && pincode <= until)
  })
}

const MAX_PLACES = 3

/**
 * Where the shop delivers. Empty if the owner has not said so, or named too many places for a line.
 * `servedState` is '' for all states and null for none.
 */
export function findArea(
  delivery: Settings['delivery'],
  servedState: string | null
): ShopSettings['delivery']['area'] {
  const zones = delivery.zones.filter(({ active }) => active)
  const [across, places] = ['', [] as string[]]
  if (servedState === null || (zones.length === 0 && delivery.elsewhere === ''))
    return { across, places }
  if (servesAll(delivery)) return { across: servedState || DEFAULT_COUNTRY, places }
  return { across, places: zones.length > MAX_PLACES ? [] : zones.map(({ name }) => name) }
}
