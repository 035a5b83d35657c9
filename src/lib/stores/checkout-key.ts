import { uuid } from '../uuid.ts'
import { keepDraft, readDraft } from './drafts.ts'

interface Kept {
  key: string
  /** What it was made for. */
  body: string
}

const NAME = 'checkout-key'

/** The same key for the same checkout, a reload in between included, and another one when anything about it changes. */
export function checkoutKey(checkout: object): string {
  const body = JSON.stringify(checkout)
  const kept = readDraft<Kept>(NAME)
  if (kept?.body === body && typeof kept.key === 'string') return kept.key
  const key = uuid()
  keepDraft(NAME, { key, body } satisfies Kept)
  return key
}

/** The shop has another checkout under this key, or is done with it. */
export function renewCheckoutKey(): void {
  keepDraft(NAME, undefined)
}
