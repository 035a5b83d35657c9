import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { InputSpec } from '#lib/admin/fields.ts'
import { readPath } from '#lib/admin/field-values.ts'
import { PRODUCT_DEFAULTS, PRODUCT_FIELDS, toProductFields } from '#lib/admin/product-fields.ts'
import { IMPORT_LIMITS } from '#lib/constants.ts'
import type { AdminProduct, ProductFields } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { toLimit } from '#lib/product.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { toSlug } from '#lib/paths.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

const texts = {
  importUnreadable: 'We can’t read this file. Export the products and start from that file.',
  importNoKeyColumn: 'The first row must contain the column names, including Id or Name.'
}

export type TableProduct = ProductFields & { id: string; stock: number | null }

export type Cells = Record<string, unknown> & { id?: string; name?: string }

interface Column {
  name: string
  label: string
  write: (product: TableProduct) => string
  read: (cell: string) => unknown
}

export function toTableProduct(product: AdminProduct): TableProduct {
  return { ...toProductFields(product), id: product.id, stock: toLimit(product) }
}

export const COLUMNS: readonly Column[] = [
  { name: 'id', label: 'Id', write: ({ id }) => id, read: cell => cell },
  ...PRODUCT_FIELDS.filter(({ kind, name }) => kind !== 'own' && name !== 'cookedToOrder').map(
    (spec): Column => ({
      name: spec.name,
      label: spec.label,
      write: product => writeCell(spec, readPath(product, spec.name)),
      read: cell => readCell(spec, cell)
    })
  ),
  {
    name: 'collections',
    label: 'Collections',
    write: ({ collections = [] }) => collections.join('|'),
    read: cell => [...new Set(splitCell(cell, '|'))].sort()
  }
]

export function labelOf(name: string): string {
  return COLUMNS.find(column => column.name === name)?.label ?? name
}

const UNLIMITED = /^(unlimited|no limit|cooked to order)\b/i

function writeCell({ kind, name }: InputSpec, value: unknown): string {
  if (name === 'stock' && value === null) return 'unlimited'
  if (value === null || value === undefined) return ''
  if (kind === 'amount') return Number(value).toFixed(2)
  if (kind === 'datetime') return toIndianDateTime(String(value)).replace('T', ' ')
  if (kind === 'boolean') return value === true ? 'yes' : 'no'
  return Array.isArray(value) ? value.join('; ') : String(value)
}

const EMPTY_VALUES: Readonly<Record<string, unknown>> = {
  ...PRODUCT_DEFAULTS,
  'sale.price': null,
  'family.position': undefined,
  stock: undefined
}

/** What can't be read is NaN or stays a text, so that the schema refuses it. */
function readCell({ kind, name, choices = [] }: InputSpec, cell: string): unknown {
  if (name === 'family.id') return toSlug(cell, cell)
  if (name === 'stock' && UNLIMITED.test(cell)) return null
  if (kind === 'amount' || kind === 'whole' || kind === 'number')
    return cell === '' && name in EMPTY_VALUES ? EMPTY_VALUES[name] : readNumber(cell)
  if (kind === 'datetime') return readTime(cell)
  if (kind === 'boolean') return readYesNo(cell)
  if (kind === 'lines') return splitCell(cell, ';')
  if (kind !== 'choice') return cell
  const isMeant = (text: string): boolean => asEnumValue(text) === asEnumValue(cell)
  return choices.find(([value, label]) => isMeant(value) || isMeant(label))?.[0] ?? cell
}

/** Reads '₹1,180.50' and '1 180.50' as 1180.5. */
function readNumber(cell: string): number {
  return cell === '' ? NaN : Number(cell.replace(/^(₹|rs\.?)/i, '').replace(/[\s,]/g, ''))
}

/** 'Seer Items' and 'seer-items' become 'seer_items'. */
export function asEnumValue(cell: string): string {
  return cell.toLowerCase().replace(/[\s_-]+/g, '_')
}

