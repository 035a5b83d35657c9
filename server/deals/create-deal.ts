import { randomUUID } from 'node:crypto'
import type { AdminDeal, DealDraft } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { findAnyProduct } from '../catalog/admin-queries.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findOverlap, insertDeal, type DealRow } from './queries.ts'
import { requireFutureEnd, overlapError, toAuditFields, type DealDeps } from './deal-rules.ts'
import { readAdminDeal } from './admin-deals.ts'

/** Idempotent. Throws INVALID_INPUT, PRODUCT_NOT_FOUND, DEAL_OVERLAPS. */
export async function createDeal(
  { write, clock }: DealDeps,
  actor: Actor,
  { productId, discountPercentage, startTime, endTime }: DealDraft
): Promise<AdminDeal> {
  const now = isoNow(clock)
  requireFutureEnd(endTime, now)
  const draft = {
    id: randomUUID(),
    product_id: productId,
    percent: discountPercentage,
    starts_at: startTime,
    ends_at: endTime
  }
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of the catalogue wait for each other.
    await raiseCounter(trx, 'catalog')
    const product = await findAnyProduct(trx, productId)
    if (product?.hiddenAt !== null) throw new ShopError('PRODUCT_NOT_FOUND')
    const overlap = await findOverlap(trx, draft, now)
    if (overlap && !isSame(overlap, draft)) throw overlapError(overlap)
    if (!overlap) {
      await insertDeal(trx, draft)
      await record(trx, { actor, at: now, kind: 'deal', id: draft.id, action: 'created', after: toAuditFields(draft) })
    }
    return readAdminDeal(trx, (overlap ?? draft).id, now)
  })
}

function isSame(deal: DealRow, draft: DealRow): boolean {
  return deal.percent === draft.percent && deal.starts_at === draft.starts_at && deal.ends_at === draft.ends_at
}
