import { ShopError } from '#lib/errors.ts'
import type { Trx } from '../../db/tables.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { hasAdmin } from '../../queries/users.ts'

/**
 * Lets a change take an administrator's rights as long as somebody else has them: one such change after the other, so that
 * of two last administrators who go at once one stays. Throws ShopError LAST_ADMIN, and what the change throws.
 */
export async function ensureAdminRemains<Result>(trx: Trx, change: () => Promise<Result>): Promise<Result> {
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasAdmin(trx))) throw new ShopError('LAST_ADMIN')
  return result
}
