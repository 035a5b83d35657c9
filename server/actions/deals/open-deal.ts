import { randomUUID } from 'node:crypto'
import type { DealDraft, DiscountedProduct } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { dealOverlapsWith, MESSAGES } from '#lib/messages.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { isoNow, type Clock } from '../../clock.ts'
import type { Write } from '../../db/write.ts'
import { listProducts } from '../../queries/catalog.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { insertDeal, listDealsOf, type DealRow } from '../../queries/deals.ts'
import { toDiscounted } from '../read-public.ts'

/**
 * Opens a deal of a product at the catalogue's price; the same draft again answers the deal that it has made. Throws
 * ShopError INVALID_INPUT for a deal that would be over already, PRODUCT_NOT_FOUND, DEAL_OVERLAPS.
 */
export async function openDeal(
  { write, clock }: { write: Write; clock: Clock },
  actor: Actor,
  { productId, discountPercentage, startTime, endTime }: DealDraft
): Promise<DiscountedProduct> {
  const now = isoNow(clock)
  if (endTime <= now) throw new ShopError('INVALID_INPUT', { fields: { endTime: MESSAGES.dealEndPast } })
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
    const product = (await listProducts(trx)).find(({ id }) => id === productId)
    if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
    const other = (await listDealsOf(trx, productId)).find(deal => deal.ends_at > now && overlap(deal, draft))
    if (other && !isSame(other, draft)) throw overlapping(other)
    if (!other) {
      await insertDeal(trx, draft)
      await record(trx, { actor, at: now, kind: 'deal', id: draft.id, what: 'created', after: remembered(draft) })
    }
    return toDiscounted({ ...(other ?? draft), product })
  })
}

/** A deal as the history of changes has it, by the wire's names. */
export function remembered({ product_id, percent, starts_at, ends_at }: DealRow): object {
  return { productId: product_id, discountPercentage: percent, startTime: starts_at, endTime: ends_at }
}

function overlap(deal: DealRow, draft: DealRow): boolean {
  return deal.starts_at < draft.ends_at && draft.starts_at < deal.ends_at
}

function isSame(deal: DealRow, draft: DealRow): boolean {
  return deal.percent === draft.percent && deal.starts_at === draft.starts_at && deal.ends_at === draft.ends_at
}

function overlapping({ starts_at, ends_at }: DealRow): ShopError {
  const message = dealOverlapsWith(formatDayAndTime(starts_at), formatDayAndTime(ends_at))
  return new ShopError('DEAL_OVERLAPS', { message })
}
