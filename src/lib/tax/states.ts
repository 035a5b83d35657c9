import { findState, STATES } from '../account/address.ts'

type State = (typeof STATES)[number]

/** GST state codes: the first two digits of a GSTIN. Codes 25 and 28 belong to states that no longer exist. */
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

/** Returns the code for a state as shoppers type it, such as '33' for 'tamilnadu'. */
export function findStateCode(name: string): string | undefined {
  const found = findState(name)
  const state = STATES.find(known => known === found)
  return state && STATE_CODES[state]
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
