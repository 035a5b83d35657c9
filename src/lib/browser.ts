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
