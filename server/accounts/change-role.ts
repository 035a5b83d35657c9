import type { RoleChange } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow, type Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Write } from '../platform/db/write.ts'
import { setRole } from './admin-queries.ts'
import { record, type Actor } from './audit.ts'
import { findLiveUser } from './users.ts'
import { ensureAdminRemains } from './ensure-admin-remains.ts'

interface RoleDeps {
  database: Database
  write: Write
  clock: Clock
}

/** Throws USER_NOT_FOUND, USER_NOT_VERIFIED, LAST_ADMIN, EDIT_CONFLICT. */
export async function changeRole(
  { database, write, clock }: RoleDeps,
  actor: Actor,
  id: string,
  change: RoleChange
): Promise<void> {
  const user = await findLiveUser(database.kysely, id)
  if (!user) throw new ShopError('USER_NOT_FOUND')
  const { from, to } = change
  // A person who registered with somebody else's e-mail address must not become an administrator.
  if (to === 'admin' && user.verified_at === null) throw new ShopError('USER_NOT_VERIFIED')
  await write(trx =>
    ensureAdminRemains(trx, async () => {
      if (!(await setRole(trx, id, change))) {
        if ((await findLiveUser(trx, id))?.role === to) return
        throw new ShopError('EDIT_CONFLICT')
      }
      const action = to === 'admin' ? 'promoted' : 'demoted'
      const [before, after] = [{ role: from }, { role: to }]
      await record(trx, { actor, at: isoNow(clock), kind: 'user', id, action, before, after })
    })
  )
}
