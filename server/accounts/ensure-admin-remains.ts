import { ShopError } from '#lib/errors.ts'
import type { Trx } from '../platform/db/tables.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { hasAdmin } from './users.ts'

export async function ensureAdminRemains<Result>(trx: Trx, change: () => Promise<Result>): Promise<Result> {
  // Raising the counter locks it, so that two concurrent changes cannot remove the last two administrators.
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasAdmin(trx))) throw new ShopError('LAST_ADMIN')
  return result
}
