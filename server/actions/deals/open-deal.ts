import { randomUUID } from 'node:crypto'
import type { AdminDeal, DealDraft } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import { findAnyProduct } from '../../queries/admin/products.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { findOverlap, insertDeal, type DealRow } from '../../queries/deals.ts'
import { expectFuture, overlapping, remembered, type DealDeps } from './deal-rules.ts'
import { readOwnersDeal } from './owners-deals.ts'

/**
 * Opens a deal of a product at the catalogue's price; the same draft again answers the deal that it has made. Throws
 * ShopError INVALID_INPUT for a deal that would be over already, PRODUCT_NOT_FOUND, DEAL_OVERLAPS.
 */
export async function openDeal(
  { write, clock }: DealDeps,
  actor: Actor,
  { productId, discountPercentage, startTime, endTime }: DealDraft
): Promise<AdminDeal> {
  const now = isoNow(clock)
  expectFuture(endTime, now)
  const draft = {
    id: randomUUID(),
    product_id: productId,
    percent: discountPercentage,
    starts_at: startTime,
    ends_at: endTime
  }
  return write(async trx => {
    // The counter comes first: who opens another deal at the same time waits here, and then sees this one.
    await raiseCounter(trx, 'catalog')
    const product = await findAnyProduct(trx, productId)
    if (product?.hiddenAt !== null) throw new ShopError('PRODUCT_NOT_FOUND')
    const other = await findOverlap(trx, draft, now)
    if (other && !isSame(other, draft)) throw overlapping(other)
    if (!other) {
      await insertDeal(trx, draft)
      await record(trx, { actor, at: now, kind: 'deal', id: draft.id, action: 'created', after: remembered(draft) })
    }
    return readOwnersDeal(trx, (other ?? draft).id, now)
  })
}

function isSame(deal: DealRow, draft: DealRow): boolean {
  return deal.percent === draft.percent && deal.starts_at === draft.starts_at && deal.ends_at === draft.ends_at
}
