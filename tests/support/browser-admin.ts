import sharp from 'sharp'
import { expect, type Locator, type Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'

export class AdminPages {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(path: string) {
    await this.page.goto(path)
    await expect(this.page.locator('astro-island[ssr]')).toHaveCount(0)
  }

  row(name: string) {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('rowheader', { name: new RegExp(`^${name}`) }) })
  }

  price(name: string) {
    return this.page.getByLabel(`Price of ${name}, in rupees`)
  }

  stock(name: string) {
    return this.page.getByLabel(`Stock of ${name}, in packs`)
  }

  field(label: string, form: 'Product' | 'Post' = 'Product') {
    return this.page.getByRole('form', { name: form }).getByLabel(label, { exact: true })
  }

  button(name: string | RegExp) {
    return this.page.getByRole('main').getByRole('button', { name })
  }

  get undo(): Locator {
    return this.page
      .getByRole('status')
      .filter({ has: this.page.getByRole('button', { name: /^Undo/ }) })
  }

  async fetchProduct(id: string) {
    const response = await this.page.request.get(`/api/products/${id}`)
    return response.ok() ? ((await response.json()) as Product) : undefined
  }

  get pictures(): Locator {
    return this.page.getByLabel(/^Choose from your gallery/)
  }

  /** Fills in the form of a new product, with a picture. */
  async fillProduct() {
    await this.pictures.setInputFiles(await makePhoto('#e0a030'))
    const values = {
      Name: 'Rava Kesari',
      Price: '150.50'
    }
    const more = {
      Description: 'Semolina roasted in ghee, with saffron.',
      Ingredients: 'Semolina (wheat)\nGhee (milk)',
      'Shelf life': 'Best within 5 days'
    }
    for (const [label, text] of Object.entries(values)) await this.field(label).fill(text)
    await this.page.getByRole('radio', { name: 'Sweets' }).check()
    await this.page.locator('summary', { hasText: 'More about it' }).click()
    for (const [label, text] of Object.entries(more)) await this.field(label).fill(text)
  }

  async expectPublished(path: string, text: string) {
    const load = async () => (await this.page.request.get(path)).text()
    await expect.poll(load, { timeout: 120_000, intervals: [100] }).toContain(text)
  }
}

export async function makePhoto(
  background: string
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const plain = sharp({ create: { width: 400, height: 400, channels: 3, background } })
  return { name: 'IMG_0042.JPG', mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}
