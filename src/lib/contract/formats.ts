/** Returns '9876543210' for '+91 98765-43210'. Other texts only lose spaces and punctuation. */
export function normalizePhone(typed: string): string {
  const compact = typed.replace(/[\s()./\u2010-\u2015-]/g, '')
  return /^(?:\+91|0091|91|0)?(\d{10})$/.exec(compact)?.[1] ?? compact
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
  const parts = text.split(/[\s,;]+/).filter(part => part !== '')
  const ranges = parts.map(part => {
    const [, from, until = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part) ?? []
    if (from === undefined || until === undefined) return undefined
    const range = { from: from.padEnd(6, '0'), until: until.padEnd(6, '9') }
    return range.from <= range.until ? range : undefined
  })
  return ranges.every(range => range !== undefined) ? ranges : undefined
}
