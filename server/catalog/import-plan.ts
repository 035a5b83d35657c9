import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { toValue } from '#lib/admin/field-values.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  type AdminProduct,
  type ImportRow,
  ProductChange,
  ProductDraft
} from '#lib/contract/catalog.ts'
import { toSearchText } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import type * as z from 'zod/mini'
import { groupBy } from '#lib/group-by.ts'
import { isSaleLower } from '#lib/product.ts'
import { changedFields } from '../accounts/audit.ts'
import { ZOD_TEXTS } from '../platform/http/validate.ts'
import { asEnumValue } from './cells.ts'
import { type Cells, type Edits, findEdits, mergeTexts, type Problem } from './import-edits.ts'
import type { RowExtras } from './other-shops.ts'
import {
  COLUMNS,
  formatColumn,
  labelOf,
  SHARED_COLUMNS,
  type TableProduct,
  type TableRow,
  toTableProduct
} from './product-table.ts'

/** Other requests are answered between two batches. */
const BATCH_SIZE = 20

export function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE)
    yield items.slice(start, start + BATCH_SIZE)
}

export type Operation =
  | { draft: Omit<ProductDraft, 'key'> }
  | { product: AdminProduct; change: ProductChange }

interface PlannedRow extends ImportRow {
  operation?: Operation
  after: TableProduct | undefined
  keepsLetters?: boolean
}

export interface Known {
  /** Names by the texts that a cell may have: the name or the label. */
  categories: ReadonlyMap<string, string>
  collections: ReadonlySet<string>
  /** By line, of products from another shop. They are always new. */
  extras: ReadonlyMap<number, RowExtras> | undefined
}

const PLACEHOLDER_KEY = '00000000-0000-4000-8000-000000000000'

/** A row without an id changes the product with the same name, and the same pack size. */
export async function planImport(
  products: readonly AdminProduct[],
  rows: readonly TableRow[],
  known: Known
): Promise<readonly PlannedRow[]> {
  const byId = new Map(products.map(product => [product.id, product]))
  const byName = groupBy(products, ({ name }) => toSearchText(name))
  const plannedIds = new Set<string>()
  const planned: PlannedRow[] = []
  for (const batch of batchesOf(rows)) {
    for (const row of batch) {
      const cells = toCells(row)
      const extras = known.extras?.get(row.line)
      if (extras) {
        planned.push({ line: row.line, ...planOther(row, cells, extras, known) })
        continue
      }
      const product = cells.id ? byId.get(cells.id) : findByName(byName, cells)
      const identity = product?.id ?? `new ${toIdentity(cells)}`
      const isDuplicate = plannedIds.has(identity)
      planned.push({ line: row.line, ...planRow(row, cells, product, isDuplicate, known) })
      plannedIds.add(identity)
    }
    await yieldToEventLoop()
  }
  const problems = findFamilyProblems(planned, products.map(toTableProduct))
  return planned.map(row => {
    const found = problems.get(row)
    const { operation: _, ...others } = row
    return found ? { ...others, ...errorRow(row, found) } : row
  })
}

function toIdentity({ name = '', ...cells }: Cells) {
  const size = [cells['quantity.value'], cells['quantity.unit']].join(' ')
  return cells['family.id'] ? `${toSearchText(name)} ${size}` : toSearchText(name)
}

function findByName(
  byName: ReadonlyMap<string, AdminProduct[]>,
  { name = '', ...cells }: Cells
): AdminProduct | undefined {
  const named = byName.get(toSearchText(name)) ?? []
  if (named.length === 1 && !cells['family.id']) return named[0]
  const [product, ...others] = named.filter(
    ({ quantity: { value, unit } }) =>
      value === cells['quantity.value'] && unit === (cells['quantity.unit'] ?? unit)
  )
  return others.length === 0 ? product : undefined
}

function toCells({ cells }: TableRow): Cells {
  return Object.fromEntries(cells.map(({ spec, value }) => [spec.name, value]))
}

type Planned = Omit<PlannedRow, 'line'>

