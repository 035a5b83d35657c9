/**
 * The states and territories of India, as forms list them. Each has the first two digits of its
 * GSTINs (25 and 28 no longer exist), the letters of its number plates, and other spellings.
 */
const TABLE = {
  'Andhra Pradesh': '37 ap',
  'Arunachal Pradesh': '12 ar',
  Assam: '18 as',
  Bihar: '10 br',
  Chhattisgarh: '22 cg chattisgarh',
  Goa: '30 ga',
  Gujarat: '24 gj',
  Haryana: '06 hr',
  'Himachal Pradesh': '02 hp',
  Jharkhand: '20 jh',
  Karnataka: '29 ka',
  Kerala: '32 kl',
  'Madhya Pradesh': '23 mp',
  Maharashtra: '27 mh',
  Manipur: '14 mn',
  Meghalaya: '17 ml',
  Mizoram: '15 mz',
  Nagaland: '13 nl',
  Odisha: '21 od orissa',
  Punjab: '03 pb',
  Rajasthan: '08 rj',
  Sikkim: '11 sk',
  'Tamil Nadu': '33 tn',
  Telangana: '36 ts tg',
  Tripura: '16 tr',
  'Uttar Pradesh': '09 up',
  Uttarakhand: '05 uk uttaranchal',
  'West Bengal': '19 wb',
  'Andaman and Nicobar Islands': '35 an',
  Chandigarh: '04 ch',
  'Dadra and Nagar Haveli and Daman and Diu': '26 dd',
  Delhi: '07 dl newdelhi',
  'Jammu and Kashmir': '01 jk',
  Ladakh: '38 la',
  Lakshadweep: '31 ld',
  Puducherry: '34 py pondicherry'
} as const

type State = keyof typeof TABLE
export const STATES = Object.keys(TABLE) as State[]

/** These territories have no parliament of their own, so their half of the tax is called UTGST. */
const UTGST_CODES = ['04', '26', '31', '35', '38']

const toLetters = (name: string) =>
  name
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z]/g, '')

const STATE_BY_NAME = new Map(
  STATES.flatMap(state =>
    [toLetters(state), ...TABLE[state].split(' ')].map(name => [name, state] as const)
  )
)

/** Finds the state for free text such as 'tamilnadu' or 'TN'. Returns '' if no state matches. */
export function findState(text: string): State | '' {
  return STATE_BY_NAME.get(toLetters(text)) ?? ''
}

export function isSameState(a: string, b: string): boolean {
  const state = findState(a)
  return state !== '' && state === findState(b)
}

export function findStateCode(name: string): string | undefined {
  const state = findState(name)
  return state === '' ? undefined : TABLE[state].slice(0, 2)
}

/** Also for a GSTIN, which begins with the code. */
export function findStateByCode(code: string): State | undefined {
  return STATES.find(state => TABLE[state].slice(0, 2) === code.slice(0, 2))
}

export function formatSupplyState(code: string): string {
  return `${findStateByCode(code) ?? ''} (${code})`
}

export function toStateTaxName(code: string): string {
  return UTGST_CODES.includes(code) ? 'UTGST' : 'SGST'
}
