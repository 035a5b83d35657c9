import { stringify } from 'csv-stringify/sync'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { COLUMNS } from './columns.ts'

/** A spreadsheet takes these for the start of a formula, which somebody else may have written. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** The products as a table that every spreadsheet opens: UTF-8 with a mark that says so, RFC 4180. */
export function writeTable(products: readonly AdminProduct[]): string {
  const lines = products.map(product => COLUMNS.map(({ write }) => disarmed(write(product))))
  return stringify([COLUMNS.map(({ label }) => label), ...lines], {
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/
  })
}

/** A text that a spreadsheet does not run. */
export function disarmed(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** The text as it was before. */
export function armed(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
