import type { Proof, User } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import type { AccountDeps } from './deps.ts'
import { proveCode } from './prove-code.ts'
import { provePassword } from './prove-password.ts'

/** Does, in one transaction, what a found or stolen phone must not be able to do. Throws what its proof throws. */
export function proveOwner<Result>(
  deps: AccountDeps,
  { email }: User,
  { password = '', otp }: Proof,
  ip: string,
  then: (trx: Trx, account: UserRow, now: number) => Promise<Result>
): Promise<Result> {
  return otp === undefined
    ? provePassword(deps, { email, password }, ip, then)
    : proveCode(deps, { email, otp }, ip, then)
}
