import type { Credential, User } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import type { AccountDeps } from './deps.ts'
import { verifyCode } from './verify-code.ts'
import { verifyPassword } from './verify-password.ts'

/** Does, in one transaction, what a found or stolen phone must not be able to do. Throws what its proof throws. */
export function verifyIdentity<Result>(
  deps: AccountDeps,
  { email }: User,
  { password = '', otp }: Credential,
  ip: string,
  then: (trx: Trx, account: UserRow, now: number) => Promise<Result>
): Promise<Result> {
  return otp === undefined
    ? verifyPassword(deps, { email, password }, ip, then)
    : verifyCode(deps, { email, otp }, ip, then)
}
