import { PASSWORD_CHANGES, PASSWORD_TRIES, PER_IP_AND_HOUR } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { tooManyFor, tooManyPasswords } from '#lib/messages.ts'
import { HOUR, PASSWORD_WINDOW, SECOND } from '#lib/time.ts'
import type { Trx } from '../../db/tables.ts'
import { countOnce, type Limit } from '../../queries/rate-counts.ts'

/** The longest window of all limits, in ms. */
export const MAX_WINDOW = HOUR

/** What one internet address may do within an hour. */
export function hourlyLimit(ip: string, what: keyof typeof PER_IP_AND_HOUR): Limit {
  return { key: `${what} of ${networkOf(ip)}`, most: PER_IP_AND_HOUR[what], window: HOUR }
}

/** Wrong passwords for one account, whether there is one or not. */
export function passwordLimitByEmail(email: string): Limit {
  return { key: `passwords for ${email}`, most: PASSWORD_TRIES.account, window: PASSWORD_WINDOW }
}

/** Wrong passwords from one internet address. */
export function passwordLimitByIp(ip: string): Limit {
  return { key: `passwords of ${networkOf(ip)}`, most: PASSWORD_TRIES.ip, window: PASSWORD_WINDOW }
}

/** Each costs as much as a login, right or wrong. */
export function passwordChangeLimit(userId: string): Limit {
  return { key: `password changes of ${userId}`, most: PASSWORD_CHANGES, window: HOUR }
}

/** Counts once more for each limit, or for none: throws ShopError TOO_MANY_REQUESTS when one is reached. `now` in ms. */
export async function enforceLimit(trx: Trx, limits: readonly Limit[], now: number): Promise<void> {
  for (const limit of limits) {
    const wait = await countOnce(trx, limit, now)
    if (wait !== undefined) throw tooMany(wait, limit.window === PASSWORD_WINDOW ? tooManyPasswords : tooManyFor)
  }
}

/** `wait` in ms. */
export function tooMany(wait: number, saying: (seconds: number) => string): ShopError {
  const retryAfter = Math.ceil(wait / SECOND)
  return new ShopError('TOO_MANY_REQUESTS', { retryAfter, message: saying(retryAfter) })
}

/** Whose address it is: with IPv6 a household has 2⁶⁴ of them, which all begin alike. */
export function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined) return v4
  const [left = [], right] = ip.split('::').map(part => (part === '' ? [] : part.split(':')))
  const zeros = right ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  return `${[...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':')}::/64`
}
