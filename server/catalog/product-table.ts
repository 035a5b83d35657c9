import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { IMPORT_LIMITS } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { toSlug } from '#lib/paths.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const texts = {
  importUnreadable: 'We can’t read this file. Export the products and start from that file.',
  importNoKeyColumn: 'The first row must contain the column names, including Id or Name.'
}

/** A number that cannot be read is NaN. The schema then rejects it. */
export interface Cells {
  id?: string
  name?: string
  nameTamil?: string
  category?: string
  description?: string
  price?: number
  stock?: number
  /** Null means that there is no sale. */
  salePrice?: number | null
  saleFrom?: string
  saleUntil?: string
  packValue?: number
  packUnit?: string
  dietary?: string
  ingredients?: string[]
  shelfLife?: string
  shelfLifeDays?: number | null
  kitchenUnits?: number
  extraLeadDays?: number
  localOnly?: boolean | undefined
  allergens?: string
  nutrition?: string
  hidden?: boolean | undefined
  /** Empty for a product without other pack sizes. */
  family?: string
  familyPosition?: number | undefined
  collections?: string[]
}

export type Field = keyof Cells

interface Column {
  field: Field
  label: string
  write: (product: AdminProduct) => string
  read: (cell: string) => Cells[Field]
}

const asText = (cell: string): string => cell
/** Reads '₹1,180.50' and '1 180.50' as 1180.5. */
const asNumber = (cell: string): number =>
  cell === '' ? NaN : Number(cell.replace(/^(₹|rs\.?)/i, '').replace(/[\s,]/g, ''))
/** 'Seer Items' and 'seer-items' become 'seer_items'. */
export const asEnumValue = (cell: string): string => cell.toLowerCase().replace(/[\s_-]+/g, '_')

export const COLUMNS: readonly Column[] = [
  { field: 'id', label: 'Id', write: ({ id }) => id, read: asText },
  { field: 'name', label: 'Name', write: ({ name }) => name, read: asText },
  { field: 'nameTamil', label: 'Tamil name', write: ({ nameTamil }) => nameTamil, read: asText },
  { field: 'category', label: 'Category', write: ({ category }) => category, read: asText },
  { field: 'price', label: 'Price', write: ({ price }) => price.toFixed(2), read: asNumber },
  { field: 'stock', label: 'Stock', write: ({ stock }) => String(stock), read: asNumber },
  {
    field: 'salePrice',
    label: 'Sale price',
    write: ({ sale }) => (sale ? sale.price.toFixed(2) : ''),
    read: cell => (cell === '' ? null : asNumber(cell))
  },
  {
    field: 'saleFrom',
    label: 'Sale from',
    write: ({ sale }) => writeTime(sale?.from),
    read: asTime
  },
  {
    field: 'saleUntil',
    label: 'Sale until',
    write: ({ sale }) => writeTime(sale?.until),
    read: asTime
  },
  {
    field: 'packValue',
    label: 'Pack size',
    write: ({ quantity }) => String(quantity.value),
    read: asNumber
  },
  { field: 'packUnit', label: 'Pack unit', write: ({ quantity }) => quantity.unit, read: asUnit },
  { field: 'dietary', label: 'Dietary', write: ({ dietary }) => dietary, read: asEnumValue },
  {
    field: 'ingredients',
    label: 'Ingredients',
    write: ({ ingredients }) => ingredients.join('; '),
    read: asList
  },
  { field: 'shelfLife', label: 'Shelf life', write: ({ shelfLife }) => shelfLife, read: asText },
  {
    field: 'description',
    label: 'Description',
    write: ({ description }) => description,
    read: asText
  },
  {
    field: 'hidden',
    label: 'Hidden',
    write: ({ hiddenAt }) => (hiddenAt === null ? 'no' : 'yes'),
    read: asYesNo
  },
  {
    field: 'family',
    label: 'Family',
    write: ({ family }) => family?.id ?? '',
    read: cell => toSlug(cell, cell)
  },
  {
    field: 'familyPosition',
    label: 'Family position',
    write: ({ family }) => (family ? String(family.position) : ''),
    read: cell => (cell === '' ? undefined : asNumber(cell))
  },
  {
    field: 'shelfLifeDays',
    label: 'Shelf life in days',
    write: ({ shelfLifeDays }) => String(shelfLifeDays ?? ''),
    read: cell => (cell === '' ? null : asNumber(cell))
  },
  {
    field: 'kitchenUnits',
    label: 'Kitchen units',
    write: ({ kitchenUnits = 1 }) => String(kitchenUnits),
    read: cell => (cell === '' ? 1 : asNumber(cell))
  },
  {
    field: 'extraLeadDays',
    label: 'Extra days to prepare',
    write: ({ extraLeadDays = 0 }) => String(extraLeadDays),
    read: cell => (cell === '' ? 0 : asNumber(cell))
  },
  {
    field: 'localOnly',
    label: 'Only local delivery',
    write: ({ localOnly = false }) => (localOnly ? 'yes' : 'no'),
    read: asYesNo
  },
  {
    field: 'allergens',
    label: 'Allergens',
    write: ({ allergens = '' }) => allergens,
    read: asText
  },
  {
    field: 'nutrition',
    label: 'Nutrition per 100 g',
    write: ({ nutrition = '' }) => nutrition,
    read: asText
  },
  {
    field: 'collections',
    label: 'Collections',
    write: ({ collections }) => collections.join('|'),
    read: asIds
  }
]

