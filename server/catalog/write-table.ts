import { stringify } from 'csv-stringify/sync'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { COLUMNS } from './columns.ts'

/** Spreadsheet programs run a cell as a formula if it begins with one of these characters (OWASP: CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Writes CSV (RFC 4180) in UTF-8, with a byte order mark for Excel. */
export function writeTable(products: readonly AdminProduct[]): string {
  const lines = products.map(product => COLUMNS.map(({ write }) => escapeFormula(write(product))))
  return stringify([COLUMNS.map(({ label }) => label), ...lines], {
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/
  })
}

export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
