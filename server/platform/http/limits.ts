import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { isIP, SocketAddress } from 'node:net'
import { ShopError } from '#lib/errors.ts'
import { tooManyRequestsText } from '#lib/messages.ts'
import { DAY, HOUR, SECOND, toIso, type EpochMs } from '#lib/time.ts'
import type { Db, Trx } from '../db/tables.ts'
import { LOSABLE } from '../db/write.ts'

export interface Limit {
  key: string
  max: number
  /** In ms. */
  window: number
  refusal?: (seconds: number) => string
}

interface RequestLimit extends Pick<Limit, 'max' | 'window'> {
  action: string
  userOf?: (request: FastifyRequest) => string
}

/** For the shoppers of one mobile carrier, who may all have the same IPv4 address. */
const MAX_PER_NETWORK_AND_HOUR = {
  codes: 600,
  codeTries: 1200,
  registrations: 600,
  couponCodes: 600
} as const
const MAX_WINDOW = DAY

export function hourlyLimits(ip: string, action: keyof typeof MAX_PER_NETWORK_AND_HOUR): Limit[] {
  return limitsPerNetwork(ip, { key: action, max: MAX_PER_NETWORK_AND_HOUR[action], window: HOUR })
}

/** An attacker can rent a /48 IPv6 network. It may do half as much again as a household's /64. */
export function limitsPerNetwork(ip: string, limit: Limit): Limit[] {
  return networksOf(ip).map((network, index) => ({
    ...limit,
    key: `${limit.key} of ${network}`,
    max: Math.floor(limit.max * (1 + index / 2))
  }))
}

export async function enforceLimit(
  trx: Trx,
  limits: readonly Limit[],
  now: EpochMs
): Promise<void> {
  for (const limit of limits) {
    const wait = await countAttempt(trx, limit, now)
    if (wait !== undefined) throw tooManyRequests(wait, limit.refusal)
  }
}

/** Like `enforceLimit`, but returns false if a limit is exceeded. The counts before it remain. */
export async function countAttempts(
  trx: Trx,
  limits: readonly Limit[],
  now: EpochMs
): Promise<boolean> {
  for (const limit of limits) if ((await countAttempt(trx, limit, now)) !== undefined) return false
  return true
}

/** Counts valid requests only, because it runs after validation. */
export function limitRequests({
  action,
  max,
  window,
  userOf
}: RequestLimit): preHandlerAsyncHookHandler {
  return async request => {
    const app = request.server
    const limit = { key: action, max, window }
    const limits = userOf
      ? [{ ...limit, key: `${action} of ${userOf(request)}` }]
      : limitsPerNetwork(request.ip, limit)
    await app.write(trx => enforceLimit(trx, limits, app.clock()), LOSABLE)
  }
}

export function tooManyRequests(wait: number, message = tooManyRequestsText): ShopError {
  const retryAfter = Math.ceil(wait / SECOND)
  return new ShopError('TOO_MANY_REQUESTS', { retryAfter, message: message(retryAfter) })
}

export function networksOf(ip: string): string[] {
  const address = normalizeAddress(ip)
  if (isIP(address) !== 6) return [address]
  const [left = [], right] = address.split('::').map(part => (part === '' ? [] : part.split(':')))
  const zeros = right ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  const groups = [...left, ...zeros, ...(right ?? [])]
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

export function normalizeAddress(text: string): string {
  const trimmed = text.trim()
  const address =
    /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(.*\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  if (isIP(address) !== 6) return address
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '')
}

/** An attacker can rent many small IPv6 networks. */
export function widestNetworkOf(ip: string): string {
  return networksOf(ip).at(-1) ?? ip
}

async function countAttempt(
  trx: Trx,
  { key, max, window }: Limit,
  now: EpochMs
): Promise<number | undefined> {
  const start = windowStart(window, now)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('rate_counts')
    .values({ key, window_start: toIso(start), count: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet(row => ({ count: row('rate_counts.count', '+', 1) }))
        .where('rate_counts.count', '<', max)
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? undefined : start + window - now
}

export async function isAtLimit(db: Db, limits: readonly Limit[], now: EpochMs): Promise<boolean> {
  const keys = limits.map(({ key }) => key)
  const counts = await db.selectFrom('rate_counts').selectAll().where('key', 'in', keys).execute()
  return limits.some(({ key, max, window }) => {
    const start = toIso(windowStart(window, now))
    return counts.some(row => row.key === key && row.window_start === start && row.count >= max)
  })
}

export async function undoCounts(trx: Trx, limits: readonly Limit[], now: EpochMs): Promise<void> {
  for (const { key, window } of limits)
    await trx
      .updateTable('rate_counts')
      .set(row => ({ count: row('count', '-', 1) }))
      .where('key', '=', key)
      .where('window_start', '=', toIso(windowStart(window, now)))
      .where('count', '>', 0)
      .execute()
}

export async function clearCounts(trx: Trx, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await trx.deleteFrom('rate_counts').where('key', '=', key).execute()
}

export async function deleteOldCounts(trx: Trx, now: EpochMs): Promise<void> {
  const cutoff = toIso(now - MAX_WINDOW)
  await trx.deleteFrom('rate_counts').where('window_start', '<', cutoff).execute()
}

// Windows start at multiples of their length, so that one upsert can count an attempt.
function windowStart(window: number, now: EpochMs) {
  return Math.floor(now / window) * window
}
