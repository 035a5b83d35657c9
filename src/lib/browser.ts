/** Replaces `crypto.randomUUID`, which browsers only offer on HTTPS pages and on localhost. */
export function createUuid(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte, index) => {
    const withVersion = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return withVersion.toString(16).padStart(2, '0')
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map(bytes => bytes.join(''))
    .join('-')
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

export function logFailure(message: string, error: unknown): void {
  console.warn(message, error)
}

export function whenIdle(action: () => void): void {
  const waitForIdle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(action)
    else setTimeout(action)
  }
  if (document.readyState === 'complete') waitForIdle()
  else addEventListener('load', waitForIdle, { once: true })
}

type DraftName =
  'notice' | 'login' | 'profile' | 'sent-code' | 'checkout' | 'checkout-key' | 'paying' | 'product' | 'post' | 'deal'

const PERSONAL_DRAFTS: readonly DraftName[] = [
  'login',
  'profile',
  'sent-code',
  'checkout',
  'checkout-key',
  'paying',
  'product',
  'post',
  'deal'
]

export function saveDraft(name: DraftName, draft: object | undefined): void {
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft))
    else sessionStorage.removeItem(name)
  } catch {
    return
  }
}

export function readDraft<Draft extends object>(name: DraftName): Partial<Record<keyof Draft, unknown>> | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return typeof draft === 'object' && draft !== null ? draft : undefined
  } catch {
    return undefined
  }
}

export function clearDrafts(): void {
  for (const name of PERSONAL_DRAFTS) saveDraft(name, undefined)
}
