import { test as base, expect, type Page } from 'playwright/test'
import { toCardProducts, toCards } from '#lib/catalog-filter.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { FlashDeal } from '#lib/contract/promotions.ts'
import { Accounts, type Shopper } from './browser-accounts.ts'
import { AdminPages } from './browser-admin.ts'
import { CheckoutPage } from './browser-checkout.ts'
import { fetchJson, shopData, shopUrl, startIsolatedShop } from './browser-data.ts'
import { FlashDealsPage } from './browser-deals.ts'
import { LoginPage, ProductList, ProfilePage } from './browser-pages.ts'
import type { RunningShop } from './server.ts'

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
  shopper: Shopper
  login: LoginPage
  profile: ProfilePage
  list: ProductList
  flash: FlashDealsPage
  checkout: CheckoutPage
}

interface WorkerFixtures {
  /** The products that have a card: of several pack sizes, only the one that the card shows. */
  products: readonly Product[]
  accounts: Accounts
  /** A second shop for tests that change the catalogue. */
  adminShop: RunningShop
  adminAccounts: Accounts
}

/**
 * All browser tests share these fixtures, because a test with other worker fixtures would restart
 * its worker.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  baseURL: async ({}, use) => use(shopUrl()),

  products: [
    async ({}, use) => {
      const all = await fetchJson<Product[]>('/api/products')
      const cards = new Set(toCards(toCardProducts(all)).map(({ id }) => id))
      await use(all.filter(({ id }) => cards.has(id)))
    },
    { scope: 'worker' }
  ],

  accounts: [
    async ({}, use) => {
      const accounts = new Accounts(shopData())
      await use(accounts)
      await accounts.close()
    },
    { scope: 'worker' }
  ],

  adminShop: [
    async ({}, use) => {
      const shop = await startIsolatedShop()
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker', timeout: 180_000 }
  ],

  adminAccounts: [
    async ({ adminShop }, use) => {
      const accounts = new Accounts(adminShop.dataDir)
      await use(accounts)
      await accounts.close()
    },
    { scope: 'worker' }
  ],

  allowedErrors: async ({}, use) => use([]),

  // Collects the errors of all pages that the test opens. CSP violations are console errors, too.
  context: async ({ context, allowedErrors }, use) => {
    const errors: string[] = []
    context.on('console', message => {
      if (message.type() === 'error')
        errors.push(`console: ${message.text()} (${message.location().url})`)
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

  shopper: async ({ accounts }, use) => use(await accounts.add()),
  login: async ({ page }, use) => use(new LoginPage(page)),
  profile: async ({ page, accounts, shopper }, use) =>
    use(new ProfilePage(page, accounts, shopper)),
  list: async ({ page }, use) => use(new ProductList(page)),
  flash: async ({ page }, use) =>
    use(new FlashDealsPage(page, await fetchJson<FlashDeal[]>('/api/flash-deals'))),
  checkout: async ({ page, accounts, products }, use) =>
    use(new CheckoutPage(page, accounts, products))
})

export const adminTest = test.extend<{ admin: AdminPages }>({
  baseURL: async ({ adminShop }, use) => use(adminShop.url),
  admin: async ({ page, adminAccounts, adminShop }, use) => {
    await adminAccounts.logIn(page, await adminAccounts.add({ name: 'Meena', staff: 'owner' }))
    await use(new AdminPages(page, adminShop))
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
