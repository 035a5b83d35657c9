/** `crypto.randomUUID` needs HTTPS. */
export function createUuid(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte, index) => {
    const withVersion =
      index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return withVersion.toString(16).padStart(2, '0')
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function focusInMiddle(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

export function setText(root: ParentNode, selector: string, text: string): void {
  for (const target of root.querySelectorAll(selector)) {
    if (target.textContent?.trim() !== text) target.textContent = text
  }
}

export function logFailure(message: string, error: unknown): void {
  console.warn(message, error)
}

export function whenIdle(action: () => void): void {
  const waitForIdle = () => {
    // In ms. A page that moves all the time is never idle.
    if ('requestIdleCallback' in window) requestIdleCallback(action, { timeout: 5000 })
    else setTimeout(action)
  }
  if (document.readyState === 'complete') waitForIdle()
  else addEventListener('load', waitForIdle, { once: true })
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Checks stored data, and replies that may come from a captive portal. */
export function hasTypes(value: unknown, types: Readonly<Record<string, string>>): boolean {
  const fields = value as Partial<Record<string, unknown>> | null | undefined
  return Object.entries(types).every(([name, type]) => typeof fields?.[name] === type)
}

/** Also when the connection is back. */
export function onVisible(action: () => unknown): () => void {
  const handleChange = () => {
    if (document.visibilityState === 'visible') action()
  }
  document.addEventListener('visibilitychange', handleChange)
  addEventListener('online', handleChange)
  return () => {
    document.removeEventListener('visibilitychange', handleChange)
    removeEventListener('online', handleChange)
  }
}

export function repeatWhileVisible(ms: number, action: () => unknown): () => void {
  const timer = setInterval(() => document.visibilityState === 'visible' && action(), ms)
  const stopWatching = onVisible(action)
  return () => {
    clearInterval(timer)
    stopWatching()
  }
}

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
