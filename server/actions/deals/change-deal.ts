import { isDeepStrictEqual } from 'node:util'
import type { AdminDeal, DealChange } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import type { Trx } from '../../db/tables.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { findOverlap, listOwnersDeals, updateDeal, type DealRow } from '../../queries/deals.ts'
import { expectFuture, overlapping, remembered, type DealDeps } from './deal-rules.ts'
import { readOwnersDeal } from './owners-deals.ts'

/**
 * Gives a deal that is not over other terms; what shoppers have drawn for it stays theirs. The same change again is
 * answered like the first. Throws ShopError DEAL_NOT_FOUND, EDIT_CONFLICT, DEAL_ENDED, DEAL_OVERLAPS, INVALID_INPUT.
 */
export function changeDeal(
  { write, clock }: DealDeps,
  actor: Actor,
  id: string,
  { version, discountPercentage, startTime, endTime }: DealChange
): Promise<AdminDeal> {
  const now = isoNow(clock)
  return write(async trx => {
    // The counter comes first: who changes the deals at the same time waits here, and then sees this change.
    await raiseCounter(trx, 'catalog')
    const [deal] = await listOwnersDeals(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    const terms = { percent: discountPercentage, starts_at: startTime, ends_at: endTime }
    const draft: DealRow = { id, product_id: deal.product_id, ...terms }
    if (!isDeepStrictEqual(remembered(draft), remembered(deal))) {
      if (version !== deal.version) throw new ShopError('EDIT_CONFLICT')
      await expectPossible(trx, deal, draft, now)
      await updateDeal(trx, draft)
      const sides = { before: remembered(deal), after: remembered(draft) }
      await record(trx, { actor, at: now, kind: 'deal', id, action: 'changed', ...sides })
    }
    return readOwnersDeal(trx, id, now)
  })
}

async function expectPossible(trx: Trx, deal: DealRow, draft: DealRow, now: string): Promise<void> {
  // What was drawn for it would be worth something again, and orders speak of it.
  if (deal.ends_at <= now) throw new ShopError('DEAL_ENDED')
  expectFuture(draft.ends_at, now)
  const other = await findOverlap(trx, draft, now)
  if (other) throw overlapping(other)
}
