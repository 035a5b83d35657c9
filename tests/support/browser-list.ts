import type { Locator, Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { expect } from './browser.ts'

export class ProductList {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`${paths.products}${query && `?${query}`}`)
    await this.waitForHydration()
  }

  async waitForHydration(): Promise<void> {
    await expect(this.page.locator('astro-island[ssr]')).toHaveCount(0)
  }

  get search(): Locator {
    return this.page.getByRole('searchbox')
  }

  get sort(): Locator {
    return this.page.getByRole('combobox', { name: /sort/i })
  }

  option(group: 'Category' | 'Dietary' | 'Price', name: string): Locator {
    return this.page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true })
  }

  card(name: string): Locator {
    return this.page.getByRole('article').filter({ has: this.page.getByRole('link', { name, exact: true }) })
  }

  async expectShown(ids: readonly string[]): Promise<void> {
    await expect.poll(() => this.shownIds()).toEqual(ids)
  }

  shownIds(): Promise<string[]> {
    return this.page
      .getByRole('main')
      .getByRole('article')
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.getAttribute('href')?.replace('/products/', '') ?? ''))
  }
}

type Filter = (product: Product) => boolean

/** Returns the ids that the list should show. Products with equal prices are ordered by name. */
export function idsByPrice(products: readonly Product[], filter?: Filter): string[] {
  return sortedIds(products, (a, b) => a.price - b.price, filter)
}

export function sortedIds(
  products: readonly Product[],
  compare: (a: Product, b: Product) => number,
  filter: Filter = () => true
): string[] {
  return products
    .filter(filter)
    .toSorted((a, b) => compare(a, b) || a.name.localeCompare(b.name, 'en'))
    .map(({ _id }) => _id)
}
