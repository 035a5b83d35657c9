import { createUuid } from '../browser.ts'
import { areEntries } from '../cart/entries.ts'
import type { CartEntry } from '../contract/checkout.ts'
import { readDraft, saveDraft } from './storage.ts'

// Stored, because a phone may discard the tab while a banking app is open.

interface PendingPayment {
  orderId: string
  items: CartEntry[]
}

export function savePendingPayment(pending: PendingPayment | undefined): void {
  saveDraft('paying', undefined)
  // The history survives a reload, too.
  if (!saveDraft('paying', pending) || 'paying' in (history.state ?? {}))
    history.replaceState({ ...history.state, paying: pending }, '')
}

export function readPendingPayment(): PendingPayment | undefined {
  const { paying } = (history.state ?? {}) as { paying?: PendingPayment }
  const { orderId, items } = readDraft<PendingPayment>('paying') ?? paying ?? {}
  return typeof orderId === 'string' && areEntries(items) ? { orderId, items } : undefined
}

export function clearPendingPayment(orderId: string | undefined): void {
  if (readPendingPayment()?.orderId === orderId) savePendingPayment(undefined)
}

/** The same for an unchanged checkout, even after a reload. */
export function getCheckoutKey(checkout: object): string {
  const body = JSON.stringify(checkout)
  const stored = readDraft<{ key: string; body: string }>('checkout-key')
  const key = stored?.body === body && typeof stored.key === 'string' ? stored.key : createUuid()
  saveDraft('checkout-key', { key, body })
  return key
}

export function clearCheckoutKey(): void {
  saveDraft('checkout-key', undefined)
}
