import type { InputSpec } from '#lib/admin/fields.ts'
import type { ImportQuestion } from '#lib/contract/catalog.ts'
import { toSlug } from '#lib/paths.ts'
import { formatDate, fromIndianDateTime } from '#lib/time.ts'
import { invalidFile } from './csv-file.ts'

export type Answers = Readonly<Record<string, string>>

/** How the program that saved the file writes numbers and days. */
export interface Notation {
  decimalSign?: string | undefined
  firstOfDay?: string | undefined
}

interface SpecCell {
  spec: InputSpec
  line: number
  text: string
}

export interface Reading {
  value?: unknown
  problem?: string
}

const quote = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`

const UNLIMITED = /^(unlimited|no limit|cooked to order)\b/i
const NUMBERS: readonly InputSpec['kind'][] = ['amount', 'whole', 'number']

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
  const value = NUMBERS.includes(kind)
    ? readNumber(text, notation.decimalSign)
    : kind === 'boolean'
      ? readYesNo(text)
      : readTime(spec, text, notation.firstOfDay)
  return value === undefined ? { problem: `We can’t read ${quote(text)}${example}` } : { value }
}

export function splitCell(cell: string, separator: string): string[] {
  return cell.split(separator).flatMap(part => part.trim() || [])
}

/** 'Seer Items' and 'seer-items' become 'seer_items'. */
export function asEnumValue(cell: string): string {
  return cell.toLowerCase().replace(/[\s_-]+/g, '_')
}

/** Spreadsheets write their language's words for TRUE and FALSE. */
function readYesNo(text: string): boolean | undefined {
  if (/^(yes|y|true|1|ja|wahr)$/i.test(text)) return true
  return /^(no|n|false|0|nein|falsch)$/i.test(text) ? false : undefined
}

const WITH_POINT = /^-?(?:\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/
const WITH_COMMA = /^-?(?:\d*|[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3})(?:,\d+)?$/

/** Reads '₹1,18,000.50', 'Rs. 180/-' and, with a decimal comma, '1.180,50'. */
function readNumber(text: string, decimalSign = '.'): number | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x966))
    .replace(/[௦-௯]/g, digit => String(digit.charCodeAt(0) - 0xbe6))
    // Excel's plain CSV has a question mark for ₹.
    .replace(/^(?:[₹?]|rs\.?|inr)\s*|\s*(?:[₹?]|rs\.?|inr|\/-)/gi, '')
    .replace('\u2212', '-')
    .replace(/(?<=\d)[\s'’](?=\d{2,3}(?!\d))/g, '')
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
  const plain = text.normalize('NFKC')
  if (/T.*(?:Z|[+-]\d\d:\d\d)$/.test(plain)) return readInstant(plain)
  const [time = '', hour = '', minute, half] = TIME.exec(plain) ?? []
  const day = readDay(plain.slice(0, plain.length - time.length), firstOfDay)
  if (time === '')
    return fromIndianDateTime(`${day}T${spec.name === 'sale.until' ? '23:59' : '00:00'}`)
  if (half === undefined) return fromIndianDateTime(`${day}T${hour.padStart(2, '0')}:${minute}`)
  if (!/^(?:0?[1-9]|1[0-2])$/.test(hour)) return undefined
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return fromIndianDateTime(`${day}T${String(hours).padStart(2, '0')}:${minute ?? '00'}`)
}

function readInstant(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
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
  const [, day, name = '', dayYear = ''] =
    /^(\d{1,2})\.?[ /-](\p{L}{3,})\.?[ /-](\d{4}|\d{2})$/u.exec(text) ?? []
  if (day) return toDay(dayYear, toMonth(name), day)
  const [, month = '', monthDay = '', monthYear = ''] =
    /^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})$/u.exec(text) ?? []
  return toDay(monthYear, toMonth(month), monthDay)
}

/** '0' if it is no name of a month. */
function toMonth(name: string): string {
  return String(MONTHS.findIndex(pattern => pattern.test(name)) + 1)
}

function toDay(year: string, month: string, day: string): string {
  return [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

interface Convention {
  id: keyof Notation
  kinds: readonly InputSpec['kind'][]
  options: readonly string[]
  ask: (text: string) => string
  label: (value: string) => string
}

const CONVENTIONS: readonly Convention[] = [
  {
    id: 'decimalSign',
    kinds: NUMBERS,
    options: ['.', ','],
    ask: text => `How much is ${text}?`,
    label: value => value
  },
  {
    id: 'firstOfDay',
    kinds: ['datetime'],
    options: ['day', 'month'],
    ask: text => `Which day is ${text}?`,
    label: formatDate
  }
]

/** One program saved the file: what one cell proves is true for all of them. */
export function findNotation(
  cells: readonly SpecCell[],
  separator: string,
  answers: Answers
): { notation: Notation; questions: ImportQuestion[] } {
  const notation: Notation = {}
  const questions: ImportQuestion[] = []
  for (const { id, kinds, options, ask, label } of CONVENTIONS) {
    const proofs = new Map<string, SpecCell>()
    const open: { cell: SpecCell; values: unknown[] }[] = []
    for (const cell of cells.filter(({ spec, text }) => text !== '' && kinds.includes(spec.kind))) {
      const values = options.map(option => readCell(cell.spec, cell.text, { [id]: option }).value)
      const readable = options.filter((_, index) => values[index] !== undefined)
      if (readable.length > 1 && new Set(values).size > 1) open.push({ cell, values })
      if (readable.length === 1 && !proofs.has(String(readable[0])))
        proofs.set(String(readable[0]), cell)
    }
    const [proof, contradiction] = [...proofs]
    if (proof && contradiction) throw invalidFile(contradictionText(proof[1], contradiction[1]))
    const [first] = open
    if (proof || !first) {
      notation[id] = proof?.[0]
      continue
    }
    const usual = findUsual(id, separator, open)
    const answer = options.find(option => option === answers[id])
    notation[id] = usual ?? answer
    if (usual !== undefined) continue
    questions.push({
      id,
      text: ask(quote(first.cell.text)),
      choices: options.map((option, index) => [option, label(String(first.values[index]))]),
      answer
    })
  }
  return { notation, questions }
}

/** Programs separate cells by a semicolon if they write a decimal comma. */
function findUsual(
  id: keyof Notation,
  separator: string,
  open: readonly { cell: SpecCell; values: unknown[] }[]
): string | undefined {
  if (id !== 'decimalSign' || separator === '\t') return undefined
  const [sign, index] = separator === ',' ? ['.', 0] : [',', 1]
  // Nobody writes a price with three decimals.
  const isLikely = open.every(
    ({ cell, values }) => cell.spec.kind === 'number' || Number.isInteger(values[index])
  )
  return isLikely ? sign : undefined
}

function contradictionText(a: SpecCell, b: SpecCell): string {
  return (
    `Row ${a.line} has ${quote(a.text)}, but row ${b.line} has ${quote(b.text)}. ` +
    'Write both in the same way.'
  )
}
