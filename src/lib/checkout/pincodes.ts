export interface Place {
  state: string
  /** Set only in Tamil Nadu, if nearly all post offices with this pincode prefix are in one district. */
  district?: string
}

// Source: India Post. A prefix that several districts share is split into longer prefixes or omitted.
const DISTRICTS: Record<string, string> = {
  Ariyalur: '6129 6218',
  Chengalpattu: '6030 6031 6032 6033',
  Chennai: '600',
  Coimbatore: '6410 6411 6412 6413 6420',
  Cuddalore: '6060 6070 6071 6073 6078 608',
  Dharmapuri: '6367 6368 6369',
  Dindigul: '624',
  Erode: '6380 6383 6384 6385',
  Kallakurichi: '6062 6064',
  Kancheepuram: '6021 6315 6316',
  Kanniyakumari: '629',
  Karur: '639',
  Krishnagiri: '6350 6351',
  Madurai: '6250 6251 6252 6253 6254 6257',
  Mayiladuthurai: '6090 6091 6092 6093',
  Nagapattinam: '611 6097',
  Namakkal: '6370 6372 6374',
  Perambalur: '6211',
  Pudukkottai: '622',
  Ramanathapuram: '623',
  Ranipet: '6310 6311 6324 6325',
  Salem: '6360 6361 6363 6364 6365 6366',
  Sivaganga: '630',
  Tenkasi: '6277 6278 6279',
  Thanjavur: '6120 6121 6123 6124 6125 6130 6131 6132 6134 6135 6136 6142 6143 6149',
  'The Nilgiris': '643',
  Theni: '6256',
  Thoothukudi: '628',
  Tiruchirappalli: '620 6210 6212 6216',
  Tirunelveli: '6270 6271 6272 6273 6274 6275 6276',
  Tirupathur: '6356 6359',
  Tiruppur: '6386 6387 6416 6422',
  Tiruvallur: '601 6020 6312 6313',
  Tiruvannamalai: '6044 6045 6046 6066 6067 6068 6069 6317 6323',
  Tiruvarur: '6100 6101 6128 6137 6140 6141',
  Vellore: '6320 6321 6322 6326',
  Viluppuram: '6040 6041 6042 6043 6052 6053 6054 6056',
  Virudhunagar: '626'
}

// The longest matching prefix is used. The prefixes under '' are in several states, so no state is suggested for them.
const STATES: Record<string, string> = {
  'Andaman and Nicobar Islands': '744',
  'Andhra Pradesh': '51 52 53',
  'Arunachal Pradesh': '790 791 792',
  Assam: '78',
  Bihar: '80 81 82 84 85',
  Chhattisgarh: '49',
  Delhi: '11',
  Goa: '403',
  Gujarat: '36 37 38 39',
  Haryana: '12 13',
  'Himachal Pradesh': '17',
  'Jammu and Kashmir': '18 19',
  Jharkhand: '814 815 816 822 825 826 827 828 829 83',
  Karnataka: '56 57 58 59',
  Kerala: '67 68 69',
  Ladakh: '194',
  'Madhya Pradesh': '45 46 47 48',
  Maharashtra: '40 41 42 43 44',
  Manipur: '795',
  Meghalaya: '793 794',
  Mizoram: '796',
  Nagaland: '797 798',
  Odisha: '75 76 77',
  Punjab: '14 15',
  Rajasthan: '30 31 32 33 34',
  Sikkim: '737',
  'Tamil Nadu': '60 61 62 63 64',
  Telangana: '50',
  Tripura: '799',
  'Uttar Pradesh': '20 21 22 23 24 25 26 27 28',
  Uttarakhand: '248 249 263',
  'West Bengal': '70 71 72 73 74',
  '': '244 246 247 262 396 6050 6051 6055 6074 6096'
}

const districts = groupByPrefix(DISTRICTS)
const states = groupByPrefix(STATES)

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
