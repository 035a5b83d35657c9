import { createHash, randomUUID } from 'node:crypto'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { ImportReport, ImportRequest } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Trx } from '../platform/db/tables.ts'
import { listAllProducts } from './admin-queries.ts'
import type { Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { applyChange, type ProductDeps } from './change-product.ts'
import { insertProductDraft } from './create-product.ts'
import { planImport, type PlannedRow } from './plan-import.ts'
import { readTable, type Table } from './read-table.ts'

interface ImportDeps extends ProductDeps {
  database: Database
}

/**
 * `basis` is the hash of the preview that the user saw. If `basis` is missing, returns a preview and changes nothing.
 * Throws INVALID_INPUT, EDIT_CONFLICT.
 */
export async function importProducts(
  { database, write, clock }: ImportDeps,
  actor: Actor,
  { csv, basis }: ImportRequest
): Promise<ImportReport> {
  const table = readTable(csv)
  if (basis === undefined) return createReport(table, planImport(await listAllProducts(database.kysely), table), false)
  return write(async trx => {
    // The counter is raised first, so that concurrent changes of the catalogue wait for each other.
    await raiseCounter(trx, 'catalog')
    const planned = planImport(await listAllProducts(trx), table)
    const result = createReport(table, planned, true)
    if (result.basis !== basis) throw new ShopError('EDIT_CONFLICT', { message: ADMIN_MESSAGES.importChanged })
    const context = { actor, at: isoNow(clock), action: 'imported' }
    for (const { operation } of planned) await applyOperation(trx, context, operation)
    return result
  })
}

async function applyOperation(
  trx: Trx,
  context: { actor: Actor; at: string; action: string },
  operation: PlannedRow['operation']
): Promise<void> {
  if (!operation) return
  if ('draft' in operation) await insertProductDraft(trx, context, { ...operation.draft, key: randomUUID() })
  else await applyChange(trx, context, operation.product, operation.change)
}

function createReport({ ignored }: Table, planned: readonly PlannedRow[], isDone: boolean): ImportReport {
  const rows = planned.map(({ operation: _, ...row }) => row)
  return { rows, ignored, basis: createHash('sha256').update(JSON.stringify(rows)).digest('hex'), isDone }
}
