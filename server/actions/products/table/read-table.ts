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

/** Accepts commas, semicolons or tabs as separators. Throws ShopError INVALID_INPUT. */
export function readTable(csv: string): Table {
  const [head, ...records] = linesOf(csv)
  if (!head) throw invalidFile(ADMIN_MESSAGES.importUnreadable)
  if (records.length > IMPORT_LIMITS.rows) throw invalidFile(ADMIN_MESSAGES.importTooLong)
  const names = head.record.map(name => name.trim())
  const columns = names.map(name => COLUMNS.find(({ label }) => label.toLowerCase() === name.toLowerCase()))
  const known = new Set(columns.map(column => column?.field))
  if (!known.has('id') && !known.has('name')) throw invalidFile(ADMIN_MESSAGES.importNoKeyColumn)
  return {
    ignored: names.filter((name, at) => name !== '' && !columns[at]),
    rows: records.map(({ line, record }) => {
      const cells = columns.flatMap((column, at) =>
        column ? [[column.field, column.read(unescapeFormula((record[at] ?? '').trim().replaceAll('\0', '')))]] : []
      )
      return { line, cells: Object.fromEntries(cells) as Cells }
    })
  }
}

/** `line` counts records as spreadsheets do, from 1: cells may contain line breaks. */
interface Line {
  line: number
  record: string[]
}

function linesOf(csv: string): Line[] {
  const text = csv.replace(/^\uFEFF/, '')
  try {
    const records: string[][] = parse(text, { delimiter: delimiterOf(text), relax_column_count: true })
    return records
      .map((record, at) => ({ line: at + 1, record }))
      .filter(({ record }) => record.some(cell => cell.trim() !== ''))
  } catch (cause) {
    if (cause instanceof CsvError) throw invalidFile(ADMIN_MESSAGES.importUnreadable)
    throw cause
  }
}

function delimiterOf(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string): number => head.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

function invalidFile(message: string): ShopError {
  return new ShopError('INVALID_INPUT', { message })
}
