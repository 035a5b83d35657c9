import { ShopError } from '#lib/errors.ts'
import { dealOverlapsWith, MESSAGES } from '#lib/messages.ts'
import { formatDayAndTime } from '#lib/time.ts'
import type { Clock } from '../../clock.ts'
import type { Write } from '../../db/write.ts'
import type { DealRow } from '../../queries/deals.ts'

export interface DealDeps {
  write: Write
  clock: Clock
}

/** A deal that would be over already is none. Both are ISO. Throws ShopError INVALID_INPUT. */
export function expectFuture(endTime: string, now: string): void {
  if (endTime <= now) throw new ShopError('INVALID_INPUT', { fields: { endTime: MESSAGES.dealEndPast } })
}

/** A product has one deal at a time. */
export function overlapping({ starts_at, ends_at }: DealRow): ShopError {
  const message = dealOverlapsWith(formatDayAndTime(starts_at), formatDayAndTime(ends_at))
  return new ShopError('DEAL_OVERLAPS', { message })
}

/** A deal as the history of changes has it, by the wire's names. */
export function remembered({ product_id, percent, starts_at, ends_at }: DealRow): object {
  return { productId: product_id, discountPercentage: percent, startTime: starts_at, endTime: ends_at }
}
