import type { CartRow } from '../platform/db/order-tables.ts'
import type { Db, Trx } from '../platform/db/tables.ts'

export function findCart(db: Db, userId: string): Promise<CartRow | undefined> {
  return db.selectFrom('carts').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Returns undefined if `version` is outdated. For a new cart, `version` is 0. `now` is ISO. */
export async function saveCart(
  trx: Trx,
  userId: string,
  { lines, version, now }: { lines: string; version: number; now: string }
): Promise<CartRow | undefined> {
  const row: CartRow = { user_id: userId, lines, version: version + 1, updated_at: now }
  return trx
    .insertInto('carts')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet({ lines, version: row.version, updated_at: now })
        .where('carts.version', '=', version)
    )
    .returningAll()
    .executeTakeFirst()
}

/** `now` is ISO. */
export function clearCartLines(trx: Trx, userId: string, now: string): Promise<CartRow> {
  return trx
    .insertInto('carts')
    .values({ user_id: userId, lines: '[]', version: 1, updated_at: now })
    .onConflict(conflict =>
      conflict
        .column('user_id')
        .doUpdateSet(row => ({ lines: '[]', version: row('carts.version', '+', 1), updated_at: now }))
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteCart(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('carts').where('user_id', '=', userId).execute()
}
