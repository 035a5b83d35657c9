import { t } from '#lib/contract/texts.ts'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { CHECKOUT_MESSAGES, stateConflictText } from '#lib/checkout/messages.ts'
import { ARMY_PINCODE } from '#lib/constants.ts'
import type { FieldErrors } from '#lib/errors.ts'
import type { DeliveryPlace } from '#lib/contract/delivery.ts'
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
  /** Empty if any state is possible. */
  states: readonly string[]
  district: string
  /** What people write as their town: the city, or in the country the district. */
  town: string
  areas: readonly string[]
}

const NO_PLACE: PincodeInfo = { isKnown: false, states: [], district: '', town: '', areas: [] }

interface Table {
  lines: ReadonlyMap<string, readonly string[]>
  states: ReadonlyMap<string, ReadonlySet<string>>
}

let table: Table | undefined

export function findPincode(pincode: string): PincodeInfo | undefined {
  // Read when it is first needed: it takes 50 to 100 ms and 6 MB.
  table ??= readTable()
  if (ARMY_PINCODE.test(pincode)) return { ...NO_PLACE, isKnown: true }
  const nearby = table.states.get(pincode.slice(0, 3))
  // India Post adds sorting districts (three digits) within its circles (two).
  if (!nearby) return table.states.has(pincode.slice(0, 2)) ? NO_PLACE : undefined
  const places = (table.lines.get(pincode) ?? []).map(parseLine)
  const [main] = places.toSorted((a, b) => b.areas.length - a.areas.length)
  const newDistrict =
    NEW_DISTRICTS.get(pincode.slice(0, 4)) ?? NEW_DISTRICTS.get(pincode.slice(0, 3))
  const district = newDistrict ?? main?.district ?? ''
  const state = main?.state ?? [...nearby][0] ?? ''
  const town = isInCity(pincode) ? (findCity(pincode, state) ?? district) : district
  if (!main) return { isKnown: false, states: [...nearby], district, town, areas: [] }
  const states = [...new Set(places.map(each => each.state))]
  return { isKnown: true, states, district, town, areas: places.flatMap(({ areas }) => areas) }
}

/** The post numbers a city with its first three digits, then 0. */
function isInCity(pincode: string) {
  return pincode[3] === '0'
}

/** Most post offices of the first pincode are named after the city. */
function findCity(pincode: string, state: string) {
  const offices = (table?.lines.get(`${pincode.slice(0, 3)}001`) ?? []).map(parseLine)
  if (offices.some(({ district }) => district.includes(state))) return state
  const names = offices.flatMap(({ areas }) => areas)
  if (names.length === 1) return names[0]
  const count = (name: string) => names.filter(other => other.startsWith(`${name} `)).length
  const [city] = names.filter(name => count(name) > 0).toSorted((a, b) => count(b) - count(a))
  return city
}

export function listPlaces(pincode: string): DeliveryPlace[] {
  const found = findPincode(pincode)
  const [state] = found?.states ?? []
  if (!found || state === undefined) return []
  const { town, district } = found
  const city = isInCity(pincode)
    ? { name: `${town} city`, pincodes: pincode.slice(0, 4) }
    : { name: `Pincode ${pincode}`, pincodes: pincode }
  return [
    { area: 'city', ...city },
    { area: 'district', name: `${district} district`, pincodes: listPincodes(state, district) },
    { area: 'state', name: state, pincodes: listPincodes(state) }
  ]
}

/** Such as '620001-621012, 621105'. Numbers that are not in use belong to their neighbours. */
function listPincodes(state: string, district?: string) {
  const runs: string[][] = []
  let isRunning = false
  for (const [pincode, lines] of table?.lines ?? []) {
    const wasRunning = isRunning
    isRunning =
      lines.some(line => line.includes(`|${state}|`)) &&
      (district === undefined || findPincode(pincode)?.district === district)
    if (isRunning && !wasRunning) runs.push([pincode])
    else if (isRunning) runs.at(-1)?.splice(1, 1, pincode)
  }
  return runs.map(run => run.join('-')).join(', ')
}

export function findPincodeProblems(
  { pincode, state }: { pincode: string; state: string },
  path: 'address' | 'shippingAddress'
): FieldErrors {
  const found = findPincode(pincode)
  if (!found) return { [`${path}.pincode`]: CHECKOUT_MESSAGES.pincodeUnknown }
  const known = findState(state)
  if (known === '' || found.states.length === 0 || found.states.includes(known)) return {}
  return { [`${path}.state`]: stateConflictText(pincode, found.states) }
}

export function notDeliveredText(pincode: string): string {
  return ARMY_PINCODE.test(pincode)
    ? t(
        'This is an army post office. We don’t send parcels there yet. ' +
          'Please give another address, or call us.'
      )
    : CHECKOUT_MESSAGES.notDelivered
}

function readTable(): Table {
  const text = gunzipSync(readFileSync(PINCODE_FILE)).toString('latin1')
  const lines = new Map<string, string[]>()
  const states = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue
    const pincode = line.slice(0, 6)
    lines.set(pincode, [...(lines.get(pincode) ?? []), line])
    for (const area of [pincode.slice(0, 3), pincode.slice(0, 2)])
      states.set(area, (states.get(area) ?? new Set()).add(parseLine(line).state))
  }
  return { lines, states }
}

function parseLine(line: string): { state: string; district: string; areas: string[] } {
  const [, state = '', district = '', areas = ''] = line.split('|')
  return { state, district, areas: areas.split(',') }
}
