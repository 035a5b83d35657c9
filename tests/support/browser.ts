import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'

export { expect }

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
export const desktop = { viewport: { width: 1280, height: 800 } }
export const narrowest = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

interface TestFixtures {
  /** Errors that the test causes on purpose: what they say. Anything else on the console fails the test. */
  allowedErrors: RegExp[]
  /** Puts lines into the cart before the first page is opened, as an earlier visit would have. */
  seedCart(...lines: unknown[]): Promise<void>
}

interface WorkerFixtures {
  /** The catalogue as the API has it. */
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

  // Every page of the test, not only the first: a second tab may fail as well. A broken Content-Security-Policy shows
  // up on the console, and so does a request that leaves the shop.
  context: async ({ context, allowedErrors }, use) => {
    const errors: string[] = []
    context.on('console', message => {
      if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', thrown => errors.push(`page: ${String(thrown.error())}`))
    // No name of another host is known to the browser, so whatever is sent there fails.
    context.on('requestfailed', request => {
      const { protocol, hostname } = new URL(request.url())
      if (/^https?:$/.test(protocol) && hostname !== new URL(shopUrl()).hostname)
        errors.push(`left the shop: ${request.url()}`)
    })
    await use(context)
    expect(errors.filter(trouble => !allowedErrors.some(pattern => pattern.test(trouble)))).toEqual([])
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

/** What axe finds by WCAG 2.2 AA and its own best practices, in words a report can show. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Without a page of its own for the results, and without details of what is well: a third of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(node => `${id}: ${help}: ${node.html.slice(0, 200)}`))
}

/** Scrolls through the page, so that whatever waits for the view is there. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    scrollTo({ top: 0, behavior: 'instant' })
  })
}

/** Waits until a page that opens with a picture has opened, and its headings have their font. */
export async function waitForOpening(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute('data-deferred')
  await page.evaluate(async () => {
    // Asked for when the page is drawn anew, which a frame later it is.
    await new Promise(requestAnimationFrame)
    await document.fonts.ready
  })
}
