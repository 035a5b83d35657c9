import type { Login } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import type { Safety } from '../../db/write.ts'
import { uncount, clearCounts } from '../../queries/rate-counts.ts'
import { findUser, lockPassword } from '../../queries/users.ts'
import type { AccountDeps } from './deps.ts'
import { passwordLimitByEmail, passwordLimitByIp, enforceLimit } from './limits.ts'

/**
 * Does, in one transaction, what only who knows the password may. The try is counted before anything is compared, however
 * many come at once; whether there is an account makes no difference to what is done until then. Throws ShopError
 * INVALID_CREDENTIALS, TOO_MANY_REQUESTS, UNAVAILABLE.
 */
export async function verifyPassword<Result>(
  { database, write, clock, passwords }: AccountDeps,
  { email, password }: Login,
  ip: string,
  then: (trx: Trx, account: UserRow, now: number) => Promise<Result>,
  safety: Safety = 'synced'
): Promise<Result> {
  const now = clock()
  passwords.expectRoom()
  await write(trx => enforceLimit(trx, [passwordLimitByIp(ip), passwordLimitByEmail(email)], now), 'unsynced')
  const account = await findUser(database.kysely, email)
  const same = await passwords.matches(account?.password_hash, password)
  if (!account || !same) throw new ShopError('INVALID_CREDENTIALS')
  return write(async trx => {
    // It may have been changed, or dropped by the owner of the address, while it was compared.
    if (!(await lockPassword(trx, account))) throw new ShopError('INVALID_CREDENTIALS')
    // Only wrong ones count.
    await uncount(trx, passwordLimitByIp(ip), now)
    await clearCounts(trx, passwordLimitByEmail(email))
    return then(trx, account, now)
  }, safety)
}
