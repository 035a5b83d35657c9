import { DEFAULT_COUNTRY_CODE } from './constants.ts'

/** '9876543210' from '+91 98765-43210' or '098765 43210'; other text only loses spaces and punctuation. */
export function phoneDigits(typed: string): string {
  const tidy = typed.replace(/[\s()./\u2010-\u2015-]/g, '')
  return /^(?:\+91|0091|91|0)?(\d{10})$/.exec(tidy)?.[1] ?? tidy
}

export function formatPhone(digits: string): string {
  return `${DEFAULT_COUNTRY_CODE} ${digits.slice(0, 5)} ${digits.slice(5)}`
}