function planOther(row: TableRow, cells: Cells, extras: RowExtras, known: Known): Planned {
  const { skipped, notes, pictures } = extras
  if (skipped === false) return { ...planRow(row, cells, undefined, false, known), notes, pictures }
  return { ...errorRow(cells, []), outcome: 'skipped', notes: [skipped], pictures }
}

function planRow(
  row: TableRow,
  { id, name }: Cells,
  product: AdminProduct | undefined,
  isDuplicate: boolean,
  known: Known
): Planned {
  const named = product ?? { id: id ?? '', name: name ?? '' }
  const problem = (label: string, text: string): Planned => errorRow(named, [{ label, text }])
  if (row.problem) return problem(t('Row'), row.problem)
  if (id && !product)
    return problem('Id', t('No product has this id. Leave the id empty for a new product.'))
  if (isDuplicate) return problem(id ? 'Id' : t('Name'), t('This product is in the file twice.'))
  const edits = findEdits(row, product && toTableProduct(product))
  const { cells, problems } = edits
  const typed = String(cells['category'] ?? '')
  if (typed !== '') {
    cells['category'] = known.categories.get(asEnumValue(typed))
    if (cells['category'] === undefined)
      problems.push({
        label: labelOf('category'),
        text: t('This category does not exist. Add it under Settings, Categories first.')
      })
  }
  const collections = (cells['collections'] ?? []) as readonly string[]
  if (collections.some(collection => !known.collections.has(collection)))
    problems.push({ label: labelOf('collections'), text: ADMIN_MESSAGES.collectionUnknown })
  return product ? planChange(product, edits) : planNew(edits)
}

function planChange(product: AdminProduct, { cells, problems, keepsLetters }: Edits): Planned {
  const before = toTableProduct(product)
  const { stock, ...fields } = toInput(cells, before)
  const request = {
    ...fields,
    ...(stock !== undefined && { stock: { from: product.stock, to: stock } }),
    version: product.version
  }
  const { data: change, error } = ProductChange.safeParse(request, ZOD_TEXTS)
  if (!change || problems.length > 0) return errorRow(product, withIssues(problems, error))
  const { version: _, stock: newStock, ...changed } = change
  const after = {
    ...before,
    ...changedFields(before, changed),
    stock: newStock ? newStock.to : before.stock
  }
  if (!isSaleLower(after)) return errorRow(product, [saleTooHigh()])
  const changes = listChanges(before, after)
  const row = { id: product.id, name: after.name, changes, problems: [], after, keepsLetters }
  if (changes.length === 0) return { ...row, outcome: 'same' }
  return { ...row, outcome: 'changed', operation: { product, change } }
}

function listChanges(before: TableProduct | undefined, after: TableProduct): ImportRow['changes'] {
  return COLUMNS.map(column => ({
    label: t(column.label),
    before: before ? formatColumn(column, before) : '',
    after: formatColumn(column, after)
  })).filter(shown => shown.before !== shown.after)
}

function planNew({ cells, problems }: Edits): Planned {
  const fixed = { pictures: [], key: PLACEHOLDER_KEY }
  const empty = { nameTamil: '', description: '', ingredients: [], shelfLife: '' }
  const request = { ...empty, ...toInput(cells, fixed), ...fixed }
  const { data, error } = ProductDraft.safeParse(request, ZOD_TEXTS)
  if (!data || problems.length > 0) return errorRow(cells, withIssues(problems, error))
  const { key: _, ...draft } = data
  if (!isSaleLower(draft)) return errorRow(cells, [saleTooHigh()])
  const after = { ...draft, id: '' }
  const changes = listChanges(undefined, after)
  const row = { id: '', name: draft.name, changes, problems: [], after }
  return { ...row, outcome: 'new', operation: { draft } }
}

