import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import type { CartEntry } from '../contract/checkout.ts'

export interface SyncedCart {
  /** Last characters of the token. The synced cart is only used in the same session. */
  session: string
  version: number
  lines: CartEntry[]
  at: number
}

const $state = persistentAtom<SyncedCart | undefined>('cart-agreed', undefined, {
  encode: JSON.stringify,
  decode: decodeSyncedCart
})

export const $syncedCart = readonlyType($state)

export function saveSyncedCart(cart: SyncedCart): void {
  $state.set(cart)
}

export function clearSyncedCart(): void {
  $state.set(undefined)
}

function decodeSyncedCart(stored: string): SyncedCart | undefined {
  try {
    const cart = JSON.parse(stored) as Partial<SyncedCart> | null
    const isValid = typeof cart?.session === 'string' && Number.isInteger(cart.version) && Array.isArray(cart.lines)
    return isValid ? (cart as SyncedCart) : undefined
  } catch {
    return undefined
  }
}
