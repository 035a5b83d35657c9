import { CHECKOUT_MESSAGES, checkoutPausedText } from '#lib/checkout/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { DAY, MINUTE, UNATTEMPTED_TIME } from '#lib/time.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import {
  countAttempts,
  enforceLimit,
  limitsPerNetwork,
  tooManyRequests,
  type Limit
} from '../../platform/http/limits.ts'
import { toIso } from '../../platform/process/clock.ts'
import { hasPaidOrder, listUnattempted } from '../queries.ts'

interface Opening {
  user: User
  ip: string
  now: number
}

const OPENING_WINDOW = 10 * MINUTE
/** Of all unverified accounts of a network. */
const UNVERIFIED = { key: 'unverified checkouts', max: 60, window: OPENING_WINDOW }
/** Of all verified accounts of a network without a paid order. */
const NEW = { key: 'checkouts', max: 300, window: OPENING_WINDOW }
/**
 * An account is paused after its reservations without a payment attempt have kept stock for this
 * time in a day.
 */
const MAX_UNATTEMPTED_TIME = 3 * UNATTEMPTED_TIME
const PAUSE = 30 * MINUTE

/**
 * Counts an opening. Accounts without a paid order are also counted by network, because anyone can
 * create many. Throws TOO_MANY_REQUESTS, and VERIFICATION_REQUIRED if a verified address is enough
 * to go on.
 */
export async function limitOpenings(trx: Trx, { user, ip, now }: Opening): Promise<void> {
  await enforceLimit(trx, [limitOfAccount(user)], now)
  const ofNetwork = await limitsOfNetwork(trx, user, ip)
  if (user.verified) await enforceLimit(trx, ofNetwork, now)
  else if (!(await countAttempts(trx, ofNetwork, now))) {
    throw verificationRequired()
  }
}

/** Counts an opening that was rolled back together with its count. */
export async function countFailedOpening(trx: Trx, { user, ip, now }: Opening): Promise<void> {
  // Beyond the account's own limit, its requests must not use up that of the network.
  if (!(await countAttempts(trx, [limitOfAccount(user)], now))) return
  await countAttempts(trx, await limitsOfNetwork(trx, user, ip), now)
}

function limitOfAccount({ _id }: User): Limit {
  return { key: `checkouts of ${_id}`, max: 10, window: OPENING_WINDOW }
}

export function verificationRequired(): ShopError {
  return new ShopError('VERIFICATION_REQUIRED', { message: CHECKOUT_MESSAGES.verifyToOrder })
}

async function limitsOfNetwork(trx: Trx, { _id, verified }: User, ip: string): Promise<Limit[]> {
  if (!verified) return limitsPerNetwork(ip, UNVERIFIED)
  return (await hasPaidOrder(trx, _id)) ? [] : limitsPerNetwork(ip, NEW)
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
