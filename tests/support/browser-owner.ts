import sharp from 'sharp'
import type { Locator, Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { Accounts } from './browser-accounts.ts'
import { startOwnShop } from './browser-own-shop.ts'
import { expect, test as base } from './browser.ts'
import type { RunningShop } from './server.ts'

export { expect }

/** The owner's pages, in a browser in which the owner is logged in. */
export class OwnersPages {
  readonly page: Page
  readonly shop: RunningShop

  constructor(page: Page, shop: RunningShop) {
    this.page = page
    this.shop = shop
  }

  /** Opens one of the owner's pages and waits until it is alive. */
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

  /** What the bar says that offers to take the last change back. */
  get undo(): Locator {
    return this.page.getByRole('status').filter({ has: this.page.getByRole('button', { name: /^Undo/ }) })
  }

  /** What visitors' programs read of a product. */
  async product(id: string): Promise<Product | undefined> {
    const response = await fetch(`${this.shop.url}/api/products/${id}`)
    return response.ok ? ((await response.json()) as Product) : undefined
  }

  /** The published page of a product, once it says so. */
  async published(id: string, says: string): Promise<void> {
    await this.publishedAt(paths.product(id), says)
  }

  async publishedAt(path: string, says: string): Promise<void> {
    const look = async (): Promise<string> => (await fetch(`${this.shop.url}${path}`)).text()
    await expect.poll(look, { timeout: 120_000, intervals: [500] }).toContain(says)
  }
}

/** A photograph as a phone takes one, with colours of its own. */
export async function photo(
  background: string,
  size = 1200
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const plain = sharp({ create: { width: size, height: size, channels: 3, background } })
  return { name: 'IMG_0042.JPG', mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}

interface OwnShop {
  ownShop: RunningShop
  desk: Accounts
}

export const test = base.extend<{ owner: OwnersPages }, OwnShop>({
  ownShop: [
    async ({}, use) => {
      const shop = await startOwnShop()
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker', timeout: 180_000 }
  ],
  desk: [
    async ({ ownShop }, use) => {
      const accounts = new Accounts(ownShop.dataDir)
      await use(accounts)
      await accounts.close()
    },
    { scope: 'worker' }
  ],
  baseURL: async ({ ownShop }, use) => use(ownShop.url),
  owner: async ({ page, desk, ownShop }, use) => {
    await desk.enter(page, await desk.add({ name: 'Meena', role: 'admin' }))
    await use(new OwnersPages(page, ownShop))
  }
})
