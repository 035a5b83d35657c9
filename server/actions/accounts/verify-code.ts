import { randomUUID } from 'node:crypto'
import type { CodeLogin } from '#lib/contract/accounts.ts'
import type { ShopError } from '#lib/errors.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import { deleteSessionsOf } from '../../queries/sessions.ts'
import { findUser, insertUser, verifyUser } from '../../queries/users.ts'
import type { AccountDeps } from './deps.ts'
import { checkCode } from './codes.ts'
import { hourlyLimit, enforceLimit } from './limits.ts'

/**
 * Does what only the owner of an address may, in the transaction that uses up the code that was mailed there. An address
 * without an account gets one. Throws ShopError INVALID_OTP, OTP_EXPIRED, TOO_MANY_REQUESTS.
 */
export async function verifyCode<Result>(
  { write, clock, codeSecret }: AccountDeps,
  { email, otp }: CodeLogin,
  ip: string,
  then: (trx: Trx, account: UserRow, now: number) => Promise<Result>
): Promise<Result> {
  const now = clock()
  const at = new Date(now).toISOString()
  const outcome = await write(async (trx): Promise<{ refusal: ShopError } | { result: Result }> => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codeTries')], now)
    const refusal = await checkCode(trx, codeSecret, { email, otp }, at)
    if (refusal) return { refusal }
    return { result: await then(trx, await ownerOf(trx, email, at), now) }
  })
  // Only now, since what is thrown inside would give the try back.
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.result
}

async function ownerOf(trx: Trx, email: string, now: string): Promise<UserRow> {
  const made = await insertUser(trx, {
    id: randomUUID(),
    email,
    name: email.slice(0, email.lastIndexOf('@')),
    role: 'user',
    password_hash: null,
    verified_at: now,
    created_at: now
  })
  if (made) return made
  const met = await verifyUser(trx, email, now)
  if (met) await deleteSessionsOf(trx, met.id)
  const known = met ?? (await findUser(trx, email))
  if (!known) throw new Error('An account ended while its owner was met')
  return known
}
