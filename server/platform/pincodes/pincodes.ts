import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { CHECKOUT_MESSAGES, stateConflictText } from '#lib/checkout/messages.ts'
import type { FieldErrors } from '#lib/errors.ts'
import { findState } from '#lib/contract/states.ts'
import DISTRICTS from './districts.json' with { type: 'json' }

export const PINCODE_FILE = fileURLToPath(new URL('pincodes.txt.gz', import.meta.url))

/** By first digits of pincodes in Tamil Nadu, newer than the table. Source: India Post. */
const NEW_DISTRICTS = new Map(
  Object.entries(DISTRICTS).flatMap(([name, prefixes]) =>
    prefixes.split(' ').map(prefix => [prefix, name])
  )
)

interface PincodeInfo {
  isKnown: boolean
  states: readonly string[]
  district: string
  areas: readonly string[]
}

interface Table {
  lines: ReadonlyMap<string, readonly string[]>
  states: ReadonlyMap<string, ReadonlySet<string>>
}

let table: Table | undefined

export function findPincode(pincode: string): PincodeInfo | undefined {
  // Read when it is first needed: it takes 50 to 100 ms and 6 MB.
  table ??= readTable()
  const nearby = table.states.get(pincode.slice(0, 3))
  if (!nearby) return undefined
  const places = (table.lines.get(pincode) ?? []).map(parseLine)
  const [main] = places.toSorted((a, b) => b.areas.length - a.areas.length)
  const newDistrict =
    NEW_DISTRICTS.get(pincode.slice(0, 4)) ?? NEW_DISTRICTS.get(pincode.slice(0, 3))
  const district = newDistrict ?? main?.district ?? ''
  if (!main) return { isKnown: false, states: [...nearby], district, areas: [] }
  const states = [...new Set(places.map(({ state }) => state))]
  return { isKnown: true, states, district, areas: places.flatMap(({ areas }) => areas) }
}

export function findPincodeProblems(
  { pincode, state }: { pincode: string; state: string },
  path: 'address' | 'shippingAddress'
): FieldErrors {
  const found = findPincode(pincode)
  if (!found) return { [`${path}.pincode`]: CHECKOUT_MESSAGES.pincodeUnknown }
  const known = findState(state)
  if (known === '' || found.states.includes(known)) return {}
  return { [`${path}.state`]: stateConflictText(pincode, found.states) }
}

function readTable(): Table {
  const text = gunzipSync(readFileSync(PINCODE_FILE)).toString('latin1')
  const lines = new Map<string, string[]>()
  const states = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue
    const pincode = line.slice(0, 6)
    lines.set(pincode, [...(lines.get(pincode) ?? []), line])
    const area = pincode.slice(0, 3)
    states.set(area, (states.get(area) ?? new Set()).add(parseLine(line).state))
  }
  return { lines, states }
}

function parseLine(line: string): { state: string; district: string; areas: string[] } {
  const [, state = '', district = '', areas = ''] = line.split('|')
  return { state, district, areas: areas.split(',') }
}
