import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  ProductChange,
  ProductDraft,
  type AdminProduct,
  type ImportReport,
  type ImportRequest,
  type ImportRow
} from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { groupBy } from '#lib/group-by.ts'
import { isSaleLower } from '#lib/product.ts'
import { changedFields } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { ZOD_TEXTS } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { readSection } from '../settings/settings.ts'
import { applyChange, fieldsOf, requireProduct, type ChangeContext } from './change-product.ts'
import { requireVerifiedPrices, requireVerifiedSale } from './deep-prices.ts'
import { listAllCollections } from './read-collections.ts'
import {
  findFamilyProblems,
  type Problem,
  SALE_TOO_HIGH,
  toFields,
  toPreviewProduct,
  toProblem,
  toProductValues,
  yesNoProblems
} from './import-fields.ts'
import {
  asEnumValue,
  COLUMNS,
  labelOf,
  readTable,
  type Cells,
  type Table
} from './product-table.ts'
import { type Editor, insertProductDraft } from './products.ts'
import { listIdsByName } from './queries.ts'
import { listAllProducts } from './read-products.ts'

const texts = {
  importCategoryUnknown: 'This category does not exist. Add it under Settings, Categories first.',
  importUnknownId: 'No product has this id. Leave the id empty for a new product.',
  importDuplicate: 'This product is in the file twice.',
  importChanged:
    'The products changed while you were checking. Check the rows again before you import.'
}

/**
 * Other requests are answered between two batches. `npm run bench -- imports` measures how long
 * they wait.
 */
const BATCH_SIZE = 20

/**
 * `basis` is the hash of the preview that the user saw. If `basis` is missing, returns a preview and changes nothing.
 * Throws INVALID_INPUT, EDIT_CONFLICT, VERIFICATION_REQUIRED. Batches that were saved before an EDIT_CONFLICT stay saved.
 */
export async function importProducts(
  deps: DataDeps,
  editor: Editor,
  { csv, basis }: ImportRequest
): Promise<ImportReport> {
  const table = readTable(csv)
  await yieldToEventLoop()
  const products = await listAllProducts(deps.database.kysely)
  await yieldToEventLoop()
  const { categories } = await readSection(deps.database.kysely, 'categories')
  const collections = await listAllCollections(deps.database.kysely)
  const planned = await planImport(products, table, {
    categories: new Map([
      ...categories.map(({ name, label }) => [asEnumValue(label), name] as const),
      ...categories.map(({ name }) => [asEnumValue(name), name] as const)
    ]),
    collections: new Set(collections.map(({ id }) => id))
  })
  const report = createReport(table, planned, basis !== undefined)
  if (basis === undefined) return report
  if (report.basis !== basis) throw new ShopError('EDIT_CONFLICT', { message: texts.importChanged })
  const operations = planned.flatMap(({ operation }) => (operation ? [operation] : []))
  const context = { ...editor, at: isoNow(deps.clock), action: 'imported' }
  for (const operation of operations) await checkPrices(deps.database.kysely, context, operation)
  const knownIds = new Set(products.map(({ id }) => id))
  for (const batch of batchesOf(operations)) {
    for (const id of await applyBatch(deps, context, batch, knownIds)) knownIds.add(id)
  }
  return report
}

/**
 * Before the first batch is saved, because a repeated import would not find the products of the
 * preview.
 */
async function checkPrices(db: Db, context: ImportContext, operation: Operation): Promise<void> {
  if ('draft' in operation) requireVerifiedSale(operation.draft, context)
  else {
    const {
      product,
      change: { version: _version, stock: _stock, ...fields }
    } = operation
    await requireVerifiedPrices(db, product, changedFields(fieldsOf(product), fields), context)
  }
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE)
    yield items.slice(start, start + BATCH_SIZE)
}

/** Returns the ids of new products. */
function applyBatch(
  { write }: DataDeps,
  context: ImportContext,
  operations: readonly Operation[],
  knownIds: ReadonlySet<string>
): Promise<string[]> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const newNames = operations.flatMap(operation =>
      'draft' in operation ? [operation.draft.name] : []
    )
    // Another request may import the same file at the same time.
    const ids = await listIdsByName(trx, newNames)
    if (ids.some(id => !knownIds.has(id)))
      throw new ShopError('EDIT_CONFLICT', { message: texts.importChanged })
    const newIds: string[] = []
    for (const operation of operations) {
      if ('draft' in operation) {
        newIds.push(
          (await insertProductDraft(trx, context, { ...operation.draft, key: randomUUID() })).id
        )
      } else await applyOperation(trx, context, operation)
    }
    return newIds
  })
}

async function applyOperation(
  trx: Trx,
  context: ChangeContext,
  { product, change }: Extract<Operation, { change: object }>
): Promise<void> {
  const isSize = change.family ?? product.family
  // The row of another pack size may have changed the texts that they share.
  const latest = isSize ? await requireProduct(trx, product.id) : product
  await applyChange(trx, context, latest, { ...change, version: latest.version })
}

function createReport(
  { ignored }: Table,
  planned: readonly PlannedRow[],
  isDone: boolean
): ImportReport {
  const rows = planned.map(({ operation: _operation, after: _after, ...row }) => row)
  return {
    rows,
    ignored,
    basis: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
    isDone
  }
}

type ImportContext = ChangeContext & { action: string }

type Operation =
  | { draft: Omit<ProductDraft, 'key'> }
  | { product: AdminProduct; change: ProductChange }

interface PlannedRow extends ImportRow {
  operation?: Operation
  after: AdminProduct | undefined
}

interface Known {
  /** Names by the texts that a cell may have: the name or the label. */
  categories: ReadonlyMap<string, string>
  collections: ReadonlySet<string>
}

