import type { Settings } from '../contract/settings.ts'
import { parsePincodes, type PincodeRange } from '../contract/formats.ts'

export type Zone = Settings['delivery']['zones'][number]

type DeliverySettings = Pick<
  Settings['delivery'],
  'zones' | 'elsewhere' | 'elsewhereFee' | 'elsewhereDays'
>

export type Service = Pick<Zone, 'name' | 'method' | 'fee' | 'freeAbove' | 'transitMax'>

export const FREE_SERVICE: Service = {
  name: '',
  method: 'own',
  fee: 0,
  freeAbove: 0,
  transitMax: 0
}

/** Stands for a pincode that no zone names. */
export const OTHER_PINCODE = ''

export function findService(delivery: DeliverySettings, pincode: string): Service | undefined {
  return findZone(delivery.zones, pincode) ?? findElsewhere(delivery)
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

export function isElsewhereMissing({ zones, elsewhere }: DeliverySettings): boolean {
  return elsewhere === '' && zones.length > 0 && findZone(zones, OTHER_PINCODE) === undefined
}

export function hasFees(delivery: DeliverySettings): boolean {
  return listServices(delivery).some(({ fee }) => fee > 0)
}

export function leastTransit(delivery: DeliverySettings): number {
  const services = listServices(delivery)
  return services.length === 0 ? 0 : Math.min(...services.map(toTransit))
}

function listServices(delivery: DeliverySettings): Service[] {
  const zones = delivery.zones.filter(({ active }) => active)
  const elsewhere = findElsewhere(delivery)
  return elsewhere ? [...zones, elsewhere] : zones
}

export function toTransit({ method, transitMax }: Pick<Service, 'method' | 'transitMax'>): number {
  return method === 'courier' ? transitMax : 0
}

// Cached, because a zone can have a long list of pincodes.
const parsed = new Map<string, PincodeRange[]>()
const MAX_PARSED = 100

/** Returns the first active zone that contains the pincode. */
export function findZone(zones: readonly Zone[], pincode: string): Zone | undefined {
  return zones.find(({ active, pincodes }) => {
    const ranges = parsed.get(pincodes) ?? parsePincodes(pincodes)
    if (!active || !ranges) return false
    if (parsed.size >= MAX_PARSED) parsed.clear()
    parsed.set(pincodes, ranges)
    return (
      ranges.length === 0 || ranges.some(({ from, until }) => from <= pincode && pincode <= until)
    )
  })
}
