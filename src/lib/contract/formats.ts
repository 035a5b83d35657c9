/** Returns '9876543210' for '+91 98765-43210'. Other texts only lose spaces and punctuation. */
export function normalizePhone(typed: string): string {
  const compact = typed.replace(/[\s()./\u2010-\u2015-]/g, '')
  return /^(?:\+91|0091|91|0)?(\d{10})$/.exec(compact)?.[1] ?? compact
}

/** Returns '+91 90000 12345' for '9000012345'. Other numbers stay as typed. */
export function formatPhone(typed: string): string {
  const digits = normalizePhone(typed)
  return /^[6-9]\d{9}$/.test(digits) ? `+91 ${digits.slice(0, 5)} ${digits.slice(5)}` : typed
}

const HOURS =
  /\b(\d\d?)([:.]\d\d)? ?([ap]m)? ?(?:to|-|–) ?(\d\d?)([:.]\d\d)?(?! ?[a-z\d:/-]|\.\d)/gi

/** Returns '9 am to 7 pm' for '9 to 7'. Hours that are clear stay as typed. */
export function formatHours(typed: string): string {
  return typed.replace(HOURS, (whole: string, ...parts: (string | undefined)[]) => {
    const [from = '', fromMinutes = '', half, until, minutes = ''] = parts
    if (Number(from) > 12 || Number(until) > 12 || from.startsWith('0')) return whole
    const isMorning = Number(from) >= 5 && Number(from) < 12
    return `${from}${fromMinutes} ${half ?? (isMorning ? 'am' : 'pm')} to ${until}${minutes} pm`
  })
}

export function removeSpaces(typed: string): string {
  return typed.replace(/\s/g, '')
}

export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

export function normalizeCouponCode(typed: string): string {
  return removeSpaces(typed).toUpperCase()
}

export interface PincodeRange {
  from: string
  until: string
}

/** Parses '620001-620026, 625', where '625' is a prefix. Returns undefined if invalid. */
export function parsePincodes(text: string): PincodeRange[] | undefined {
  const joined = text
    .replace(/\b(\d{3}) (0\d{2})\b/g, '$1$2')
    .replace(/\s*(?:[-–]|\bto\b)\s*/gi, '-')
  const parts = joined.split(/[\s,;]+/).filter(part => part !== '')
  const ranges = parts.map(part => {
    const [, from, until = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part) ?? []
    if (from === undefined || until === undefined) return undefined
    const range = { from: from.padEnd(6, '0'), until: until.padEnd(6, '9') }
    return range.from <= range.until ? range : undefined
  })
  return ranges.every(range => range !== undefined) ? ranges : undefined
}