const PLACEHOLDER_KEY = '00000000-0000-4000-8000-000000000000'

/**
 * Compares the file with the current products. A row without an id changes the product with the
 * same name. If the product has several pack sizes, or is to have them, the pack size must be the
 * same too.
 */
async function planImport(
  products: readonly AdminProduct[],
  { rows }: Table,
  known: Known
): Promise<readonly PlannedRow[]> {
  const byId = new Map(products.map(product => [product.id, product]))
  const byName = groupBy(products, ({ name }) => name.toLowerCase())
  const plannedIds = new Set<string>()
  const planned: PlannedRow[] = []
  for (const batch of batchesOf(rows)) {
    for (const { line, cells } of batch) {
      const product = cells.id ? byId.get(cells.id) : findByName(byName, cells)
      const identity = product?.id ?? `new ${toIdentity(cells)}`
      planned.push({ line, ...planRow(cells, product, plannedIds.has(identity), known) })
      plannedIds.add(identity)
    }
    await yieldToEventLoop()
  }
  const problems = findFamilyProblems(planned, products)
  return planned.map(row => {
    const found = problems.get(row)
    return found ? { line: row.line, ...errorRow(row, found) } : row
  })
}

function toIdentity({ name = '', family, packValue, packUnit }: Cells): string {
  return family ? `${name.toLowerCase()} ${packValue} ${packUnit}` : name.toLowerCase()
}

function findByName(
  byName: ReadonlyMap<string, AdminProduct[]>,
  { name = '', family, packValue, packUnit }: Cells
): AdminProduct | undefined {
  const named = byName.get(name.toLowerCase()) ?? []
  if (named.length === 1 && !family) return named[0]
  const [product, ...others] = named.filter(
    ({ quantity }) => quantity.value === packValue && quantity.unit === (packUnit ?? quantity.unit)
  )
  return others.length === 0 ? product : undefined
}

function planRow(
  row: Cells,
  product: AdminProduct | undefined,
  isDuplicate: boolean,
  known: Known
): Planned {
  const category = row.category && known.categories.get(asEnumValue(row.category))
  const cells = { ...row, ...(category !== undefined && { category }) }
  if (cells.id && !product)
    return errorRow(cells, [{ label: labelOf('id'), text: texts.importUnknownId }])
  if (isDuplicate)
    return errorRow(cells, [
      { label: labelOf(cells.id ? 'id' : 'name'), text: texts.importDuplicate }
    ])
  if (row.category && category === undefined)
    return errorRow(cells, [{ label: labelOf('category'), text: texts.importCategoryUnknown }])
  if (cells.collections?.some(id => !known.collections.has(id)))
    return errorRow(cells, [
      { label: labelOf('collections'), text: ADMIN_MESSAGES.collectionUnknown }
    ])
  return product ? planChange(product, cells) : planNew(cells)
}

type Planned = Omit<PlannedRow, 'line'>

function planChange(product: AdminProduct, cells: Cells): Planned {
  // A product without a picture must stay hidden.
  const { stock, ...fields } = toFields(
    product.pictures.length === 0 ? { ...cells, hidden: true } : cells,
    product
  )
  const stockChange = { ...(stock !== undefined && { stock: { from: product.stock, to: stock } }) }
  const checked = ProductChange.safeParse(
    { ...fields, ...stockChange, version: product.version },
    ZOD_TEXTS
  )
  const problems = [
    ...yesNoProblems(cells),
    ...(checked.success ? [] : checked.error.issues.map(toProblem))
  ]
  if (!checked.success || problems.length > 0)
    return errorRow({ ...cells, id: product.id }, problems, product.name)
  const change = checked.data
  const after = { ...product, ...toProductValues(change, product) }
  if (!isSaleLower(after))
    return errorRow({ ...cells, id: product.id }, [SALE_TOO_HIGH], product.name)
  const changes = COLUMNS.filter(({ write }) => write(product) !== write(after)).map(
    ({ label, write }) => ({
      label,
      before: write(product),
      after: write(after)
    })
  )
  const row = { id: product.id, name: after.name, changes, problems: [], after }
  return changes.length === 0
    ? { ...row, outcome: 'same' }
    : { ...row, outcome: 'changed', operation: { product, change } }
}

function planNew(cells: Cells): Planned {
  const fixed = { pictures: [], hidden: true, key: PLACEHOLDER_KEY }
  const checked = ProductDraft.safeParse(
    { nameTamil: '', stock: 0, ...toFields(cells), ...fixed },
    ZOD_TEXTS
  )
  const problems = [
    ...yesNoProblems(cells),
    ...(checked.success ? [] : checked.error.issues.map(toProblem))
  ]
  if (!checked.success || problems.length > 0) return errorRow(cells, problems)
  const { key: _, ...draft } = checked.data
  if (!isSaleLower(draft)) return errorRow(cells, [SALE_TOO_HIGH])
  const after = toPreviewProduct(draft)
  const changes = COLUMNS.filter(({ field }) => field !== 'id').map(({ label, write }) => ({
    label,
    before: '',
    after: write(after)
  }))
  return {
    id: '',
    name: draft.name,
    outcome: 'new',
    changes,
    problems: [],
    after,
    operation: { draft }
  }
}

function errorRow(
  { id = '', name }: Pick<Cells, 'id' | 'name'>,
  problems: Problem[],
  fallbackName = ''
): Planned {
  // A problem is shown only once, even if several ingredients have it.
  const unique = problems.filter(
    ({ label, text }, index) =>
      problems.findIndex(other => other.label === label && other.text === text) === index
  )
  return {
    id,
    name: name ?? fallbackName,
    outcome: 'wrong',
    changes: [],
    problems: unique,
    after: undefined
  }
}
