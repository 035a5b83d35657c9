import sharp from 'sharp'
import type { Locator, Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { Accounts } from './browser-accounts.ts'
import { startIsolatedShop } from './browser-isolated-shop.ts'
import { expect, test as base } from './browser.ts'
import type { RunningShop } from './server.ts'

export { expect }

export class AdminPages {
  readonly page: Page
  readonly shop: RunningShop

  constructor(page: Page, shop: RunningShop) {
    this.page = page
    this.shop = shop
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path)
    await expect(this.page.locator('astro-island[ssr]')).toHaveCount(0)
  }

  row(name: string): Locator {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('rowheader', { name: new RegExp(`^${name}`) }) })
  }

  price(name: string): Locator {
    return this.page.getByLabel(`Price of ${name}, in rupees`)
  }

  stock(name: string): Locator {
    return this.page.getByLabel(`Stock of ${name}, in packs`)
  }

  field(label: string, form: 'Product' | 'Post' = 'Product'): Locator {
    return this.page.getByRole('form', { name: form }).getByLabel(label, { exact: true })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('button', { name })
  }

  get undo(): Locator {
    return this.page.getByRole('status').filter({ has: this.page.getByRole('button', { name: /^Undo/ }) })
  }

  async fetchProduct(id: string): Promise<Product | undefined> {
    const response = await fetch(`${this.shop.url}/api/products/${id}`)
    return response.ok ? ((await response.json()) as Product) : undefined
  }

  async expectPublished(id: string, text: string): Promise<void> {
    await this.expectPublishedAt(paths.product(id), text)
  }

  async expectPublishedAt(path: string, text: string): Promise<void> {
    const load = async (): Promise<string> => (await fetch(`${this.shop.url}${path}`)).text()
    await expect.poll(load, { timeout: 120_000, intervals: [500] }).toContain(text)
  }
}

export async function makePhoto(
  background: string,
  size = 1200
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const plain = sharp({ create: { width: size, height: size, channels: 3, background } })
  return { name: 'IMG_0042.JPG', mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}

interface WorkerFixtures {
  adminShop: RunningShop
  adminAccounts: Accounts
}

export const test = base.extend<{ admin: AdminPages }, WorkerFixtures>({
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
  baseURL: async ({ adminShop }, use) => use(adminShop.url),
  admin: async ({ page, adminAccounts, adminShop }, use) => {
    await adminAccounts.logIn(page, await adminAccounts.add({ name: 'Meena', role: 'admin' }))
    await use(new AdminPages(page, adminShop))
  }
})
