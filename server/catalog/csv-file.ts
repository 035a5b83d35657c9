import { IMPORT_LIMITS } from '#lib/constants.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'
import { cleanText } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'

/**
 * Spreadsheet programs run such text (OWASP: CSV injection). Those that expect another separator
 * also split cells at `,`, `;` and tabs, so a formula may begin after each of them. Nobody writes
 * an apostrophe and a space before a formula, so that the escape is clear.
 */
const FORMULA = /(^|[,;\t\r\n])([\s"]*)((?:' )*[=+\-@＝＋－＠])/g
const NEGATIVE = /^-\d+(\.\d+)?$/
const ESCAPED_FORMULA = /(^|[,;\t\r\n])([\s"]*)' ((?:' )*[=+\-@＝＋－＠])/g

/** Writes CSV (RFC 4180) in UTF-8, with a byte order mark for Excel. */
export function writeCsv(rows: readonly string[][]): string {
  const lines = rows.map(row =>
    row.map(cell => {
      const escaped = NEGATIVE.test(cell) ? cell : cell.replace(FORMULA, "$1$2' $3")
      return `"${escaped.replaceAll('"', '""')}"`
    })
  )
  return `\uFEFF${lines.map(cells => `${cells.join()}\r\n`).join('')}`
}

export interface CsvFile {
  separator: string
  header: string[]
  rows: { line: number; cells: string[]; problem?: string }[]
}

/** `line` is the row number in a spreadsheet, from 1. Empty rows are left out. */
export function readCsv(csv: string): CsvFile {
  // A ZIP file, as xlsx and ods are, or xls.
  if (/^(PK[\x03\x05]|ÐÏ\x11à)/.test(csv))
    throw invalidFile(
      t('This is an Excel file. Save it as “CSV UTF-8 (Comma delimited)” and choose that file.')
    )
  const text = csv.replace(/^\uFEFF/, '').replaceAll('\0', '')
  // Excel reads the separator from such a first line, and does not show it.
  const [hint = '', given] = /^"?sep=([,;\t])"?(?:\r\n?|\n)/i.exec(text) ?? []
  const separator = given ?? detectSeparator(text)
  const filled = [...readRows(text.slice(hint.length), separator)].filter(({ cells }) =>
    cells.some(cell => cell !== '')
  )
  // A title may stand above the column names.
  const first = filled.findIndex(({ cells }) => cells.filter(cell => cell !== '').length > 1)
  const [header, ...rows] = filled.slice(Math.max(first, 0))
  if (!header)
    throw invalidFile(t('This file is empty. Export the products and start from that file.'))
  if (rows.length > IMPORT_LIMITS.rows) throw invalidFile(ADMIN_TEXTS.importTooLong)
  return { separator, header: header.cells, rows }
}

/** A quotation mark inside an unquoted cell (6" pieces) is a letter, unlike in csv-parse. */
function* readRows(text: string, separator: string): Generator<CsvFile['rows'][number]> {
  const cellPattern = new RegExp(
    `(?: *"([^"]*(?:""[^"]*)*)" *|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`,
    'y'
  )
  let row: CsvFile['rows'][number] = { line: 1, cells: [] }
  while (cellPattern.lastIndex < text.length) {
    const [, quoted, plain = '', end] = cellPattern.exec(text) ?? []
    const cell = quoted?.replaceAll('""', '"') ?? plain
    if (quoted === undefined && plain.trimStart().startsWith('"'))
      row.problem = t('A quotation mark (") is not closed. Write it twice, or delete it.')
    const clean = cleanText(repairLetters(cell))
    row.cells.push(clean.replace(ESCAPED_FORMULA, '$1$2$3').trim())
    if (end === separator) continue
    yield row
    row = { line: row.line + 1, cells: [] }
  }
  if (row.cells.length > 0) yield row
}

function detectSeparator(text: string) {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (separator: string) => header.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) =>
    count(separator) > count(best) ? separator : best
  )
}

export function invalidFile(message: string): ShopError {
  return new ShopError('INVALID_INPUT', { message })
}

/** Windows-1252 from byte 0x80. The rest is Latin-1. */
const WINDOWS_LETTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Text in UTF-8 that was read as Windows-1252, such as 'à®ªà®¾à®²à¯\x8d', is read again. */
function repairLetters(text: string) {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  const bytes = Array.from(text, letter => {
    const index = WINDOWS_LETTERS.indexOf(letter)
    return index < 0 ? (letter.codePointAt(0) ?? 0) : 0x80 + index
  })
  if (bytes.some(byte => byte > 0xff)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return text
  }
}
