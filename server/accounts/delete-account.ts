import type { Credential, User } from '#lib/contract/accounts.ts'
import type { Trx } from '../platform/db/tables.ts'
import { deleteCart } from '../orders/cart-queries.ts'
import { deleteCodesOf } from './code-queries.ts'
import { deleteUnusedDraws, anonymiseOrders } from '../orders/anonymise.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { anonymiseUser, findLiveUser, lockUser } from './users.ts'
import type { AccountDeps } from './deps.ts'
import { ensureAdminRemains } from './ensure-admin-remains.ts'
import { verifyIdentity } from './verify-identity.ts'

/** Keeps the addresses of orders that are not delivered yet. Throws LAST_ADMIN and the errors of verifyIdentity. */
export function deleteAccount(deps: AccountDeps, user: User, credential: Credential, ip: string): Promise<void> {
  return verifyIdentity(deps, user, credential, ip, async (trx, { id, email }, now) => {
    const at = new Date(now).toISOString()
    const anonymise = (): Promise<void> => anonymiseUser(trx, id, at)
    // The account is locked before its role is read, so that the role cannot change until the commit.
    await lockUser(trx, id)
    if (await isAdmin(trx, id)) await ensureAdminRemains(trx, anonymise)
    else await anonymise()
    await deleteSessionsOf(trx, id)
    await deleteCart(trx, id)
    await deleteUnusedDraws(trx, id)
    await anonymiseOrders(trx, at)
    await deleteCodesOf(trx, email)
  })
}

async function isAdmin(trx: Trx, id: string): Promise<boolean> {
  return (await findLiveUser(trx, id))?.role === 'admin'
}
