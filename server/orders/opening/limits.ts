import { checkoutPausedText, firstOrderLimitText } from '#lib/checkout/messages.ts'
import { ShopError } from '#lib/errors.ts'
import { DAY, MINUTE, RESERVATION_TIME } from '#lib/time.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { enforceLimit, limitsPerNetwork, tooManyRequests } from '../../platform/http/limits.ts'
import { toIso } from '../../platform/process/clock.ts'
import { hasPaidOrder, listUnattempted } from '../order-queries.ts'
import { findOrderableProducts, findReservedPacks } from '../stock-queries.ts'
import type { Checkout } from './checkout-input.ts'

interface Opening {
  userId: string
  ip: string
  now: number
}

const MAX_OPENINGS = { account: 10, network: 300 } as const
const OPENING_WINDOW = 10 * MINUTE
/** An account without a paid order may reserve this many packs of a product, or half of the stock if that is more. */
const MIN_FIRST_ORDER_PACKS = 10
/** An account is paused after its reservations without a payment attempt have kept stock for this time in a day. */
const MAX_UNATTEMPTED_TIME = 3 * RESERVATION_TIME
const PAUSE = 30 * MINUTE

async function enforceFirstOrderLimit(trx: Trx, userId: string, checkout: Checkout): Promise<void> {
  const reserved = await findReservedPacks(trx, userId)
  const wanted = new Map<string, number>()
  for (const { product, quantity } of checkout.items) wanted.set(product, (wanted.get(product) ?? 0) + quantity)
  // `reserved` already contains this checkout, `stock` does not yet.
  for (const { id, stock } of (await findOrderableProducts(trx, [...wanted.keys()])).values()) {
    const ownPacks = reserved.get(id) ?? 0
    const stockAfter = stock - (wanted.get(id) ?? 0)
    const limit = Math.max(MIN_FIRST_ORDER_PACKS, Math.floor((stockAfter + ownPacks) / 2))
    if (ownPacks > limit) throw new ShopError('FIRST_ORDER_LIMIT', { message: firstOrderLimitText(limit) })
  }
}

/**
 * The lines of the checkout are saved, but its stock is not reserved yet. A payment without items has no checkout. New
 * accounts are also counted by network, because anyone can create many of them. Throws FIRST_ORDER_LIMIT,
 * TOO_MANY_REQUESTS.
 */
export async function limitOpenings(trx: Trx, { userId, ip, now }: Opening, checkout?: Checkout): Promise<void> {
  const ofAccount = { key: `checkouts of ${userId}`, max: MAX_OPENINGS.account, window: OPENING_WINDOW }
  const ofNetwork = { key: 'checkouts', max: MAX_OPENINGS.network, window: OPENING_WINDOW }
  const isNew = !(await hasPaidOrder(trx, userId))
  if (isNew && checkout) await enforceFirstOrderLimit(trx, userId, checkout)
  await enforceLimit(trx, [ofAccount, ...(isNew ? limitsPerNetwork(ip, ofNetwork) : [])], now)
}

/** Throws TOO_MANY_REQUESTS if the shopper has kept stock for long without trying to pay. */
export async function enforcePause(db: Db, userId: string, now: number): Promise<void> {
  const reservations = await listUnattempted(db, userId, toIso(now - DAY))
  const times = reservations.map(({ created_at, reserved_until, ended_at }) => {
    const end = Date.parse(ended_at ?? reserved_until)
    // If the provider can't be reached, a reservation ends late, which is not the shopper's fault.
    return { end, kept: Math.min(end, Date.parse(reserved_until)) - Date.parse(created_at) }
  })
  const [latest] = times
  if (!latest || times.reduce((sum, { kept }) => sum + kept, 0) < MAX_UNATTEMPTED_TIME) return
  const pausedUntil = latest.end + PAUSE
  if (pausedUntil > now) throw tooManyRequests(pausedUntil - now, checkoutPausedText)
}
