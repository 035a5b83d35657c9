import PREFIXES from './pincodes.json'

interface Place {
  state: string
  /** Set only in Tamil Nadu, if nearly all post offices with this pincode prefix are in one district. */
  district?: string
}

// Source: India Post. A district's prefix that several districts share is split into longer prefixes or omitted. The
// prefixes under '' are in several states, so no state is suggested for them.
const districts = groupByPrefix(PREFIXES.districts)
const states = groupByPrefix(PREFIXES.states)

/** Suggests a place while the shopper types. It is never used to reject an address. */
export function findPlace(pincode: string): Place | undefined {
  if (!/^[1-9]\d{5}$/.test(pincode)) return undefined
  const state = findLongestPrefix(states, pincode)
  if (!state) return undefined
  const district = state === 'Tamil Nadu' ? findLongestPrefix(districts, pincode) : undefined
  return { state, ...(district && { district }) }
}

function groupByPrefix(names: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([name, list]) => list.split(' ').map(prefix => [prefix, name])))
}

function findLongestPrefix(names: ReadonlyMap<string, string>, pincode: string): string | undefined {
  const prefix = [4, 3, 2].map(digits => pincode.slice(0, digits)).find(start => names.has(start))
  return prefix === undefined ? undefined : names.get(prefix)
}
