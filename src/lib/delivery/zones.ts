import type { Settings } from '../contract/settings.ts'

export const ZONE_METHODS = ['own', 'courier'] as const
export const DELIVERY_METHODS = [...ZONE_METHODS, 'pickup'] as const
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

export type Zone = Settings['delivery']['zones'][number]

interface PincodeRange {
  from: string
  until: string
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
    return ranges.length === 0 || ranges.some(({ from, until }) => from <= pincode && pincode <= until)
  })
}

/** Parses '620001-620026, 625', where '625' means all pincodes that begin with it. Returns undefined if invalid. */
export function parsePincodes(text: string): PincodeRange[] | undefined {
  const parts = text.split(/[\s,;]+/).filter(part => part !== '')
  const ranges = parts.map(part => {
    const [, from, until = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part) ?? []
    if (from === undefined || until === undefined) return undefined
    const range = { from: from.padEnd(6, '0'), until: until.padEnd(6, '9') }
    return range.from <= range.until ? range : undefined
  })
  return ranges.every(range => range !== undefined) ? ranges : undefined
}
