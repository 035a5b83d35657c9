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

// `crypto.randomUUID` is missing where the shop is tried out over plain HTTP from another machine.
function uuid(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map(bytes => bytes.join(''))
    .join('-')
}
