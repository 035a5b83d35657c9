/** The states and territories of India, as forms list them. */
export const STATES = [
  ...[
    'Andhra Pradesh',
    'Arunachal Pradesh',
    'Assam',
    'Bihar',
    'Chhattisgarh',
    'Goa',
    'Gujarat',
    'Haryana'
  ],
  ...[
    'Himachal Pradesh',
    'Jharkhand',
    'Karnataka',
    'Kerala',
    'Madhya Pradesh',
    'Maharashtra',
    'Manipur',
    'Meghalaya'
  ],
  ...[
    'Mizoram',
    'Nagaland',
    'Odisha',
    'Punjab',
    'Rajasthan',
    'Sikkim',
    'Tamil Nadu',
    'Telangana',
    'Tripura'
  ],
  ...['Uttar Pradesh', 'Uttarakhand', 'West Bengal'],
  ...[
    'Andaman and Nicobar Islands',
    'Chandigarh',
    'Dadra and Nagar Haveli and Daman and Diu',
    'Delhi'
  ],
  ...['Jammu and Kashmir', 'Ladakh', 'Lakshadweep', 'Puducherry']
] as const

export type State = (typeof STATES)[number]

/** The first two digits of a GSTIN. States with the codes 25 and 28 no longer exist. */
const STATE_CODES: Readonly<Record<State, string>> = {
  'Jammu and Kashmir': '01',
  'Himachal Pradesh': '02',
  Punjab: '03',
  Chandigarh: '04',
  Uttarakhand: '05',
  Haryana: '06',
  Delhi: '07',
  Rajasthan: '08',
  'Uttar Pradesh': '09',
  Bihar: '10',
  Sikkim: '11',
  'Arunachal Pradesh': '12',
  Nagaland: '13',
  Manipur: '14',
  Mizoram: '15',
  Tripura: '16',
  Meghalaya: '17',
  Assam: '18',
  'West Bengal': '19',
  Jharkhand: '20',
  Odisha: '21',
  Chhattisgarh: '22',
  'Madhya Pradesh': '23',
  Gujarat: '24',
  'Dadra and Nagar Haveli and Daman and Diu': '26',
  Maharashtra: '27',
  Karnataka: '29',
  Goa: '30',
  Lakshadweep: '31',
  Kerala: '32',
  'Tamil Nadu': '33',
  Puducherry: '34',
  'Andaman and Nicobar Islands': '35',
  Telangana: '36',
  'Andhra Pradesh': '37',
  Ladakh: '38'
}

/** These territories have no parliament of their own, so their half of the tax is called UTGST. */
const UTGST_CODES: readonly (string | undefined)[] = ['04', '26', '31', '35', '38']

/** Letters on number plates, former names and common spellings, without spaces. */
const OTHER_NAMES: Readonly<Record<string, State>> = {
  ap: 'Andhra Pradesh',
  ar: 'Arunachal Pradesh',
  as: 'Assam',
  br: 'Bihar',
  cg: 'Chhattisgarh',
  chattisgarh: 'Chhattisgarh',
  ga: 'Goa',
  gj: 'Gujarat',
  hr: 'Haryana',
  hp: 'Himachal Pradesh',
  jh: 'Jharkhand',
  ka: 'Karnataka',
  kl: 'Kerala',
  mp: 'Madhya Pradesh',
  mh: 'Maharashtra',
  mn: 'Manipur',
  ml: 'Meghalaya',
  mz: 'Mizoram',
  nl: 'Nagaland',
  od: 'Odisha',
  orissa: 'Odisha',
  pb: 'Punjab',
  rj: 'Rajasthan',
  sk: 'Sikkim',
  tn: 'Tamil Nadu',
  ts: 'Telangana',
  tg: 'Telangana',
  tr: 'Tripura',
  up: 'Uttar Pradesh',
  uk: 'Uttarakhand',
  uttaranchal: 'Uttarakhand',
  wb: 'West Bengal',
  an: 'Andaman and Nicobar Islands',
  ch: 'Chandigarh',
  dd: 'Dadra and Nagar Haveli and Daman and Diu',
  dl: 'Delhi',
  newdelhi: 'Delhi',
  jk: 'Jammu and Kashmir',
  la: 'Ladakh',
  ld: 'Lakshadweep',
  py: 'Puducherry',
  pondicherry: 'Puducherry'
}

/** Finds the state for free text such as 'tamilnadu' or 'TN'. Returns '' if no state matches. */
export function findState(text: string): State | '' {
  const normalize = (name: string): string =>
    name
      .toLowerCase()
      .replace(/&/g, 'and')
      .replace(/[^a-z]/g, '')
  const wanted = normalize(text)
  const other = Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined
  return STATES.find(state => normalize(state) === wanted) ?? other ?? ''
}

/** False if one of them names no state. */
export function isSameState(a: string, b: string): boolean {
  const state = findState(a)
  return state !== '' && state === findState(b)
}

/** Returns the code for a state as shoppers type it, such as '33' for 'tamilnadu'. */
export function findStateCode(name: string): string | undefined {
  const state = findState(name)
  return state === '' ? undefined : STATE_CODES[state]
}

/** Returns the state of a code or of a GSTIN, which begins with it. */
export function findStateByCode(code: string): State | undefined {
  return STATES.find(state => STATE_CODES[state] === code.slice(0, 2))
}

/** Formats a place of supply such as 'Karnataka (29)'. */
export function formatSupplyState(code: string): string {
  return `${findStateByCode(code) ?? ''} (${code})`
}

export function toStateTaxName(code: string): string {
  return UTGST_CODES.includes(code) ? 'UTGST' : 'SGST'
}
