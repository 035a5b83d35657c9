import type { PasswordChange, Session, User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { updateUser } from './users.ts'
import type { AccountDeps } from './deps.ts'
import { passwordChangeLimit, enforceLimit } from './limits.ts'
import { createSession } from './create-session.ts'
import { verifyIdentity } from './verify-identity.ts'

/** Ends all sessions of the user and starts a new one. Throws UNAUTHORIZED and the errors of verifyIdentity. */
export async function changePassword(
  deps: AccountDeps,
  user: User,
  { password, proof }: PasswordChange,
  ip: string
): Promise<Session> {
  deps.passwords.checkCapacity()
  await deps.write(trx => enforceLimit(trx, [passwordChangeLimit(user._id)], deps.clock()), 'unsynced')
  const password_hash = await deps.passwords.hash(password)
  return verifyIdentity(deps, user, proof, ip, async (trx, { id }, now) => {
    const account = await updateUser(trx, id, { password_hash })
    if (!account) throw new ShopError('UNAUTHORIZED')
    await deleteSessionsOf(trx, id)
    return createSession(trx, account, now)
  })
}
