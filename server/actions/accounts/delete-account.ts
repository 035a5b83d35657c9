import type { Credential, User } from '#lib/contract/accounts.ts'
import type { Trx } from '../../db/tables.ts'
import { deleteCart } from '../../queries/carts.ts'
import { deleteCodesOf } from '../../queries/codes.ts'
import { deleteUnusedDraws, anonymiseOrders } from '../../queries/orders/anonymise.ts'
import { deleteSessionsOf } from '../../queries/sessions.ts'
import { anonymiseUser, findLiveUser, lockUser } from '../../queries/users.ts'
import type { AccountDeps } from './deps.ts'
import { ensureAdminRemains } from './ensure-admin-remains.ts'
import { verifyIdentity } from './verify-identity.ts'

/**
 * Ends an account: what tells who it was is gone, and its address may be registered anew. An order that is still on its
 * way keeps where it goes until it is there. Throws what the proof throws, and ShopError LAST_ADMIN.
 */
export function deleteAccount(deps: AccountDeps, user: User, proof: Credential, ip: string): Promise<void> {
  return verifyIdentity(deps, user, proof, ip, async (trx, { id, email }, now) => {
    const at = new Date(now).toISOString()
    const leave = (): Promise<void> => anonymiseUser(trx, id, at)
    // The rights may have come while the proof was looked at, and must not come now.
    await lockUser(trx, id)
    if (await holdsRights(trx, id)) await ensureAdminRemains(trx, leave)
    else await leave()
    await deleteSessionsOf(trx, id)
    await deleteCart(trx, id)
    await deleteUnusedDraws(trx, id)
    await anonymiseOrders(trx, at)
    await deleteCodesOf(trx, email)
  })
}

async function holdsRights(trx: Trx, id: string): Promise<boolean> {
  return (await findLiveUser(trx, id))?.role === 'admin'
}
