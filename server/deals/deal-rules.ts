import { ShopError } from '#lib/errors.ts'
import { dealOverlapText, MESSAGES } from '#lib/messages.ts'
import { formatDayAndTime } from '#lib/time.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Write } from '../platform/db/write.ts'
import type { DealRow } from './queries.ts'

export interface DealDeps {
  write: Write
  clock: Clock
}

export function requireFutureEnd(endTime: string, now: string): void {
  if (endTime <= now) throw new ShopError('INVALID_INPUT', { fields: { endTime: MESSAGES.dealEndPast } })
}

export function overlapError({ starts_at, ends_at }: DealRow): ShopError {
  const message = dealOverlapText(formatDayAndTime(starts_at), formatDayAndTime(ends_at))
  return new ShopError('DEAL_OVERLAPS', { message })
}

export function toAuditFields({ product_id, percent, starts_at, ends_at }: DealRow): object {
  return { productId: product_id, discountPercentage: percent, startTime: starts_at, endTime: ends_at }
}
