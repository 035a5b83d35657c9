import type { InputSpec } from '#lib/admin/fields.ts'
import type { ImportQuestion } from '#lib/contract/catalog.ts'
import { t } from '#lib/contract/texts.ts'
import { formatDate } from '#lib/time.ts'
import { type Notation, quote, readCell, type Reading } from './cells.ts'
import { invalidFile } from './csv-file.ts'

export type Answers = Readonly<Record<string, string>>

export interface FileCell extends Reading {
  spec: InputSpec
  line: number
  text: string
  /** Value of the product in the shop. */
  stored: unknown
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
    kinds: ['amount', 'whole', 'number'],
    options: ['.', ','],
    ask: text => t('How much is {text}?', { text }),
    label: value => value
  },
  {
    id: 'firstOfDay',
    kinds: ['datetime'],
    options: ['day', 'month'],
    ask: text => t('Which day is {text}?', { text }),
    label: formatDate
  }
]

/** Programs separate cells by a semicolon if they write a decimal comma. */
const USUAL_SIGN: Readonly<Record<string, string>> = { ',': '.', ';': ',' }

/** One program saved the file: what one cell proves is true for all of them. */
export function findNotation(
  cells: readonly FileCell[],
  separator: string,
  answers: Answers
): { notation: Notation; questions: ImportQuestion[] } {
  const notation: Notation = {}
  const questions: ImportQuestion[] = []
  for (const convention of CONVENTIONS) {
    const { id, options, ask, label } = convention
    const open = listOpenCells(convention, cells)
    const [first] = open
    if (!first) continue
    const proven = findOption(convention, open, separator)
    const answer = options.find(option => option === answers[id])
    notation[id] = proven ?? answer
    if (proven !== undefined) continue
    const choices = options.map((option): [string, string] => [
      option,
      label(String(readAs(id, option, first)))
    ])
    questions.push({ id, text: ask(quote(first.text)), choices, answer })
  }
  return { notation, questions }
}

/** The cells that would get another value with another option. */
function listOpenCells(
  { id, kinds, options }: Convention,
  cells: readonly FileCell[]
): readonly FileCell[] {
  return cells.filter(
    cell =>
      cell.text !== '' &&
      kinds.includes(cell.spec.kind) &&
      new Set(options.map(option => readAs(id, option, cell))).size > 1
  )
}

function readAs(id: keyof Notation, option: string, { spec, text }: FileCell): unknown {
  return readCell(spec, text, { [id]: option }).value
}

/** Undefined if the file leaves it open. Throws INVALID_INPUT if two cells contradict. */
function findOption({ id, options }: Convention, open: readonly FileCell[], separator: string) {
  const findUnreadable = (option: string): FileCell | undefined =>
    open.find(cell => readAs(id, option, cell) === undefined)
  // Nobody writes a price with three decimals: 1,180 is no 1.18.
  const findUnlikely = (option: string): FileCell | undefined =>
    open.find(cell => {
      const value = Number(readAs(id, option, cell))
      const isLess = options.some(other => value < Number(readAs(id, other, cell)))
      return cell.spec.kind !== 'number' && isLess
    })
  const possible = options.filter(option => !findUnreadable(option))
  const [a, b] = options
    .flatMap(
      option =>
        findUnreadable(option) ?? (possible.length < 2 ? findUnlikely(option) : undefined) ?? []
    )
    .sort((one, other) => one.line - other.line)
  if (a && b)
    throw invalidFile(
      t('Row {line} has {cell}, but row {otherLine} has {otherCell}. Write both in the same way.', {
        line: a.line,
        cell: quote(a.text),
        otherLine: b.line,
        otherCell: quote(b.text)
      })
    )
  const stored = possible.filter(option =>
    open.some(cell => toMinute(readAs(id, option, cell)) === toMinute(cell.stored))
  )
  const usual = options.filter(option => option === USUAL_SIGN[separator] && !findUnlikely(option))
  return [possible, stored, usual].find(({ length }) => length === 1)?.[0]
}

const toMinute = (value: unknown) => String(value).slice(0, 16)
