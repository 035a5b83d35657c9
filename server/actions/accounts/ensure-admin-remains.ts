import { ShopError } from '#lib/errors.ts'
import type { Trx } from '../../db/tables.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { hasAdmin } from '../../queries/users.ts'

/** Serialised, so that the last two admins can't both leave. Throws ShopError LAST_ADMIN. */
export async function ensureAdminRemains<Result>(trx: Trx, change: () => Promise<Result>): Promise<Result> {
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasAdmin(trx))) throw new ShopError('LAST_ADMIN')
  return result
}
