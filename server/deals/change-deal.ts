import { isDeepStrictEqual } from 'node:util'
import type { AdminDeal, DealChange } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { Trx } from '../platform/db/tables.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { findOverlap, listAdminDeals, updateDeal, type DealRow } from './queries.ts'
import { requireFutureEnd, overlapError, toAuditFields, type DealDeps } from './deal-rules.ts'
import { readAdminDeal } from './admin-deals.ts'

/** Idempotent. Throws DEAL_NOT_FOUND, EDIT_CONFLICT, DEAL_ENDED, DEAL_OVERLAPS, INVALID_INPUT. */
export function changeDeal(
  { write, clock }: DealDeps,
  actor: Actor,
  id: string,
  { version, discountPercentage, startTime, endTime }: DealChange
): Promise<AdminDeal> {
  const now = isoNow(clock)
  return write(async trx => {
    // Raising the counter locks it, so that concurrent changes of the catalogue wait for each other.
    await raiseCounter(trx, 'catalog')
    const [deal] = await listAdminDeals(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    const terms = { percent: discountPercentage, starts_at: startTime, ends_at: endTime }
    const draft: DealRow = { id, product_id: deal.product_id, ...terms }
    if (!isDeepStrictEqual(toAuditFields(draft), toAuditFields(deal))) {
      if (version !== deal.version) throw new ShopError('EDIT_CONFLICT')
      await requireChangeable(trx, deal, draft, now)
      await updateDeal(trx, draft)
      const [before, after] = [toAuditFields(deal), toAuditFields(draft)]
      await record(trx, { actor, at: now, kind: 'deal', id, action: 'changed', before, after })
    }
    return readAdminDeal(trx, id, now)
  })
}

async function requireChangeable(trx: Trx, deal: DealRow, draft: DealRow, now: string): Promise<void> {
  // Extending an ended deal would make its expired discounts valid again.
  if (deal.ends_at <= now) throw new ShopError('DEAL_ENDED')
  requireFutureEnd(draft.ends_at, now)
  const other = await findOverlap(trx, draft, now)
  if (other) throw overlapError(other)
}
