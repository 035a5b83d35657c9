import type { CartEntry } from '../contract/cart.ts'
import type { Order } from '../contract/orders.ts'
import { takeOut } from './cart-ordered.ts'
import { syncCart } from './cart-sync.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { $toasts, dismiss } from './toasts.ts'

interface Paying {
  orderId: string
  items: CartEntry[]
}

const NAME = 'paying'

/** Remembers which order the provider's window was opened for: phones drop the tab while the bank's app is open. */
export function keepPaying(orderId: string, items: CartEntry[]): void {
  keepDraft(NAME, { orderId, items } satisfies Paying)
}

export function forgetPaying(): void {
  keepDraft(NAME, undefined)
}

/** The order that this tab was paying when it was left. */
export function payingOrder(): string | undefined {
  const orderId = readDraft<Paying>(NAME)?.orderId
  return typeof orderId === 'string' ? orderId : undefined
}

/** Empties cart and form of what was ordered in this tab. A bookmark of an old order leaves today's cart alone. */
export function paid(order: Order): void {
  const paying = readDraft<Paying>(NAME)
  if (paying?.orderId !== order._id || !Array.isArray(paying.items)) return
  takeOut(paying.items as CartEntry[])
  forgetPaying()
  keepDraft('checkout', undefined)
  void syncCart()
  // What led here is old news now, and would lie over the confirmation.
  for (const { id } of $toasts.get()) dismiss(id)
}
