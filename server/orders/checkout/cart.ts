import type { CartChange, CartEntry, ServerCart } from '#lib/contract/checkout.ts'
import { ShopError } from '#lib/errors.ts'
import type { CartRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import type { DataDeps } from '../../platform/db/write.ts'
import { isoNow } from '../../platform/process/clock.ts'

export async function readCart(
  { database }: Pick<DataDeps, 'database'>,
  userId: string
): Promise<ServerCart> {
  const carts = database.kysely.selectFrom('carts').selectAll()
  const row = await carts.where('user_id', '=', userId).executeTakeFirst()
  return row ? toCart(row) : { lines: [], version: 0 }
}

/**
 * Ignores the version for a new cart, which gets version 1. Throws CART_CHANGED if the version is
 * outdated.
 */
export async function changeCart(
  { write, clock }: DataDeps,
  userId: string,
  { lines, version }: CartChange
): Promise<ServerCart> {
  const linesJson = JSON.stringify(mergeByLine(lines, (a, b) => Math.max(a, b)))
  const changes = { lines: linesJson, updated_at: isoNow(clock) }
  const row = await write(
    trx =>
      trx
        .insertInto('carts')
        .values({ ...changes, user_id: userId, version: 1 })
        .onConflict(conflict =>
          conflict
            .column('user_id')
            .doUpdateSet({ ...changes, version: version + 1 })
            .where('carts.version', '=', version)
        )
        .returningAll()
        .executeTakeFirst(),
    { shows: 'nothing' }
  )
  if (!row) throw new ShopError('CART_CHANGED')
  return toCart(row)
}

export async function clearCart({ write, clock }: DataDeps, userId: string): Promise<ServerCart> {
  const changes = { lines: '[]', updated_at: isoNow(clock) }
  const row = await write(
    trx =>
      trx
        .insertInto('carts')
        .values({ ...changes, user_id: userId, version: 1 })
        .onConflict(conflict =>
          conflict
            .column('user_id')
            .doUpdateSet(cart => ({ ...changes, version: cart('carts.version', '+', 1) }))
        )
        .returningAll()
        .executeTakeFirstOrThrow(),
    { shows: 'nothing' }
  )
  return toCart(row)
}

function toCart({ lines, version }: CartRow): ServerCart {
  return { lines: JSON.parse(lines) as CartEntry[], version }
}

export async function deleteCart(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('carts').where('user_id', '=', userId).execute()
}

/**
 * Adds up duplicate lines, except those with a drawn discount, which is valid for only one pack.
 */
export function mergeLines(lines: readonly CartEntry[]): CartEntry[] {
  return mergeByLine(lines, (a, b, { dealId }) => (dealId === undefined ? a + b : b))
}

function mergeByLine(
  lines: readonly CartEntry[],
  merge: (earlier: number, later: number, line: CartEntry) => number
): CartEntry[] {
  const byLine = new Map<string, CartEntry>()
  for (const line of lines) {
    const key = JSON.stringify([line.product, line.dealId])
    const earlier = byLine.get(key)
    const quantity = earlier ? merge(earlier.quantity, line.quantity, line) : line.quantity
    byLine.set(key, { ...line, quantity })
  }
  return [...byLine.values()]
}
