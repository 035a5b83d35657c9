import sharp from 'sharp'
import { expect, type Locator, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import type { RunningShop } from './server.ts'

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
    return this.page
      .getByRole('status')
      .filter({ has: this.page.getByRole('button', { name: /^Undo/ }) })
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
    await expect.poll(load, { timeout: 120_000, intervals: [100] }).toContain(text)
  }
}

export async function makePhoto(
  background: string
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const plain = sharp({ create: { width: 400, height: 400, channels: 3, background } })
  return { name: 'IMG_0042.JPG', mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}
