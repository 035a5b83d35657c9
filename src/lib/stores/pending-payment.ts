import { createUuid } from '../browser.ts'
import type { CartEntry } from '../contract/checkout.ts'
import type { Order } from '../contract/orders.ts'
import { removeOrderedItems } from './cart.ts'
import { syncCart } from './cart-sync.ts'
import { readDraft, saveDraft } from './drafts.ts'
import { $toasts, dismiss } from './toasts.ts'

interface PendingPayment {
  orderId: string
  items: CartEntry[]
}

interface StoredKey {
  key: string
  body: string
}

/** Stored in `sessionStorage`, because a phone may discard the tab while a banking app is open. */
export function savePendingPayment(orderId: string, items: CartEntry[]): void {
  saveDraft('paying', { orderId, items } satisfies PendingPayment)
}

export function clearPendingPayment(): void {
  saveDraft('paying', undefined)
}

export function findPendingOrderId(): string | undefined {
  const orderId = readDraft<PendingPayment>('paying')?.orderId
  return typeof orderId === 'string' ? orderId : undefined
}

export function completePendingPayment(order: Order): void {
  const pending = readDraft<PendingPayment>('paying')
  if (pending?.orderId !== order._id || !Array.isArray(pending.items)) return
  removeOrderedItems(pending.items as CartEntry[])
  clearPendingPayment()
  saveDraft('checkout', undefined)
  void syncCart()
  for (const { id } of $toasts.get()) dismiss(id)
}

/** Returns an idempotency key. An unchanged checkout gets the same key again, even after a reload. */
export function getCheckoutKey(checkout: object): string {
  const body = JSON.stringify(checkout)
  const stored = readDraft<StoredKey>('checkout-key')
  if (stored?.body === body && typeof stored.key === 'string') return stored.key
  const key = createUuid()
  saveDraft('checkout-key', { key, body } satisfies StoredKey)
  return key
}

export function clearCheckoutKey(): void {
  saveDraft('checkout-key', undefined)
}
