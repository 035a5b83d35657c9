import { ShopError } from '#lib/errors.ts'
import type { Trx } from '../../db/tables.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { hasAdmin } from '../../queries/users.ts'

export async function ensureAdminRemains<Result>(trx: Trx, change: () => Promise<Result>): Promise<Result> {
  // The counter is raised first, so that concurrent changes wait for each other and the last two admins cannot both go.
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasAdmin(trx))) throw new ShopError('LAST_ADMIN')
  return result
}
