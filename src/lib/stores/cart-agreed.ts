import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import type { CartEntry } from '../contract/cart.ts'

/** The cart on which this browser and the shop last agreed. */
export interface Agreed {
  /** The end of the token: with another session nothing has been agreed yet. */
  session: string
  version: number
  lines: CartEntry[]
  /** Ms since the epoch. */
  at: number
}

const $kept = persistentAtom<Agreed | undefined>('cart-agreed', undefined, {
  encode: JSON.stringify,
  decode: decodeAgreed
})

export const $agreed = readonlyType($kept)

export function keepAgreed(agreed: Agreed): void {
  $kept.set(agreed)
}

/** Nothing of it stays behind when somebody logs out. */
export function forgetAgreed(): void {
  $kept.set(undefined)
}

function decodeAgreed(stored: string): Agreed | undefined {
  try {
    const agreed = JSON.parse(stored) as Partial<Agreed> | null
    const isOne = typeof agreed?.session === 'string' && Number.isInteger(agreed.version) && Array.isArray(agreed.lines)
    return isOne ? (agreed as Agreed) : undefined
  } catch {
    return undefined
  }
}
