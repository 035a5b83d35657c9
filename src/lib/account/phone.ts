import { DEFAULT_COUNTRY_CODE } from '../constants.ts'

/** Converts '+91 98765-43210' to '9876543210'. If it is no phone number, only removes spaces and punctuation. */
export function normalizePhone(typed: string): string {
  const compact = typed.replace(/[\s()./\u2010-\u2015-]/g, '')
  return /^(?:\+91|0091|91|0)?(\d{10})$/.exec(compact)?.[1] ?? compact
}

export function formatPhone(digits: string): string {
  return `${DEFAULT_COUNTRY_CODE} ${digits.slice(0, 5)} ${digits.slice(5)}`
}