export function labelOf(field: Field): string {
  return COLUMNS.find(column => column.field === field)?.label ?? field
}

/** In Indian time, for example '2026-11-25 09:00'. */
function writeTime(iso?: string): string {
  return iso === undefined ? '' : toIndianDateTime(iso).replace('T', ' ')
}

/**
 * Indian spreadsheets contain '25-11-2026 09:00' or '25/11/2026 9:00'. A time that can't be read
 * stays as it is.
 */
function asTime(cell: string): string {
  const [, day, time = ''] = /^(\S+)[ T](\S+)$/.exec(cell) ?? []
  const isoDay = day?.replace(/^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/, (_, date, month, year) =>
    [year, String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-')
  )
  return (isoDay && fromIndianDateTime(`${isoDay}T${time.padStart(5, '0')}`)) ?? cell
}

function asUnit(cell: string): string {
  const unit = cell.toLowerCase()
  return unit === 'pieces' ? 'piece' : unit
}

function asList(cell: string, separator = ';'): string[] {
  const parts = cell.split(separator).map(part => part.trim())
  return parts.filter(part => part !== '')
}

function asIds(cell: string): string[] {
  return [...new Set(asList(cell, '|'))].sort()
}

function asYesNo(cell: string): boolean | undefined {
  if (/^(yes|y|true|1)$/i.test(cell)) return true
  return /^(no|n|false|0)?$/i.test(cell) ? false : undefined
}

/**
 * Spreadsheet programs run text as a formula if it begins with one of these characters (OWASP: CSV
 * injection). Programs that expect another separator also split cells at `,`, `;` and tabs, so a
 * formula may begin after each of them.
 */
const FORMULA = /(^|[,;\t\r\n])([\s"]*)('*[=+\-@＝＋－＠])/g
/** A negative number is no formula. */
const NEGATIVE = /^-\d+(\.\d+)?$/
const ESCAPED_FORMULA = /(^|[,;\t\r\n])([\s"]*)'('*[=+\-@＝＋－＠])/g

export function writeTable(products: readonly AdminProduct[]): string {
  const rows = products.map(product => COLUMNS.map(({ write }) => write(product)))
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

/** Accepts commas, semicolons or tabs as separators. Throws INVALID_INPUT. */
export function readTable(csv: string): Table {
  const [header, ...records] = parseLines(csv)
  if (!header) throw invalidFile(texts.importUnreadable)
  if (records.length > IMPORT_LIMITS.rows) throw invalidFile(ADMIN_FIELD_TEXTS.importTooLong)
  const names = header.record.map(name => name.trim())
  const columns = names.map(name =>
    COLUMNS.find(({ label }) => label.toLowerCase() === name.toLowerCase())
  )
  const known = new Set(columns.map(column => column?.field))
  if (!known.has('id') && !known.has('name')) throw invalidFile(texts.importNoKeyColumn)
  return {
    ignored: names.filter((name, index) => name !== '' && !columns[index]),
    rows: records.map(({ line, record }) => {
      const cells = columns.flatMap((column, index) => {
        const cell = (record[index] ?? '')
          .trim()
          .replaceAll('\0', '')
          .replace(ESCAPED_FORMULA, '$1$2$3')
        return column ? [[column.field, column.read(cell)]] : []
      })
      return { line, cells: Object.fromEntries(cells) as Cells }
    })
  }
}

/**
 * `line` is the row number in a spreadsheet, from 1. A cell with line breaks does not change the
 * row number.
 */
interface Line {
  line: number
  record: string[]
}

function parseLines(csv: string): Line[] {
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