/** Indian spreadsheets contain '25-11-2026 09:00' or '25/11/2026 9:00'. */
function readTime(cell: string): string {
  const [, day, time = ''] = /^(\S+)[ T](\S+)$/.exec(cell) ?? []
  const isoDay = day?.replace(/^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/, (_, date, month, year) =>
    [year, String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-')
  )
  return (isoDay && fromIndianDateTime(`${isoDay}T${time.padStart(5, '0')}`)) ?? cell
}

function splitCell(cell: string, separator: string): string[] {
  return cell.split(separator).flatMap(part => part.trim() || [])
}

function readYesNo(cell: string): boolean | string {
  if (/^(yes|y|true|1)$/i.test(cell)) return true
  return /^(no|n|false|0)?$/i.test(cell) ? false : cell
}

/**
 * Spreadsheet programs run such text (OWASP: CSV injection). Those that expect another separator
 * also split cells at `,`, `;` and tabs, so a formula may begin after each of them.
 */
const FORMULA = /(^|[,;\t\r\n])([\s"]*)('*[=+\-@＝＋－＠])/g
const NEGATIVE = /^-\d+(\.\d+)?$/
const ESCAPED_FORMULA = /(^|[,;\t\r\n])([\s"]*)'('*[=+\-@＝＋－＠])/g

export function writeTable(products: readonly AdminProduct[]): string {
  const rows = products.map(toTableProduct).map(row => COLUMNS.map(({ write }) => write(row)))
  return writeCsv([COLUMNS.map(({ label }) => label), ...rows])
}

/** Writes CSV (RFC 4180) in UTF-8, with a byte order mark for Excel. */
export function writeCsv(rows: readonly string[][]): string {
  const lines = rows.map(row =>
    row.map(cell => (NEGATIVE.test(cell) ? cell : cell.replace(FORMULA, "$1$2'$3")))
  )
  return stringify(lines, {
    bom: true,
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: true
  })
}

export interface Table {
  rows: { line: number; cells: Cells }[]
  ignored: string[]
}

export function readTable(csv: string): Table {
  const [header, ...records] = parseLines(csv)
  if (!header) throw invalidFile(texts.importUnreadable)
  if (records.length > IMPORT_LIMITS.rows) throw invalidFile(ADMIN_TEXTS.importTooLong)
  const names = header.record.map(name => name.trim())
  const columns = names.map(name =>
    COLUMNS.find(({ label }) => label.toLowerCase() === name.toLowerCase())
  )
  const known = new Set(columns.map(column => column?.name))
  if (!known.has('id') && !known.has('name')) throw invalidFile(texts.importNoKeyColumn)
  return {
    ignored: names.filter((name, index) => name !== '' && !columns[index]),
    rows: records.map(({ line, record }) => {
      const cells = columns.flatMap((column, index) => {
        const cell = (record[index] ?? '').trim().replaceAll('\0', '')
        return column ? [[column.name, column.read(cell.replace(ESCAPED_FORMULA, '$1$2$3'))]] : []
      })
      return { line, cells: Object.fromEntries(cells) as Cells }
    })
  }
}

/** `line` is the row number in a spreadsheet, from 1. */
function parseLines(csv: string): { line: number; record: string[] }[] {
  const text = csv.replace(/^\uFEFF/, '')
  try {
    const records: string[][] = parse(text, {
      delimiter: detectDelimiter(text),
      relax_column_count: true
    })
    return records
      .map((record, index) => ({ line: index + 1, record }))
      .filter(({ record }) => record.some(cell => cell.trim() !== ''))
  } catch (cause) {
    if (cause instanceof CsvError) throw invalidFile(texts.importUnreadable)
    throw cause
  }
}

function detectDelimiter(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string): number => header.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) =>
    count(separator) > count(best) ? separator : best
  )
}

function invalidFile(message: string): ShopError {
  return new ShopError('INVALID_INPUT', { message })
}
