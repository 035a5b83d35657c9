import { uuid } from '../uuid.ts'
import { saveDraft, readDraft } from './drafts.ts'

interface StoredKey {
  key: string
  body: string
}

const NAME = 'checkout-key'

/** Idempotency key: the same for the same checkout, even after a reload. */
export function checkoutKey(checkout: object): string {
  const body = JSON.stringify(checkout)
  const stored = readDraft<StoredKey>(NAME)
  if (stored?.body === body && typeof stored.key === 'string') return stored.key
  const key = uuid()
  saveDraft(NAME, { key, body } satisfies StoredKey)
  return key
}

export function clearCheckoutKey(): void {
  saveDraft(NAME, undefined)
}
