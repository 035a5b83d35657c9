import { field, type InputSpec } from '#lib/admin/fields.ts'
import { readPath } from '#lib/admin/field-values.ts'
import { PRODUCT_FIELDS, SHARED_FIELDS, toProductFields } from '#lib/admin/product-fields.ts'
import type { AdminProduct, ImportQuestion, ProductFields } from '#lib/contract/catalog.ts'
import { toCode, toSearchText } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { toLimit } from '#lib/product.ts'
import { formatCell, readCell } from './cells.ts'
import { type CsvFile, invalidFile, writeCsv } from './csv-file.ts'
import { type Answers, type FileCell, findNotation } from './notation.ts'

export type TableProduct = ProductFields & { id: string; stock: number | null }

export function toTableProduct(product: AdminProduct): TableProduct {
  return { ...toProductFields(product), id: product.id, stock: toLimit(product) }
}

export const COLUMNS: readonly InputSpec[] = [
  { kind: 'text', name: 'id', label: 'Id' },
  ...PRODUCT_FIELDS.filter(
    ({ kind, name, translates }) => kind !== 'own' && name !== 'cookedToOrder' && !translates
  ),
  field('own', 'collections', 'Collections'),
  ...PRODUCT_FIELDS.filter(({ translates }) => translates).map(spec => ({
    ...spec,
    label: `${spec.label} (${spec.language ?? ''})`
  }))
]

/** Pictures are not in the table: a product that joins a family gets those of the family. */
export const SHARED_COLUMNS = COLUMNS.filter(({ name }) =>
  SHARED_FIELDS.includes(name.split('.')[0] ?? '')
)

export function labelOf(name: string): string {
  return t(COLUMNS.find(column => column.name === name)?.label ?? name)
}

export function formatColumn(column: InputSpec, product: TableProduct): string {
  return formatCell(column, readPath(product, column.name))
}

export function writeTable(products: readonly AdminProduct[]): string {
  const rows = products
    .map(toTableProduct)
    .map(product => COLUMNS.map(column => formatColumn(column, product)))
  return writeCsv([COLUMNS.map(({ label }) => label), ...rows])
}

export interface TableRow {
  line: number
  cells: FileCell[]
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
    throw invalidFile(
      t(
        'We find no column “Id” or “Name” in this file. ' +
          'Export the products and start from that file.'
      )
    )
  const repeated = given.find((column, index) => given.indexOf(column) < index)
  if (repeated) {
    const { label } = repeated
    throw invalidFile(t('Two columns are named “{label}”. Delete one of them.', { label }))
  }
  const idIndex = columns.findIndex(column => column?.name === 'id')
  const read = rows.map(({ line, problem, cells }): TableRow => {
    const product = products.get(toCode(cells[idIndex] ?? ''))
    const hasMore = cells.slice(header.length).some(cell => cell !== '')
    return {
      line,
      problem:
        problem ??
        (hasMore
          ? t('This row has more cells than the first row. Put texts with commas in quotes ("…").')
          : undefined),
      cells: columns.flatMap((spec, index) => {
        if (!spec) return []
        return { spec, line, text: cells[index] ?? '', stored: readPath(product, spec.name) }
      })
    }
  })
  const fileCells = read.flatMap(({ cells }) => cells)
  const { notation, questions } = findNotation(fileCells, separator, answers)
  return {
    questions,
    ignored: header.filter((name, index) => name !== '' && !columns[index]),
    rows: read.map(row => ({
      ...row,
      cells: row.cells.map(cell => ({ ...cell, ...readCell(cell.spec, cell.text, notation) }))
    }))
  }
}
