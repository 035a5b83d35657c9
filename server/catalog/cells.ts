import type { InputSpec } from '#lib/admin/fields.ts'
import { toCode, toSearchText } from '#lib/contract/formats.ts'
import { toSlug } from '#lib/paths.ts'
import { fromIndianDateTime } from '#lib/time.ts'

/** How the program that saved the file writes numbers and days. */
export interface Notation {
  decimalSign?: string | undefined
  firstOfDay?: string | undefined
}

export interface Reading {
  value?: unknown
  problem?: string
}

export const quote = (text: string): string =>
  `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`

const UNLIMITED = /^(unlimited|no limit|cooked to order)\b/i
export const NUMBERS: readonly InputSpec['kind'][] = ['amount', 'whole', 'number']

/** Spreadsheets write the words of their language for TRUE and FALSE. */
const YES = /^(yes|y|true|1|ja|wahr)$/i
const NO = /^(no|n|false|0|nein|falsch)$/i

const EXAMPLES: Partial<Record<InputSpec['kind'], string>> = {
  amount: ' as a price. Write it as 180.00.',
  whole: ' as a whole number. Write it as 12.',
  number: ' as a number. Write it as 0.5.',
  datetime: ' as a day and a time. Write it as 25-11-2026 09:00.',
  boolean: '. Write yes or no.'
}

/** An empty cell is an empty text: only texts can be unreadable. */
export function readCell(spec: InputSpec, text: string, notation: Notation): Reading {
  const { kind, name, choices = [] } = spec
  if (name === 'id') return { value: toCode(text) }
  if (name === 'family.id') return { value: toSlug(text, text) }
  if (kind === 'lines') return { value: splitCell(text, ';') }
  if (text === '') return { value: kind === 'boolean' ? false : '' }
  if (name === 'stock' && UNLIMITED.test(text)) return { value: null }
  if (kind === 'choice') {
    const isMeant = (choice: string): boolean => asEnumValue(choice) === asEnumValue(text)
    const chosen = choices.find(([value, label]) => isMeant(value) || isMeant(label))
    const values = choices.map(([value]) => value)
    const problem = `We can’t read ${quote(text)}. Write one of these: ${values.join(', ')}.`
    return chosen ? { value: chosen[0] } : { problem }
  }
  const example = EXAMPLES[kind]
  if (example === undefined) return { value: text }
  const yesOrNo = YES.test(text) || (NO.test(text) ? false : undefined)
  const value =
    kind === 'boolean'
      ? yesOrNo
      : kind === 'datetime'
        ? readTime(spec, text, notation.firstOfDay)
        : readNumber(text, notation.decimalSign)
  return value === undefined ? { problem: `We can’t read ${quote(text)}${example}` } : { value }
}

export function splitCell(cell: string, separator: string): string[] {
  return cell.split(separator).flatMap(part => part.trim() || [])
}

/** 'Seer Items' and 'seer-items' become 'seer_items'. */
export function asEnumValue(cell: string): string {
  return toSearchText(cell).replace(/[ _-]+/g, '_')
}

const WITH_POINT = /^-?(?:\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/
const WITH_COMMA = /^-?(?:\d*|[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3})(?:,\d+)?$/

/** Reads '₹1,18,000.50', 'Rs. 180/-' and, with a decimal comma, '1.180,50'. */
function readNumber(text: string, decimalSign = '.'): number | undefined {
  // Excel's plain CSV has a question mark for ₹. Thousands may be separated by a space or '.
  const plain = toCode(
    text,
    /^(?:[₹?]|rs\.?|inr) *| *(?:[₹?]|rs\.?|inr|\/-)|(?<=\d)[ '](?=\d{2,3}(?!\d))/gi
  )
  const isNumber = /\d/.test(plain) && (decimalSign === ',' ? WITH_COMMA : WITH_POINT).test(plain)
  if (!isNumber) return undefined
  const groups = decimalSign === ',' ? /\./g : /,/g
  return Number(plain.replace(groups, '').replace(',', '.'))
}

const MONTHS = [
  ...['jan', 'feb', 'mar|mär|mrz', 'apr', 'may|mai', 'jun', 'jul', 'aug', 'sep', 'oct|okt'],
  ...['nov', 'dec|dez']
].map(names => new RegExp(`^(?:${names})`, 'i'))

/** 9:00, 09:00:00, 9:00 AM, 9.30 p.m. or nothing. */
const TIME =
  /(?:(?:T|,? +)(\d{1,2})(?:[:.](\d{2})(?:[:.]\d{2}(?:[.,]\d+)?)?)?(?: ?([ap])\.?m\.?)?)?$/i

/** Seconds are dropped. A day alone is its start, or its end for the end of a sale. */
function readTime(spec: InputSpec, text: string, firstOfDay = 'day'): string | undefined {
  const plain = toCode(text, /'/g)
  const [time = '', hour = '', minute, half] = TIME.exec(plain) ?? []
  const day = readDay(plain.slice(0, plain.length - time.length), firstOfDay)
  if (time === '')
    return fromIndianDateTime(`${day}T${spec.name === 'sale.until' ? '23:59' : '00:00'}`)
  if (half === undefined) return fromIndianDateTime(`${day}T${hour.padStart(2, '0')}:${minute}`)
  if (!/^(?:0?[1-9]|1[0-2])$/.test(hour)) return undefined
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return fromIndianDateTime(`${day}T${String(hours).padStart(2, '0')}:${minute ?? '00'}`)
}

function readDay(text: string, firstOfDay: string): string {
  const [, isoYear, isoMonth = '', isoDay = ''] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  if (isoYear) return toDay(isoYear, isoMonth, isoDay)
  const [, first = '', sign, second = '', year] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text) ?? []
  // No country writes 12.24.2026.
  if (year && firstOfDay === 'month') return sign === '.' ? '' : toDay(year, first, second)
  if (year) return toDay(year, second, first)
  const [, day = '', name = '', namedYear = ''] =
    /^(\d{1,2})\.?[ /-](\p{L}{3,})\.?[ /-](\d{4}|\d{2})$/u.exec(
      text.replace(/^(\p{L}+)\.? (\d{1,2}),?/u, '$2 $1')
    ) ?? []
  return toDay(namedYear, String(toMonth(name)), day)
}

/** 0 if it is no name of a month. */
function toMonth(name: string): number {
  return MONTHS.findIndex(pattern => pattern.test(name)) + 1
}

/** Spreadsheets make '01-Feb' or '02-01-2026' of '1-2'. */
export function isDateOf(text: string, stored: string): boolean {
  const [month = ''] = /\p{L}{3,}/u.exec(text) ?? []
  const numbers = [...(text.match(/\d+/g) ?? []).map(Number), toMonth(month)]
  return (
    /^\d{1,2}[-/]\d{1,2}$/.test(stored) &&
    /^\d{1,4}[-/. ]+(?:\d{1,2}|\p{L}{3,})\.?(?:[-/. ]\d{2,4})?$/u.test(text) &&
    stored.split(/[-/]/).every(part => numbers.includes(Number(part)))
  )
}

function toDay(year: string, month: string, day: string): string {
  const fullYear = year.padStart(4, '20')
  if (!fullYear.startsWith('20')) return ''
  return [fullYear, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}
