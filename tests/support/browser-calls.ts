import type { Page } from 'playwright/test'

export interface Withheld {
  /** How many have come so far. */
  count(): number
  /** Lets them through, and all that follow. */
  release(): void
}

/** Keeps requests of a page waiting: what it shows meanwhile can be looked at for as long as a test likes. */
export async function withhold(page: Page, pattern: string): Promise<Withheld> {
  let count = 0
  let release = (): void => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(pattern, async route => {
    count++
    await released
    await route.continue()
  })
  return { count: () => count, release }
}

/** Fails the test when a page sends any of these. */
export async function refuseCalls(page: Page, pattern: string): Promise<void> {
  await page.route(pattern, route => {
    throw new Error(`Nothing may be sent, and ${route.request().url()} was`)
  })
}
