import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { desktop, expect, test as base } from '../support/browser.ts'
import { idsByPrice, ProductList, sortedIds } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use(desktop)

const PRICES: Record<string, (price: number) => boolean> = {
  '₹0 - ₹100': price => price <= 100,
  '₹101 - ₹200': price => price >= 101 && price <= 200,
  '₹201 - ₹300': price => price >= 201 && price <= 300,
  '₹301 - ₹500': price => price >= 301 && price <= 500,
  '₹501 - ₹700': price => price >= 501 && price <= 700,
  '₹701+': price => price >= 701
}

test.describe('Product list', () => {
  test('shows every product, cheapest first', async ({ page, list, products }) => {
    await list.open()
    await expect(page.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible()
    await list.expectShown(idsByPrice(products))
  })

  test('has a back link to the previous page', async ({ page, list }) => {
    await page.goto(paths.about)
    await page.getByRole('banner').getByRole('link', { name: 'Products', exact: true }).click()
    await list.waitForHydration()
    await page.getByRole('main').getByRole('link', { name: /back/i }).first().click()
    await expect(page).toHaveURL(paths.about)
  })

  test('shows picture, name and price on a card that links to the product', async ({ page, list, products }) => {
    await list.open()
    const { _id, name, price } = findProduct(products, ({ _id }) => _id === 'mysore-pak')
    const card = list.card(name)
    await expect(card.locator('img')).toBeVisible()
    await expect(card).toContainText(`₹${price.toFixed(2)}`)
    await expect(card.getByRole('button', { name: /^Add to Cart/ })).toBeEnabled()
    await card.getByRole('link').click()
    await expect(page).toHaveURL(paths.product(_id))
  })

  test('disables the buttons of sold-out products', async ({ list, products }) => {
    await list.open()
    for (const { name } of products.filter(({ stock }) => stock === 0)) {
      await expect(list.card(name).getByText('Out of Stock')).toBeVisible()
      await expect(list.card(name).getByRole('button', { name: /^Add to Cart/ })).toBeDisabled()
    }
  })
})

test.describe('Product list: sorting', () => {
  test('sorts by price, ascending and descending, and by rating', async ({ list, products }) => {
    await list.open()
    await list.sort.selectOption('price-high')
    await list.expectShown(sortedIds(products, (a, b) => b.price - a.price))
    await list.sort.selectOption('rating')
    await list.expectShown(sortedIds(products, (a, b) => b.rating - a.rating))
    await list.sort.selectOption('price-low')
    await list.expectShown(idsByPrice(products))
  })
})

test.describe('Product list: filters', () => {
  test('filters by category', async ({ list, products }) => {
    await list.open()
    const labels = {
      Powders: 'powders',
      Savouries: 'savouries',
      Pickles: 'pickles',
      Sweets: 'sweets',
      'Seer Items': 'seer_items'
    }
    for (const [label, name] of Object.entries(labels)) {
      await list.option('Category', label).check()
      await list.expectShown(idsByPrice(products, ({ category }) => category === name))
    }
    await list.option('Category', 'All').check()
    await list.expectShown(idsByPrice(products))
  })

  test('filters by diet', async ({ list, products }) => {
    await list.open()
    for (const [label, diet] of Object.entries({ Vegetarian: 'vegetarian', Vegan: 'vegan' })) {
      await list.option('Dietary', label).check()
      await list.expectShown(idsByPrice(products, ({ dietary }) => dietary === diet))
    }
  })

  test('filters by price range', async ({ list, products }) => {
    await list.open()
    for (const [label, isInRange] of Object.entries(PRICES)) {
      await list.option('Price', label).check()
      await list.expectShown(idsByPrice(products, ({ price }) => isInRange(price)))
    }
  })

  test('searches name and description and ignores case', async ({ list, products }) => {
    await list.open()
    for (const text of ['MURUKKU', 'ghee', '  mySORE   pak ']) {
      const words = text.trim().toLowerCase().split(/\s+/)
      await list.search.fill(text)
      await list.expectShown(
        idsByPrice(products, ({ name, description }) =>
          words.every(word => `${name} ${description}`.toLowerCase().includes(word))
        )
      )
    }
  })

  test('combines filters and removes them one by one', async ({ page, list, products }) => {
    await list.open()
    await list.option('Category', 'Savouries').check()
    await list.option('Dietary', 'Vegan').check()
    await list.option('Price', '₹101 - ₹200').check()
    const isSavoury = (product: Product): boolean => product.category === 'savouries'
    const isVegan = (product: Product): boolean => product.dietary === 'vegan'
    await list.expectShown(idsByPrice(products, p => isSavoury(p) && isVegan(p) && p.price > 100 && p.price <= 200))
    await page.getByRole('button', { name: 'Remove filter: ₹101 - ₹200' }).click()
    await list.expectShown(idsByPrice(products, p => isSavoury(p) && isVegan(p)))
    await page.getByRole('button', { name: 'Remove filter: Savouries' }).click()
    await list.expectShown(idsByPrice(products, isVegan))
  })

  test('shows an empty state with a button that clears the filters', async ({ page, list, products }) => {
    await list.open()
    await list.search.fill('nothing is called this')
    await expect(page.getByText('No products found matching your criteria.')).toBeVisible()
    await list.expectShown([])
    await page
      .getByRole('main')
      .getByRole('button', { name: /clear|reset|show all/i })
      .last()
      .click()
    await list.expectShown(idsByPrice(products))
  })

  test('announces the number of products', async ({ page, list, products }) => {
    await list.open()
    await list.option('Category', 'Pickles').check()
    const count = products.filter(({ category }) => category === 'pickles').length
    await expect(page.getByRole('status').filter({ hasText: `${count} products` })).toBeVisible()
  })
})

function findProduct(products: readonly Product[], matches: (product: Product) => boolean): Product {
  const product = products.find(matches)
  if (!product) throw new Error('The demo catalogue has no such product')
  return product
}
