import { field, type InputSpec } from '#lib/admin/fields.ts'
import { readPath } from '#lib/admin/field-values.ts'
import { PRODUCT_DEFAULTS, PRODUCT_FIELDS, toProductFields } from '#lib/admin/product-fields.ts'
import type { AdminProduct, ImportQuestion, ProductFields } from '#lib/contract/catalog.ts'
import { toCode, toSearchText } from '#lib/contract/formats.ts'
import { toLimit } from '#lib/product.ts'
import { toIndianDateTime } from '#lib/time.ts'
import { type Notation, readCell, type Reading, splitCell } from './cells.ts'
import { type CsvFile, invalidFile, writeCsv } from './csv-file.ts'
import { type Answers, findNotation } from './notation.ts'

const texts = {
  noKeyColumn: 'The first row must contain the column names, including Id or Name.',
  tooManyCells: 'This row has more cells than the first row. Put texts with commas in quotes ("…").'
}

export type TableProduct = ProductFields & { id: string; stock: number | null }

interface Column {
  spec: InputSpec
  name: string
  label: string
  /** As the exported table has it. */
  format: (value: unknown) => string
  read: (text: string, notation: Notation) => Reading
}

export function toTableProduct(product: AdminProduct): TableProduct {
  return { ...toProductFields(product), id: product.id, stock: toLimit(product) }
}

const SPECS: readonly InputSpec[] = [
  field('text', 'id', 'Id'),
  ...PRODUCT_FIELDS.filter(({ kind, name }) => kind !== 'own' && name !== 'cookedToOrder'),
  field('own', 'collections', 'Collections')
]

export const COLUMNS: readonly Column[] = SPECS.map(spec => ({
  spec,
  name: spec.name,
  label: spec.label,
  format: value => formatCell(spec, value),
  read: (text, notation) => {
    if (text === '' && spec.name in EMPTY_VALUES) return { value: EMPTY_VALUES[spec.name] }
    if (spec.name !== 'collections') return readCell(spec, text, notation)
    return { value: [...new Set(splitCell(toCode(text), '|'))].sort() }
  }
}))

export function labelOf(name: string): string {
  return COLUMNS.find(column => column.name === name)?.label ?? name
}

export function formatColumn({ name, format }: Column, product: TableProduct): string {
  return format(readPath(product, name))
}

function formatCell({ kind, name }: InputSpec, value: unknown): string {
  if (name === 'stock' && value === null) return 'unlimited'
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'amount') return Number(value).toFixed(2)
  if (kind === 'datetime') return toIndianDateTime(String(value)).replace('T', ' ')
  if (kind === 'boolean') return value === true ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(kind === 'own' ? '|' : '; ') : String(value)
}

const EMPTY_VALUES: Readonly<Record<string, unknown>> = {
  ...PRODUCT_DEFAULTS,
  'sale.price': null,
  'family.position': undefined,
  stock: undefined
}

export function writeTable(products: readonly AdminProduct[]): string {
  const rows = products
    .map(toTableProduct)
    .map(product => COLUMNS.map(column => formatColumn(column, product)))
  return writeCsv([COLUMNS.map(({ label }) => label), ...rows])
}

export interface TableCell extends Reading {
  column: Column
  text: string
}

export interface TableRow {
  line: number
  cells: TableCell[]
  problem?: string | undefined
}

export interface Table {
  rows: TableRow[]
  ignored: string[]
  questions: ImportQuestion[]
}

export function readTable(
  { separator, header, rows }: CsvFile,
  answers: Answers,
  known: readonly AdminProduct[]
): Table {
  const products = new Map(known.map(product => [product.id, toTableProduct(product)]))
  const columns = header.map(name =>
    COLUMNS.find(({ label }) => label.toLowerCase() === toSearchText(name))
  )
  const given = columns.filter(column => column !== undefined)
  if (!given.some(({ name }) => name === 'id' || name === 'name'))
    throw invalidFile(texts.noKeyColumn)
  const repeated = given.find((column, index) => given.indexOf(column) < index)
  if (repeated) throw invalidFile(`Two columns are named “${repeated.label}”. Delete one of them.`)
  const read = rows.map(({ line, problem, cells }) => {
    const hasMore = cells.slice(header.length).some(cell => cell !== '')
    return {
      line,
      problem: problem ?? (hasMore ? texts.tooManyCells : undefined),
      cells: columns.flatMap((column, index) =>
        column ? [{ column, text: cells[index] ?? '' }] : []
      )
    }
  })
  const fileCells = read.flatMap(({ line, cells }) => {
    const id = cells.find(({ column }) => column.name === 'id')?.text ?? ''
    const stored = products.get(toCode(id))
    return cells.map(({ column: { name, spec }, text }) => ({
      line,
      spec,
      text,
      stored: readPath(stored, name)
    }))
  })
  const { notation, questions } = findNotation(fileCells, separator, answers)
  return {
    questions,
    ignored: header.filter((name, index) => name !== '' && !columns[index]),
    rows: read.map(row => ({
      ...row,
      cells: row.cells.map(cell => ({ ...cell, ...cell.column.read(cell.text, notation) }))
    }))
  }
}
