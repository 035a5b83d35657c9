import type { InputSpec } from '#lib/admin/fields.ts'
import { PRODUCT_DEFAULTS } from '#lib/admin/product-fields.ts'
import { toCode, toSearchText } from '#lib/contract/formats.ts'
import { t, text } from '#lib/contract/texts.ts'
import { toSlug } from '#lib/paths.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'

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

const EMPTY_VALUES: Readonly<Record<string, unknown>> = {
  ...PRODUCT_DEFAULTS,
  hidden: false,
  'sale.price': null,
  'family.position': undefined,
  stock: undefined
}

type Read = (cell: string, notation: Notation, spec: InputSpec) => unknown

/** These return undefined for a text that they can't read. */
const READERS: Partial<Record<InputSpec['kind'], readonly [read: Read, problem: string]>> = {
  amount: [readNumber, text('We can’t read {cell} as a price. Write it as 180.00.')],
  whole: [readNumber, text('We can’t read {cell} as a whole number. Write it as 12.')],
  number: [readNumber, text('We can’t read {cell} as a number. Write it as 0.5.')],
  datetime: [
    readTime,
    text('We can’t read {cell} as a day and a time. Write it as 25-11-2026 09:00.')
  ],
  boolean: [readYesNo, text('We can’t read {cell}. Write yes or no.')],
  choice: [readChoice, text('We can’t read {cell}. Write one of these: {choices}.')]
}

export function readCell(spec: InputSpec, cell: string, notation: Notation): Reading {
  const { kind, name, choices = [] } = spec
  if (cell === '' && name in EMPTY_VALUES) return { value: EMPTY_VALUES[name] }
  if (name === 'id') return { value: toCode(cell) }
  if (name === 'family.id') return { value: toSlug(cell, cell) }
  if (name === 'collections') return { value: [...new Set(splitCell(toCode(cell), '|'))].sort() }
  if (kind === 'lines') return { value: splitCell(cell, /[;\n]/) }
  if (name === 'stock' && UNLIMITED.test(cell)) return { value: null }
  const [read, problem = ''] = READERS[kind] ?? []
  if (!read || cell === '') return { value: cell }
  const value = read(cell, notation, spec)
  if (value !== undefined) return { value }
  const values = choices.map(([choice]) => choice).join(', ')
  return { problem: t(problem, { cell: quote(cell), choices: values }) }
}

export function formatCell({ kind, name }: InputSpec, value: unknown): string {
  if (name === 'stock' && value === null) return 'unlimited'
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'amount') return Number(value).toFixed(2)
  if (kind === 'datetime') return toIndianDateTime(String(value)).replace('T', ' ')
  if (kind === 'boolean') return value === true ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(kind === 'own' ? '|' : '; ') : String(value)
}

function splitCell(cell: string, separator: string | RegExp) {
  return cell.split(separator).flatMap(part => part.trim() || [])
}

/** 'Seer Items' and 'seer-items' become 'seer_items'. */
export function asEnumValue(cell: string): string {
  return toSearchText(cell).replace(/[ _-]+/g, '_')
}

function readChoice(text: string, _: Notation, { choices = [] }: InputSpec) {
  const isMeant = (choice: string) => asEnumValue(choice) === asEnumValue(text)
  return choices.find(names => names.some(isMeant))?.[0]
}

/** Spreadsheets write TRUE and FALSE in their language. */
function readYesNo(text: string): boolean | undefined {
  const isYes = /^(yes|y|true|1|ja|wahr)$/i.test(text)
  return isYes || /^(no|n|false|0|nein|falsch)$/i.test(text) ? isYes : undefined
}

const NUMBER = /^-?(?=\.?\d)(?:\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.(?:\d{1,3}|0+))?$/
/** Excel's plain CSV has a question mark for ₹. Thousands may be separated by a space or '. */
const AROUND_NUMBER =
  /^(?:[₹?]|rs\.?|inr) *| *(?:[₹?]|rs\.?|inr|rupees|\/[-=])| only$|(?<=\d)[ '](?=\d{2,3}(?!\d))/gi

/** Reads '₹1,18,000.50', 'Rs. 180/-' and, with a decimal comma, '1.180,50'. */
function readNumber(text: string, { decimalSign }: Notation): number | undefined {
  const plain = toCode(text, AROUND_NUMBER)
  const swapped = plain.replace(/[.,]/g, sign => (sign === '.' ? ',' : '.'))
  const number = decimalSign === ',' ? swapped : plain
  return NUMBER.test(number) ? Number(number.replaceAll(',', '')) : undefined
}

/** 9:00, 09:00:00, 9:00 AM, 9.30 p.m. or nothing. */
const TIME =
  /(?:(?:T|,? +)(\d{1,2})(?:[:.](\d{2})(?:[:.]\d{2}(?:[.,]\d+)?)?)?(?: ?([ap])\.?m\.?)?)?$/i
const AROUND_TIME = /'|^[a-z]+day,? |(?<=\d)(?:st|nd|rd|th)\b| ?(?:IST|\+05:?30)$/gi

/** Seconds are dropped. A day alone is its start, or its end for the end of a sale. */
function readTime(text: string, { firstOfDay }: Notation, spec: InputSpec) {
  const plain = toCode(text, AROUND_TIME)
  const [time = '', hour = '', minute, half] = TIME.exec(plain) ?? []
  const day = readDay(plain.slice(0, plain.length - time.length), firstOfDay)
  if (time === '')
    return fromIndianDateTime(`${day}T${spec.name === 'sale.until' ? '23:59' : '00:00'}`)
  if (half === undefined) return fromIndianDateTime(`${day}T${hour.padStart(2, '0')}:${minute}`)
  if (!/^(?:0?[1-9]|1[0-2])$/.test(hour)) return undefined
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return fromIndianDateTime(`${day}T${String(hours).padStart(2, '0')}:${minute ?? '00'}`)
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** 0 if it is no name of a month. */
const toMonth = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** Returns a day such as '2026-11-25', or a text that is no day. */
function readDay(text: string, firstOfDay = 'day') {
  const clear = text
    .replace(/^(20\d\d)([-/.])(\d{1,2})\2(\d{1,2})$/, '$4-$3-$1')
    .replace(/^([a-z]+)\.? (\d{1,2}),?/i, '$2 $1')
    .replace(/\.?[ /-]([a-z]{3,})\.?[ /-]/i, (_, name: string) => `-${toMonth(name)}-`)
  const [, first = '', sign, second = '', year = ''] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(20\d\d|\d\d)$/.exec(clear) ?? []
  const isMonthFirst = firstOfDay === 'month' && clear === text
  // No country writes 12.24.2026.
  if (isMonthFirst && sign === '.') return ''
  const [day, month] = isMonthFirst ? [second, first] : [first, second]
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Spreadsheets make '01-Feb' or '02-01-2026' of '1-2'. */
export function isDateOf(text: string, stored: string): boolean {
  const parts = text.replace(/[a-z]{3,}/i, name => String(toMonth(name))).split(/[-/. ]+/)
  return (
    /^\d{1,2}[-/]\d{1,2}$/.test(stored) &&
    (parts.length === 3 || /[a-z]/i.test(text)) &&
    parts.every(part => /^\d+$/.test(part)) &&
    stored.split(/[-/]/).every(part => parts.map(Number).includes(Number(part)))
  )
}
