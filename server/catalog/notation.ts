import type { InputSpec } from '#lib/admin/fields.ts'
import type { ImportQuestion } from '#lib/contract/catalog.ts'
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
  for (const { id, kinds, options, ask, label } of CONVENTIONS) {
    const read = ({ spec, text }: FileCell, option: string): unknown =>
      readCell(spec, text, { [id]: option }).value
    const open = cells
      .filter(({ spec, text }) => text !== '' && kinds.includes(spec.kind))
      .filter(cell => new Set(options.map(option => read(cell, option))).size > 1)
    const [first] = open
    if (!first) continue
    const findRefusal = (option: string): FileCell | undefined =>
      open.find(cell => read(cell, option) === undefined)
    // Nobody writes a price with three decimals: 1,180 is no 1.18.
    const findUnlikely = (option: string): FileCell | undefined =>
      open.find(cell =>
        options.some(
          other =>
            cell.spec.kind !== 'number' && Number(read(cell, option)) < Number(read(cell, other))
        )
      )
    const possible = options.filter(option => !findRefusal(option))
    const [a, b] = options
      .flatMap(
        option =>
          findRefusal(option) ?? (possible.length < 2 ? findUnlikely(option) : undefined) ?? []
      )
      .sort((one, other) => one.line - other.line)
    if (a && b)
      throw invalidFile(
        `Row ${a.line} has ${quote(a.text)}, but row ${b.line} has ${quote(b.text)}. ` +
          'Write both in the same way.'
      )
    const stored = possible.filter(option =>
      open.some(cell => toMinute(read(cell, option)) === toMinute(cell.stored))
    )
    const usual = options.filter(
      option => option === USUAL_SIGN[separator] && !findUnlikely(option)
    )
    const [found] = [possible, stored, usual].find(({ length }) => length === 1) ?? []
    const answer = options.find(option => option === answers[id])
    notation[id] = found ?? answer
    if (found !== undefined) continue
    const choices = options.map((option): [string, string] => [
      option,
      label(String(read(first, option)))
    ])
    questions.push({ id, text: ask(quote(first.text)), choices, answer })
  }
  return { notation, questions }
}

const toMinute = (value: unknown): string => String(value).slice(0, 16)
