import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { toProductFields } from '#lib/admin/product-fields.ts'
import type { ImportReport, ImportRequest } from '#lib/contract/catalog.ts'
import { plural, t, text } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { changedFields } from '../accounts/audit.ts'
import type { Edit, Editor } from '../accounts/records.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { isoNow, toDayInIndia } from '#lib/time.ts'
import { readSection } from '../settings/settings.ts'
import { listAllCollections } from './collections.ts'
import { batchesOf, type Operation, planImport } from './import-plan.ts'
import { asEnumValue } from './cells.ts'
import { readCsv } from './csv-file.ts'
import { readOtherShop } from './other-shops.ts'
import { readTable } from './product-table.ts'
import {
  applyChange,
  insertDraft,
  products,
  requireVerifiedPrices,
  requireVerifiedSale
} from './products.ts'
import { listIdsByName } from './queries.ts'
import { listAllProducts } from './read-products.ts'

const IMPORT_CHANGED = text(
  'The products changed while you were checking. Check the rows again before you import.'
)

const lostLettersText = (count: number) =>
  [
    plural(
      count,
      'Your spreadsheet has replaced letters by “?” in {count} row.',
      'Your spreadsheet has replaced letters by “?” in {count} rows.'
    ),
    t('The shop’s own texts were kept.'),
    t('In Excel, choose the file type “CSV UTF-8 (Comma delimited)” when you save.')
  ].join(' ')

const otherShopText = (name: string, isDone: boolean) =>
  isDone
    ? t(
        'The new products are hidden until they have a picture. Next: open the picture links, ' +
          'save the pictures and add each to its product. The file shows the links again.'
      )
    : t(
        'This is a file of {name}. Its products become new, hidden products. ' +
          'Pictures, tags and SKUs do not come along.',
        { name }
      )

type ImportEdit = Edit & { action: string }

/** `basis`: the hash of the preview that the user saw. Without it, only returns a preview. */
export async function importProducts(
  deps: DataDeps,
  editor: Editor,
  { csv, basis, answers = {} }: ImportRequest
): Promise<ImportReport> {
  const db = deps.database.kysely
  const file = readCsv(csv)
  await yieldToEventLoop()
  const known = await listAllProducts(db)
  await yieldToEventLoop()
  const { categories } = await readSection(db, 'categories')
  const collections = await listAllCollections(db)
  const today = toDayInIndia(deps.clock())
  const shop = readOtherShop(file, { products: known, categories, answers, today })
  const { ignored, ...table } = readTable(shop?.file ?? file, answers, known)
  const questions = [...(shop?.questions ?? []), ...table.questions]
  const isOpen = questions.some(({ answer }) => answer === undefined)
  if (isOpen && basis !== undefined)
    throw new ShopError('INVALID_INPUT', { message: t('Please answer the questions first.') })
  const planned = await planImport(known, isOpen ? [] : table.rows, {
    categories: new Map([
      ...categories.map(({ name, label }) => [asEnumValue(label), name] as const),
      ...categories.map(({ name }) => [asEnumValue(name), name] as const)
    ]),
    collections: new Set(collections.map(({ id }) => id)),
    extras: shop?.extras
  })
  const rows = planned.map(({ operation: _o, after: _a, keepsLetters: _k, ...row }) => row)
  const lostCount = planned.filter(({ keepsLetters }) => keepsLetters).length
  const report = {
    rows,
    questions,
    ignored,
    notes: [
      ...(shop ? [otherShopText(shop.name, basis !== undefined)] : []),
      ...(lostCount > 0 ? [lostLettersText(lostCount)] : [])
    ],
    basis: createHash('sha256')
      .update(JSON.stringify([rows, questions]))
      .digest('hex'),
    isDone: basis !== undefined
  }
  if (basis === undefined) return report
  if (report.basis !== basis) throw new ShopError('EDIT_CONFLICT', { message: t(IMPORT_CHANGED) })
  const operations = planned.flatMap(({ operation }) => operation ?? [])
  const context = { ...editor, at: isoNow(deps.clock), action: 'imported' }
  for (const operation of operations) await checkPrices(db, context, operation)
  const knownIds = new Set(known.map(({ id }) => id))
  for (const batch of batchesOf(operations)) {
    const newIds = await deps.write(trx => applyBatch(trx, context, batch, knownIds))
    for (const id of newIds) knownIds.add(id)
  }
  return report
}

/** Before the first batch: a repeated import would not find the products of the preview. */
async function checkPrices(db: Db, context: ImportEdit, operation: Operation) {
  if ('draft' in operation) return requireVerifiedSale(operation.draft, context)
  const { product, change } = operation
  const changed = changedFields(toProductFields(product), change)
  await requireVerifiedPrices(db, product, changed, context)
}

async function applyBatch(
  trx: Trx,
  context: ImportEdit,
  operations: readonly Operation[],
  knownIds: ReadonlySet<string>
) {
  await raiseCounter(trx, 'catalog')
  const newNames = operations.flatMap(operation =>
    'draft' in operation ? [operation.draft.name] : []
  )
  // Another request may import the same file at the same time.
  const ids = await listIdsByName(trx, newNames)
  if (ids.some(id => !knownIds.has(id)))
    throw new ShopError('EDIT_CONFLICT', { message: t(IMPORT_CHANGED) })
  const newIds: string[] = []
  for (const operation of operations) {
    if ('draft' in operation) {
      newIds.push((await insertDraft(trx, context, { ...operation.draft, key: randomUUID() })).id)
      continue
    }
    const { product, change } = operation
    // The row of another pack size may have changed the texts that they share.
    const isSize = change.family ?? product.family
    const latest = isSize ? await products.require(trx, product.id) : product
    await applyChange(trx, context, latest, { ...change, version: latest.version })
  }
  return newIds
}
