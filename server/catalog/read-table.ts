import { CsvError, parse } from 'csv-parse/sync'
import { IMPORT_LIMITS } from '#lib/admin/limits.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError } from '#lib/errors.ts'
import { COLUMNS, type Cells } from './columns.ts'
import { unescapeFormula } from './write-table.ts'

export interface Table {
  rows: { line: number; cells: Cells }[]
  ignored: string[]
}

/** Accepts commas, semicolons or tabs as separators. Throws INVALID_INPUT. */
export function readTable(csv: string): Table {
  const [header, ...records] = parseLines(csv)
  if (!header) throw invalidFile(ADMIN_MESSAGES.importUnreadable)
  if (records.length > IMPORT_LIMITS.rows) throw invalidFile(ADMIN_MESSAGES.importTooLong)
  const names = header.record.map(name => name.trim())
  const columns = names.map(name => COLUMNS.find(({ label }) => label.toLowerCase() === name.toLowerCase()))
  const known = new Set(columns.map(column => column?.field))
  if (!known.has('id') && !known.has('name')) throw invalidFile(ADMIN_MESSAGES.importNoKeyColumn)
  return {
    ignored: names.filter((name, index) => name !== '' && !columns[index]),
    rows: records.map(({ line, record }) => {
      const cells = columns.flatMap((column, index) =>
        column ? [[column.field, column.read(unescapeFormula((record[index] ?? '').trim().replaceAll('\0', '')))]] : []
      )
      return { line, cells: Object.fromEntries(cells) as Cells }
    })
  }
}

/** `line` is the row number in a spreadsheet, from 1. A cell with line breaks does not change the row number. */
interface Line {
  line: number
  record: string[]
}

function parseLines(csv: string): Line[] {
  const text = csv.replace(/^\uFEFF/, '')
  try {
    const records: string[][] = parse(text, { delimiter: detectDelimiter(text), relax_column_count: true })
    return records
      .map((record, index) => ({ line: index + 1, record }))
      .filter(({ record }) => record.some(cell => cell.trim() !== ''))
  } catch (cause) {
    if (cause instanceof CsvError) throw invalidFile(ADMIN_MESSAGES.importUnreadable)
    throw cause
  }
}

function detectDelimiter(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string): number => header.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

function invalidFile(message: string): ShopError {
  return new ShopError('INVALID_INPUT', { message })
}