function toInput(
  { id: _, ...cells }: Cells,
  before: Partial<TableProduct> & Pick<TableProduct, 'pictures'>
): Record<string, unknown> {
  const given = Object.entries(cells).filter(([, cell]) => cell !== undefined)
  const { quantity, sale, family, hidden, ...fields } = toValue(Object.fromEntries(given)) as {
    [Name in keyof TableProduct]?: unknown
  }
  const newSale = { from: '', until: '', ...before.sale, ...(sale as object | undefined) }
  const newFamily = { id: '', position: 0, ...before.family, ...(family as object | undefined) }
  // A product without a picture must stay hidden.
  const staysHidden = before.pictures.length === 0
  return {
    ...fields,
    ...mergeTexts(cells, before),
    ...(quantity !== undefined && { quantity: { ...before.quantity, ...(quantity as object) } }),
    ...(sale !== undefined && {
      sale: 'price' in newSale && newSale.price !== null ? newSale : null
    }),
    ...(family !== undefined && { family: newFamily.id === '' ? null : newFamily }),
    ...((staysHidden || hidden !== undefined) && { hidden: staysHidden || hidden })
  }
}

const saleTooHigh = (): Problem => ({
  label: labelOf('sale.price'),
  text: ADMIN_MESSAGES.salePriceTooHigh
})

/** A cell that can't be read is not missing as well. */
function withIssues(problems: Problem[], error: z.core.$ZodError | undefined): Problem[] {
  const missing = (error?.issues ?? []).map(({ path, message }) => {
    const [first = ''] = path.map(String)
    const named = COLUMNS.find(
      ({ name }) => name.includes('.') && `${path.join('.')}.`.startsWith(`${name}.`)
    )
    const column = named ?? COLUMNS.find(({ name }) => name.split('.')[0] === first)
    return { label: t(column?.label ?? first), text: t(message) }
  })
  return [
    ...problems,
    ...missing.filter(({ label }) => problems.every(problem => problem.label !== label))
  ]
}

function errorRow(
  { id = '', name = '' }: Pick<Cells, 'id' | 'name'>,
  problems: Problem[]
): Planned {
  // A problem is shown only once, even if several ingredients have it.
  const unique = problems.filter(
    ({ label, text }, index) =>
      problems.findIndex(other => other.label === label && other.text === text) === index
  )
  return { id, name, changes: [], problems: unique, outcome: 'wrong', after: undefined }
}

const sizeOf = ({ quantity }: TableProduct) => `${quantity.value} ${quantity.unit}`

/** An import changes only rows of the preview: all pack sizes must change shared texts. */
function findFamilyProblems(
  rows: readonly PlannedRow[],
  products: readonly TableProduct[]
): Map<PlannedRow, Problem[]> {
  const imported = new Map(
    rows.flatMap(row => (row.after?.id ? [[row.after.id, row] as const] : []))
  )
  const unlisted = products.filter(({ id }) => !imported.has(id))
  const members = [
    ...rows.flatMap(row => (row.after ? [{ row, after: row.after }] : [])),
    ...unlisted.map(after => ({ row: undefined, after }))
  ]
  const problems = new Map<PlannedRow, Problem[]>()
  for (const [id, sizes] of groupBy(members, ({ after }) => after.family?.id)) {
    if (id === undefined) continue
    for (const { row, after } of sizes) {
      const before = products.find(product => product.id === after.id)
      const isEqual = sizes.some(
        other => other.after !== after && sizeOf(other.after) === sizeOf(after)
      )
      if (!row || !isEqual || (before?.family?.id === id && sizeOf(before) === sizeOf(after)))
        continue
      problems.set(row, [{ label: labelOf('quantity.value'), text: ADMIN_MESSAGES.sizeExists }])
    }
    const base = products.find(({ family }) => family?.id === id) ?? sizes[0]?.after
    for (const column of SHARED_COLUMNS) {
      if (!base || new Set(sizes.map(({ after }) => formatColumn(column, after))).size === 1)
        continue
      for (const { row, after } of sizes) {
        if (!row || formatColumn(column, after) === formatColumn(column, base)) continue
        problems.set(row, [
          ...(problems.get(row) ?? []),
          {
            label: t(column.label),
            text: t('All pack sizes of “{id}” share this. Write the same in all their rows.', {
              id
            })
          }
        ])
      }
    }
  }
  return problems
}
