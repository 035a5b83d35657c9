import type { Proof, User } from '#lib/contract/accounts.ts'
import { deleteCodesOf } from '../../queries/codes.ts'
import { deleteSessionsOf } from '../../queries/sessions.ts'
import { anonymiseUser } from '../../queries/users.ts'
import type { AccountDeps } from './deps.ts'
import { proveOwner } from './prove-owner.ts'

/** Ends an account: what tells who it was is gone, and its address may be registered anew. Throws what the proof throws. */
export function deleteAccount(deps: AccountDeps, user: User, proof: Proof, ip: string): Promise<void> {
  return proveOwner(deps, user, proof, ip, async (trx, { id, email }, now) => {
    await anonymiseUser(trx, id, new Date(now).toISOString())
    await deleteSessionsOf(trx, id)
    await deleteCodesOf(trx, email)
  })
}
