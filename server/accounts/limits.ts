import { MAX_PASSWORD_CHANGES_PER_HOUR, MAX_PASSWORD_ATTEMPTS, MAX_PER_IP_AND_HOUR } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { tooManyRequestsText, tooManyPasswordsText } from '#lib/messages.ts'
import { HOUR, PASSWORD_ATTEMPT_WINDOW, SECOND } from '#lib/time.ts'
import type { Trx } from '../platform/db/tables.ts'
import { countAttempt, type Limit } from '../platform/http/rate-counts.ts'

export const MAX_WINDOW = HOUR

export function hourlyLimit(ip: string, action: keyof typeof MAX_PER_IP_AND_HOUR): Limit {
  return { key: `${action} of ${networkOf(ip)}`, max: MAX_PER_IP_AND_HOUR[action], window: HOUR }
}

/** The limit also applies to unknown e-mail addresses. Otherwise it would reveal which accounts exist. */
export function passwordLimitByEmail(email: string): Limit {
  return { key: `passwords for ${email}`, max: MAX_PASSWORD_ATTEMPTS.account, window: PASSWORD_ATTEMPT_WINDOW }
}

export function passwordLimitByIp(ip: string): Limit {
  return { key: `passwords of ${networkOf(ip)}`, max: MAX_PASSWORD_ATTEMPTS.ip, window: PASSWORD_ATTEMPT_WINDOW }
}

export function passwordChangeLimit(userId: string): Limit {
  return { key: `password changes of ${userId}`, max: MAX_PASSWORD_CHANGES_PER_HOUR, window: HOUR }
}

/**
 * Counts one attempt for each limit. If a limit is exceeded, throws TOO_MANY_REQUESTS, which rolls the counts back.
 * `now` is in ms.
 */
export async function enforceLimit(trx: Trx, limits: readonly Limit[], now: number): Promise<void> {
  for (const limit of limits) {
    const wait = await countAttempt(trx, limit, now)
    if (wait !== undefined)
      throw tooManyRequests(wait, limit.window === PASSWORD_ATTEMPT_WINDOW ? tooManyPasswordsText : tooManyRequestsText)
  }
}

export function tooManyRequests(wait: number, message: (seconds: number) => string): ShopError {
  const retryAfter = Math.ceil(wait / SECOND)
  return new ShopError('TOO_MANY_REQUESTS', { retryAfter, message: message(retryAfter) })
}

/**
 * Returns an IPv4 address unchanged, but only the /64 network of an IPv6 address, because one household has a whole /64
 * network.
 */
export function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined) return v4
  const [left = [], right] = ip.split('::').map(part => (part === '' ? [] : part.split(':')))
  const zeros = right ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  return `${[...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':')}::/64`
}
