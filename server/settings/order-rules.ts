import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText } from '#lib/checkout/order-rules.ts'
import { isClosedOn, reopeningText } from '#lib/closed-days.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import type { Paise } from '#lib/money.ts'
import { toDayInIndia } from '#lib/time.ts'

export type OrderSettings = Pick<Settings['orders'], 'closed' | 'minimumOrder'>

/** Throws SHOP_CLOSED with the day on which the shop takes orders again. */
export function requireOpen({ closed }: OrderSettings, now: number): void {
  if (!isClosedOn(closed, toDayInIndia(now))) return
  throw new ShopError('SHOP_CLOSED', { message: `${CHECKOUT_MESSAGES.shopClosed}. ${reopeningText(closed)}` })
}

/** Throws BELOW_MINIMUM_ORDER. */
export function requireMinimum({ minimumOrder }: OrderSettings, total: Paise): void {
  const missing = findMissingText(total, minimumOrder)
  if (missing !== undefined) throw new ShopError('BELOW_MINIMUM_ORDER', { message: `${missing}.` })
}
