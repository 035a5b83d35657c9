import type { Login } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import type { Durability } from '../platform/db/write.ts'
import { undoCount, clearCounts } from '../platform/http/rate-counts.ts'
import { findUser, lockPassword } from './users.ts'
import type { AccountDeps } from './deps.ts'
import { passwordLimitByEmail, passwordLimitByIp, enforceLimit } from './limits.ts'

/** Throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS, UNAVAILABLE. */
export async function verifyPassword<Result>(
  { database, write, clock, passwords }: AccountDeps,
  { email, password }: Login,
  ip: string,
  onVerified: (trx: Trx, account: UserRow, now: number) => Promise<Result>,
  durability: Durability = 'synced'
): Promise<Result> {
  const now = clock()
  passwords.checkCapacity()
  await write(trx => enforceLimit(trx, [passwordLimitByIp(ip), passwordLimitByEmail(email)], now), 'unsynced')
  const account = await findUser(database.kysely, email)
  const isCorrect = await passwords.matches(account?.password_hash, password)
  if (!account || !isCorrect) throw new ShopError('INVALID_CREDENTIALS')
  return write(async trx => {
    // Another request may have changed the password since it was read.
    if (!(await lockPassword(trx, account))) throw new ShopError('INVALID_CREDENTIALS')
    await undoCount(trx, passwordLimitByIp(ip), now)
    await clearCounts(trx, passwordLimitByEmail(email))
    return onVerified(trx, account, now)
  }, durability)
}
