import sharp from 'sharp'
import { expect, type Locator, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'

export class AdminPages {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
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
    const response = await this.page.request.get(`/api/products/${id}`)
    return response.ok() ? ((await response.json()) as Product) : undefined
  }

  /** Fills in the form of a new product, with a picture. */
  async fillProduct(): Promise<void> {
    const values = {
      Name: 'Rava Kesari',
      Price: '150.50',
      Description: 'Semolina roasted in ghee, with saffron.',
      Ingredients: 'Semolina (wheat)\nGhee (milk)',
      'Shelf life': 'Best within 5 days'
    }
    for (const [label, text] of Object.entries(values)) await this.field(label).fill(text)
    await this.field('Category').selectOption('sweets')
    await this.page.getByLabel('Choose pictures').setInputFiles(await makePhoto('#e0a030'))
    const alt = this.page.getByRole('textbox', { name: /^Describe the picture/ })
    await expect(alt).toHaveValue('Rava Kesari', { timeout: 30_000 })
  }

  async expectPublished(path: string, text: string): Promise<void> {
    const load = async (): Promise<string> => (await this.page.request.get(path)).text()
    await expect.poll(load, { timeout: 120_000, intervals: [100] }).toContain(text)
  }
}

export async function makePhoto(
  background: string
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const plain = sharp({ create: { width: 400, height: 400, channels: 3, background } })
  return { name: 'IMG_0042.JPG', mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}
