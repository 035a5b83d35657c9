import { flatten, toValue } from '#lib/admin/field-values.ts'
import type { ImportRow } from '#lib/contract/catalog.ts'
import { cleanText } from '#lib/contract/formats.ts'
import { t, text as mark } from '#lib/contract/texts.ts'
import { formatCell, isDateOf } from './cells.ts'
import { formatColumn, type TableProduct, type TableRow } from './product-table.ts'

export type Cells = Record<string, unknown> & { id?: string; name?: string }
export type Problem = ImportRow['problems'][number]

const LETTERS_LOST = mark(
  'Letters were lost here: the file has “?” for them. Write them again and save the file as ' +
    '“CSV UTF-8”.'
)

export interface Edits {
  cells: Cells
  problems: Problem[]
  /** The file has question marks instead of letters. The stored texts stay. */
  keepsLetters: boolean
}

/** A cell that has the stored value, as a spreadsheet may write it, is no edit. */
export function findEdits({ cells }: TableRow, before: TableProduct | undefined): Edits {
  const edits: Edits = { cells: {}, problems: [], keepsLetters: false }
  for (const { spec, text, value, problem } of cells) {
    const { label, name } = spec
    const stored = before && cleanText(formatColumn(spec, before)).trim()
    const isRead = problem === undefined && formatCell(spec, value) === stored
    const isSame = stored !== undefined && withoutEscapes(text) === withoutEscapes(stored)
    if (isRead || isSame || isDateOf(text, stored ?? '')) continue
    if (stored !== undefined && hasLostLetters(text, stored)) {
      edits.keepsLetters = true
      continue
    }
    const isText = typeof value === 'string' || Array.isArray(value)
    const isLost = isText && looksLost(text) && !looksLost(stored ?? '')
    const found = problem ?? (isLost ? t(LETTERS_LOST) : undefined)
    if (found === undefined) edits.cells[name] = value
    else edits.problems.push({ label: t(label), text: found })
  }
  return edits
}

/** A file may have columns of some languages and texts only. */
export function mergeTexts(cells: Cells, { translations = {} }: Partial<TableProduct>): object {
  const given = Object.entries(cells).filter(([name]) => name.startsWith('translations.'))
  const texts = given.map(([name, cell]) => [name, String(cell) === '' ? undefined : cell])
  if (texts.length === 0) return {}
  const kept = flatten({ translations })
  return { translations: {}, ...toValue({ ...kept, ...Object.fromEntries(texts) }) }
}

/** Some programs drop the apostrophe before a formula, and others keep it. */
function withoutEscapes(text: string) {
  return text.replace(/(^|[,;\t\n])([\s"]*)(?:' ?)+(?=[=+\-@＝＋－＠])/g, '$1$2')
}

/** Excel for Mac writes an underscore. */
const LOST = /^[?_\uFFFD]+$/

/**
 * True if `text` is `stored` after a program has replaced the letters that its code page lacks.
 * LibreOffice writes one mark for an emoji, and Excel two. Some letters become the nearest one.
 */
function hasLostLetters(text: string, stored: string) {
  return [(letter: string) => letter.length, () => 1].some(countMarks => {
    let position = 0
    let isLost = false
    for (const letter of stored) {
      const marks = text.slice(position, position + countMarks(letter))
      const nearest = letter.normalize('NFKD').charAt(0)
      if (text.startsWith(letter, position)) position += letter.length
      else if (letter > '\x7f' && LOST.test(marks)) {
        position += marks.length
        isLost = true
      } else if (text.startsWith(nearest, position)) position += 1
      else return false
    }
    return isLost && position === text.length
  })
}

/** Marks that begin a word or an amount, or are inside a word: '?180', but not 'Really??'. */
function looksLost(text: string) {
  return /\uFFFD|(?:^|[\s(,;:/–-])(?:\?{2}|\?[\p{L}\p{N}])|\p{L}\?+\p{L}/u.test(text)
}
