import { createUuid } from '../uuid.ts'
import { saveDraft, readDraft } from './drafts.ts'

interface StoredKey {
  key: string
  body: string
}

const DRAFT_NAME = 'checkout-key'

/** Returns an idempotency key. An unchanged checkout gets the same key again, even after a reload. */
export function getCheckoutKey(checkout: object): string {
  const body = JSON.stringify(checkout)
  const stored = readDraft<StoredKey>(DRAFT_NAME)
  if (stored?.body === body && typeof stored.key === 'string') return stored.key
  const key = createUuid()
  saveDraft(DRAFT_NAME, { key, body } satisfies StoredKey)
  return key
}

export function clearCheckoutKey(): void {
  saveDraft(DRAFT_NAME, undefined)
}
