import { randomUUID } from 'node:crypto'
import type { CodeLogin } from '#lib/contract/accounts.ts'
import type { ShopError } from '#lib/errors.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { findUser, insertUser, verifyUser } from './users.ts'
import type { AccountDeps } from './deps.ts'
import { checkCode } from './codes.ts'
import { hourlyLimit, enforceLimit } from './limits.ts'

/** Creates the account if there is none. Throws INVALID_OTP, OTP_EXPIRED, TOO_MANY_REQUESTS. */
export async function verifyCode<Result>(
  { write, clock, codeSecret }: AccountDeps,
  { email, otp }: CodeLogin,
  ip: string,
  onVerified: (trx: Trx, account: UserRow, now: number) => Promise<Result>
): Promise<Result> {
  const now = clock()
  const at = new Date(now).toISOString()
  const outcome = await write(async (trx): Promise<{ error: ShopError } | { result: Result }> => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codeTries')], now)
    const error = await checkCode(trx, codeSecret, { email, otp }, at)
    if (error) return { error }
    return { result: await onVerified(trx, await findOrCreateAccount(trx, email, at), now) }
  })
  // The error is thrown after the commit, because a rollback would also undo the count of this try.
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

async function findOrCreateAccount(trx: Trx, email: string, now: string): Promise<UserRow> {
  const created = await insertUser(trx, {
    id: randomUUID(),
    email,
    name: email.slice(0, email.lastIndexOf('@')),
    role: 'user',
    password_hash: null,
    verified_at: now,
    created_at: now
  })
  if (created) return created
  const verified = await verifyUser(trx, email, now)
  if (verified) await deleteSessionsOf(trx, verified.id)
  const account = verified ?? (await findUser(trx, email))
  if (!account) throw new Error('Account was deleted during code verification')
  return account
}
