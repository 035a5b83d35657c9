import type { InputSpec } from '#lib/admin/fields.ts'
import type { ImportQuestion } from '#lib/contract/catalog.ts'
import { formatDate } from '#lib/time.ts'
import { type Notation, NUMBERS, quote, readCell } from './cells.ts'
import { invalidFile } from './csv-file.ts'

export type Answers = Readonly<Record<string, string>>

export interface FileCell {
  spec: InputSpec
  line: number
  text: string
  /** Value of the product in the shop. */
  stored: unknown
}

interface Convention {
  id: keyof Notation
  kinds: readonly InputSpec['kind'][]
  options: readonly [string, string]
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
  cells: readonly FileCell[],
  separator: string,
  answers: Answers
): { notation: Notation; questions: ImportQuestion[] } {
  const notation: Notation = {}
  const questions: ImportQuestion[] = []
  for (const convention of CONVENTIONS) {
    const { id, kinds, options, ask, label } = convention
    const open = cells
      .filter(({ spec, text }) => text !== '' && kinds.includes(spec.kind))
      .map(cell => ({ cell, values: options.map(option => readAs(cell, id, option)) }))
      .filter(({ values }) => values[0] !== values[1])
    const side =
      findSide(open) ?? (id === 'decimalSign' ? findUsualSign(open, separator) : undefined)
    const answer = options.find(option => option === answers[id])
    notation[id] = side === undefined ? answer : options[side]
    const [first] = open
    if (side !== undefined || !first) continue
    questions.push({
      id,
      text: ask(quote(first.cell.text)),
      choices: options.map((option, index) => [option, label(String(first.values[index]))]),
      answer
    })
  }
  return { notation, questions }
}

function readAs({ spec, text }: FileCell, id: keyof Notation, option: string): unknown {
  return readCell(spec, text, { [id]: option }).value
}

/** A cell with two meanings, or with one that only one of the two options has. */
interface OpenCell {
  cell: FileCell
  values: readonly unknown[]
}

const SIDES = [0, 1] as const
type Side = (typeof SIDES)[number]

function findSide(open: readonly OpenCell[]): Side | undefined {
  const proofs = SIDES.map(side => open.find(({ values }) => values[1 - side] === undefined))
  const side = SIDES.find(each => proofs[each] !== undefined)
  if (side !== undefined) {
    const proof = proofs[side]
    const other = proofs[1 - side] ?? open.find(each => !isLikely(each, side))
    if (proof && other) throw invalidFile(contradictionText(proof.cell, other.cell))
    return side
  }
  const kept = SIDES.filter(each =>
    open.some(({ cell, values }) => toMinute(cell.stored) === toMinute(values[each]))
  )
  return kept.length === 1 ? kept[0] : undefined
}

const toMinute = (value: unknown): string => String(value).slice(0, 16)

/** Nobody writes a price with three decimals: 1,180 is no 1.18. */
function isLikely({ cell: { spec }, values }: OpenCell, side: Side): boolean {
  const isClear = values[1 - side] === undefined || spec.kind === 'number'
  return isClear || Number.isInteger(values[side]) || typeof values[side] === 'string'
}

/** Programs separate cells by a semicolon if they write a decimal comma. */
function findUsualSign(open: readonly OpenCell[], separator: string): Side | undefined {
  const side = separator === ',' ? 0 : 1
  return separator !== '\t' && open.every(each => isLikely(each, side)) ? side : undefined
}

function contradictionText(a: FileCell, b: FileCell): string {
  return (
    `Row ${a.line} has ${quote(a.text)}, but row ${b.line} has ${quote(b.text)}. ` +
    'Write both in the same way.'
  )
}
