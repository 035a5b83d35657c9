import type { Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'
import { NO_PAGE, NO_PRODUCT, NOT_FOUND_STATUS } from '../support/browser-pages.ts'

test.use(phone)

test.describe('an unknown path', () => {
  for (const path of [
    NO_PAGE,
    '/products/a/b/c',
    '/%F0%9F%8D%AC',
    '/blogs/no-such-post',
    '/index.php?x=%3Cscript%3E'
  ]) {
    test(`${path} shows the not-found page with status 404`, async ({ page, forgiven }) => {
      forgiven.push(NOT_FOUND_STATUS)
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expect(page.getByText('404', { exact: true })).toBeVisible()
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
      await page.getByRole('main').locator(`a[href="${paths.home}"]`).tap()
      await expect(page).toHaveURL(paths.home)
    })
  }
})

test.describe('a product without a page', () => {
  test.beforeEach(({ forgiven }) => void forgiven.push(NOT_FOUND_STATUS))

  test("that the shop does not sell: 'Product not found' and the way back", async ({ page }) => {
    const response = await page.goto(NO_PRODUCT)
    expect(response?.status()).toBe(404)
    await expect(page.getByText('Product not found')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Back to Products' }).tap()
    await expect(page).toHaveURL(paths.products)
  })

  test("while the shop can't be asked: 'Failed to load product details' and the way back", async ({
    page,
    forgiven
  }) => {
    forgiven.push(/status of 503/)
    await page.route('**/api/products/*', route => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }))
    await page.goto(NO_PRODUCT)
    await expect(page.getByText('Failed to load product details')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Back to Products' })).toBeVisible()
  })

  test("whose answer is no product: 'Failed to load product details' and the way back", async ({ page }) => {
    for (const json of [{}, null, [], { pictures: [] }]) {
      await page.route('**/api/products/*', route => route.fulfill({ json }))
      await page.goto(NO_PRODUCT)
      await expect(page.getByText('Failed to load product details')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Back to Products' })).toBeVisible()
      await page.unroute('**/api/products/*')
    }
  })

  test('that is sold out says so, and nothing of it can be added', async ({ page, products }) => {
    await answer(page, { ...known(products), _id: 'fresh-sweet', id: 'fresh-sweet', stock: 0 })
    await page.goto(paths.product('fresh-sweet'))
    await expect(page.getByText('Out of Stock').first()).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
    await expect(page.getByRole('spinbutton')).toBeDisabled()
    for (const name of [/decrease/i, /increase/i]) await expect(page.getByRole('button', { name })).toBeDisabled()
  })

  test('of which few are left: the stepper ends there', async ({ page, products }) => {
    await answer(page, { ...known(products), _id: 'fresh-sweet', id: 'fresh-sweet', stock: 2 })
    await page.goto(paths.product('fresh-sweet'))
    await page.getByRole('button', { name: /increase/i }).tap()
    await expect(page.getByRole('spinbutton')).toHaveValue('2')
    await expect(page.getByRole('button', { name: /increase/i })).toBeDisabled()
  })

  test('that was added since the last publish: the live product, ready for the cart', async ({ page, products }) => {
    const fresh = { ...known(products), _id: 'fresh-sweet', id: 'fresh-sweet', name: 'Fresh Sweet', price: 111.5 }
    await answer(page, fresh)
    await page.goto(paths.product('fresh-sweet'))
    await expect(page.getByRole('heading', { level: 1, name: 'Fresh Sweet' })).toBeVisible()
    await expect(page.getByText('₹111.50').first()).toBeVisible()
    await expect(page.getByText('Oops! Page not found')).toBeHidden()
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .tap()
    await expect(page.getByText('Fresh Sweet has been added to your cart.')).toBeVisible()
  })

  test('whose name is a trap is shown as text', async ({ page, products }) => {
    const name = '<img src=x onerror="document.title=1"><b>Bold</b>'
    await answer(page, { ...known(products), _id: 'trap', id: 'trap', name, description: name })
    await page.goto(paths.product('trap'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  })
})

function known(products: readonly Product[]): Product {
  const product = products.find(({ stock }) => stock > 10)
  if (!product) throw new Error('The demo catalogue has no product in stock')
  return product
}

async function answer(page: Page, product: Product): Promise<void> {
  await page.route(`**/api/products/${product.id}`, route => route.fulfill({ json: product }))
}
