import { test as base, expect, type Page } from 'playwright/test'
import { toCardProducts, toCards } from '#lib/catalog/cards.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { Accounts, type Shopper } from './browser-accounts.ts'
import { AdminPages } from './browser-admin.ts'
import { CheckoutPage } from './browser-checkout.ts'
import { copyShop } from './browser-data.ts'
import { LoginPage, ProductList, ProfilePage } from './browser-pages.ts'
import { removeFolder, startShop, type RunningShop } from './server.ts'

export { expect }

// Animations are switched off, except in tests of an animation.
const contextOptions = { reducedMotion: 'reduce' } as const

export const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  contextOptions
}
export const desktop = { viewport: { width: 1280, height: 800 }, contextOptions }

interface TestFixtures {
  /** Console and network errors that the test expects. Any other error fails the test. */
  allowedErrors: RegExp[]
  /** The products that have a card: of several pack sizes, only the one that the card shows. */
  products: readonly Product[]
  shopper: Shopper
  login: LoginPage
  profile: ProfilePage
  list: ProductList
  checkout: CheckoutPage
  /** Logs in an owner. */
  admin: AdminPages
}

interface WorkerFixtures {
  /**
   * The worker's own shop. A test that changes the catalogue changes what no other test looks at,
   * or changes it back.
   */
  shop: RunningShop
  accounts: Accounts
}

/**
 * All browser tests share these fixtures, because a test with other worker fixtures would restart
 * its worker.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    async ({}, use) => {
      const shop = await startShop({ dataDir: copyShop() })
      await use(shop)
      await shop.stop()
      removeFolder(shop.dataDir)
    },
    { scope: 'worker', timeout: 120_000 }
  ],

  accounts: [
    async ({ shop }, use) => {
      const accounts = new Accounts(shop)
      await use(accounts)
      await accounts.close()
    },
    { scope: 'worker' }
  ],

  baseURL: async ({ shop }, use) => use(shop.url),

  allowedErrors: async ({}, use) => use([]),

  // Collects the errors of all pages that the test opens. CSP violations are console errors, too.
  context: async ({ context, allowedErrors, shop }, use) => {
    const errors: string[] = []
    context.on('console', message => {
      if (message.type() === 'error')
        errors.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', thrown => errors.push(`page: ${String(thrown.error())}`))
    // Requests to other hosts fail, because DNS is disabled in the browser.
    context.on('requestfailed', request => {
      const { protocol, hostname } = new URL(request.url())
      if (/^https?:$/.test(protocol) && hostname !== new URL(shop.url).hostname)
        errors.push(`request to another host: ${request.url()}`)
    })
    await use(context)
    expect(errors.filter(error => !allowedErrors.some(pattern => pattern.test(error)))).toEqual([])
  },

  products: async ({ request }, use) => {
    const all = (await (await request.get('/api/products')).json()) as Product[]
    const cards = new Set(toCards(toCardProducts(all)).map(({ id }) => id))
    await use(all.filter(({ id }) => cards.has(id)))
  },

  shopper: async ({ accounts }, use) => use(await accounts.add()),
  login: async ({ page }, use) => use(new LoginPage(page)),
  profile: async ({ page, accounts, shopper }, use) =>
    use(new ProfilePage(page, accounts, shopper)),
  list: async ({ page }, use) => use(new ProductList(page)),
  checkout: async ({ page, accounts }, use) => use(new CheckoutPage(page, accounts)),
  admin: async ({ page, accounts }, use) => {
    await accounts.logIn(page, await accounts.add({ name: 'Meena', staff: 'owner' }))
    await use(new AdminPages(page))
  }
})

export async function waitForScriptsAndFonts(page: Page): Promise<void> {
  await page.waitForLoadState()
  await page.evaluate(async () => {
    // Wait for one frame, because the browser requests the font only then.
    await new Promise(requestAnimationFrame)
    await document.fonts.ready
  })
}
