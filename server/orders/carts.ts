import type { CartChange, CartEntry, ServerCart } from '#lib/contract/cart.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { CartRow } from '../platform/db/order-tables.ts'
import { clearCartLines, findCart, saveCart } from './cart-queries.ts'
import type { CheckoutDeps } from './deps.ts'

type CartDeps = Pick<CheckoutDeps, 'database' | 'write' | 'clock'>

export async function readCart({ database }: Pick<CartDeps, 'database'>, userId: string): Promise<ServerCart> {
  const row = await findCart(database.kysely, userId)
  return row ? toCart(row) : { lines: [], version: 0 }
}

/** Throws CART_CHANGED if the version is outdated. */
export async function changeCart(
  { write, clock }: CartDeps,
  userId: string,
  { lines, version }: CartChange
): Promise<ServerCart> {
  const linesJson = JSON.stringify(removeDuplicates(lines))
  const row = await write(trx => saveCart(trx, userId, { lines: linesJson, version, now: isoNow(clock) }))
  if (!row) throw new ShopError('CART_CHANGED')
  return toCart(row)
}

export async function clearCart({ write, clock }: CartDeps, userId: string): Promise<ServerCart> {
  return toCart(await write(trx => clearCartLines(trx, userId, isoNow(clock))))
}

function toCart({ lines, version }: CartRow): ServerCart {
  return { lines: JSON.parse(lines) as CartEntry[], version }
}

function removeDuplicates(lines: readonly CartEntry[]): CartEntry[] {
  const byLine = new Map<string, CartEntry>()
  for (const line of lines) {
    const key = JSON.stringify([line.product, line.dealId])
    const quantity = Math.max(line.quantity, byLine.get(key)?.quantity ?? 0)
    byLine.set(key, { ...line, quantity })
  }
  return [...byLine.values()]
}
