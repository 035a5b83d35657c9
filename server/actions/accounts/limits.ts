import { PASSWORD_CHANGES_PER_HOUR, PASSWORD_TRIES, PER_IP_AND_HOUR } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { tooManyFor, tooManyPasswords } from '#lib/messages.ts'
import { HOUR, PASSWORD_WINDOW, SECOND } from '#lib/time.ts'
import type { Trx } from '../../db/tables.ts'
import { countOnce, type Limit } from '../../queries/rate-counts.ts'

/** In ms. */
export const MAX_WINDOW = HOUR

export function hourlyLimit(ip: string, action: keyof typeof PER_IP_AND_HOUR): Limit {
  return { key: `${action} of ${networkOf(ip)}`, most: PER_IP_AND_HOUR[action], window: HOUR }
}

/** Applies to unknown e-mail addresses too, so that limits don't reveal accounts. */
export function passwordLimitByEmail(email: string): Limit {
  return { key: `passwords for ${email}`, most: PASSWORD_TRIES.account, window: PASSWORD_WINDOW }
}

export function passwordLimitByIp(ip: string): Limit {
  return { key: `passwords of ${networkOf(ip)}`, most: PASSWORD_TRIES.ip, window: PASSWORD_WINDOW }
}

export function passwordChangeLimit(userId: string): Limit {
  return { key: `password changes of ${userId}`, most: PASSWORD_CHANGES_PER_HOUR, window: HOUR }
}

/** Counts for each limit. Throws ShopError TOO_MANY_REQUESTS; the rollback then undoes all counts. `now` in ms. */
export async function enforceLimit(trx: Trx, limits: readonly Limit[], now: number): Promise<void> {
  for (const limit of limits) {
    const wait = await countOnce(trx, limit, now)
    if (wait !== undefined)
      throw tooManyRequests(wait, limit.window === PASSWORD_WINDOW ? tooManyPasswords : tooManyFor)
  }
}

/** `wait` in ms. */
export function tooManyRequests(wait: number, message: (seconds: number) => string): ShopError {
  const retryAfter = Math.ceil(wait / SECOND)
  return new ShopError('TOO_MANY_REQUESTS', { retryAfter, message: message(retryAfter) })
}

/** An IPv6 household has a /64 network, so its addresses count as one. */
export function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined) return v4
  const [left = [], right] = ip.split('::').map(part => (part === '' ? [] : part.split(':')))
  const zeros = right ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  return `${[...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':')}::/64`
}
