import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'

export { expect }

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
export const desktop = { viewport: { width: 1280, height: 800 } }
export const narrowest = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

interface TestFixtures {
  /** Console and network errors that the test expects. Any other error fails the test. */
  allowedErrors: RegExp[]
  seedCart(...lines: unknown[]): Promise<void>
}

interface WorkerFixtures {
  products: readonly Product[]
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  baseURL: async ({}, use) => use(shopUrl()),

  products: [
    async ({}, use) => {
      const response = await fetch(`${shopUrl()}/api/products`)
      await use((await response.json()) as Product[])
    },
    { scope: 'worker' }
  ],

  allowedErrors: async ({}, use) => use([]),

  // Collects the errors of all pages that the test opens. CSP violations are console errors, too.
  context: async ({ context, allowedErrors }, use) => {
    const errors: string[] = []
    context.on('console', message => {
      if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', thrown => errors.push(`page: ${String(thrown.error())}`))
    // Requests to other hosts fail, because DNS is disabled in the browser.
    context.on('requestfailed', request => {
      const { protocol, hostname } = new URL(request.url())
      if (/^https?:$/.test(protocol) && hostname !== new URL(shopUrl()).hostname)
        errors.push(`request to another host: ${request.url()}`)
    })
    await use(context)
    expect(errors.filter(error => !allowedErrors.some(pattern => pattern.test(error)))).toEqual([])
  },

  seedCart: async ({ context }, use) =>
    use(async (...lines) => {
      await context.addInitScript(stored => {
        if (localStorage.getItem('cart') === null) localStorage.setItem('cart', stored)
      }, JSON.stringify(lines))
    })
})

export function shopUrl(): string {
  return process.env['SHOP_URL'] ?? ''
}

export async function axeFindings(page: Page): Promise<string[]> {
  // Legacy mode is three times faster, because axe opens no extra page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(node => `${id}: ${help}: ${node.html.slice(0, 200)}`))
}

export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    scrollTo({ top: 0, behavior: 'instant' })
  })
}

export async function waitForScriptsAndFonts(page: Page): Promise<void> {
  await page.waitForLoadState()
  await page.evaluate(async () => {
    // Wait for one frame, because the browser requests the font only then.
    await new Promise(requestAnimationFrame)
    await document.fonts.ready
  })
}
