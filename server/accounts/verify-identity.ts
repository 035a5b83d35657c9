import type { Credential, User } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import type { AccountDeps } from './deps.ts'
import { verifyCode } from './verify-code.ts'
import { verifyPassword } from './verify-password.ts'

/** Verifies a password or a code. Throws the errors of verifyPassword and verifyCode. */
export function verifyIdentity<Result>(
  deps: AccountDeps,
  { email }: User,
  { password = '', otp }: Credential,
  ip: string,
  onVerified: (trx: Trx, account: UserRow, now: number) => Promise<Result>
): Promise<Result> {
  return otp === undefined
    ? verifyPassword(deps, { email, password }, ip, onVerified)
    : verifyCode(deps, { email, otp }, ip, onVerified)
}
