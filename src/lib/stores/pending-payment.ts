import type { CartEntry } from '../contract/checkout.ts'
import type { Order } from '../contract/orders.ts'
import { removeOrderedItems } from './cart-orders.ts'
import { syncCart } from './cart-sync.ts'
import { saveDraft, readDraft } from './drafts.ts'
import { $toasts, dismiss } from './toasts.ts'

interface PendingPayment {
  orderId: string
  items: CartEntry[]
}

const DRAFT_NAME = 'paying'

/** Stored in `sessionStorage`, because a phone may discard the tab while a banking app is open. */
export function savePendingPayment(orderId: string, items: CartEntry[]): void {
  saveDraft(DRAFT_NAME, { orderId, items } satisfies PendingPayment)
}

export function clearPendingPayment(): void {
  saveDraft(DRAFT_NAME, undefined)
}

export function findPendingOrderId(): string | undefined {
  const orderId = readDraft<PendingPayment>(DRAFT_NAME)?.orderId
  return typeof orderId === 'string' ? orderId : undefined
}

export function completePendingPayment(order: Order): void {
  const pending = readDraft<PendingPayment>(DRAFT_NAME)
  if (pending?.orderId !== order._id || !Array.isArray(pending.items)) return
  removeOrderedItems(pending.items as CartEntry[])
  clearPendingPayment()
  saveDraft('checkout', undefined)
  void syncCart()
  for (const { id } of $toasts.get()) dismiss(id)
}
