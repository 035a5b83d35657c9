import type { Page } from 'playwright/test'
import type { Product } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'
import { NO_PAGE, NO_PRODUCT, NOT_FOUND_STATUS } from '../support/browser-pages.ts'

test.use(phone)

test.describe('Unknown path', () => {
  for (const path of [
    NO_PAGE,
    '/products/a/b/c',
    '/%F0%9F%8D%AC',
    '/blogs/no-such-post',
    '/index.php?x=%3Cscript%3E'
  ]) {
    test(`${path} shows the not-found page with status 404`, async ({ page, allowedErrors }) => {
      allowedErrors.push(NOT_FOUND_STATUS)
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expect(page.getByText('404', { exact: true })).toBeVisible()
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
      await page.getByRole('main').locator(`a[href="${paths.home}"]`).tap()
      await expect(page).toHaveURL(paths.home)
    })
  }
})

test.describe('Product without a published page', () => {
  test.beforeEach(({ allowedErrors }) => void allowedErrors.push(NOT_FOUND_STATUS))

  test("shows 'Product not found' and a link back if the product does not exist", async ({ page }) => {
    const response = await page.goto(NO_PRODUCT)
    expect(response?.status()).toBe(404)
    await expect(page.getByText('Product not found')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Back to Products' }).tap()
    await expect(page).toHaveURL(paths.products)
  })

  test('shows an error and a link back if the API fails', async ({ page, allowedErrors }) => {
    allowedErrors.push(/status of 503/)
    await page.route('**/api/products/*', route => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }))
    await page.goto(NO_PRODUCT)
    await expect(page.getByText('Failed to load product details')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Back to Products' })).toBeVisible()
  })

  test('shows an error and a link back if the API returns an invalid response', async ({ page }) => {
    for (const json of [{}, null, [], { pictures: [] }]) {
      await page.route('**/api/products/*', route => route.fulfill({ json }))
      await page.goto(NO_PRODUCT)
      await expect(page.getByText('Failed to load product details')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Back to Products' })).toBeVisible()
      await page.unroute('**/api/products/*')
    }
  })

  test('shows a sold-out product with disabled buttons', async ({ page, products }) => {
    await mockProduct(page, { ...findProductInStock(products), _id: 'fresh-sweet', id: 'fresh-sweet', stock: 0 })
    await page.goto(paths.product('fresh-sweet'))
    await expect(page.getByText('Out of Stock').first()).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
    await expect(page.getByRole('spinbutton')).toBeDisabled()
    for (const name of [/decrease/i, /increase/i]) await expect(page.getByRole('button', { name })).toBeDisabled()
  })

  test('limits the quantity to the stock', async ({ page, products }) => {
    await mockProduct(page, { ...findProductInStock(products), _id: 'fresh-sweet', id: 'fresh-sweet', stock: 2 })
    await page.goto(paths.product('fresh-sweet'))
    await page.getByRole('button', { name: /increase/i }).tap()
    await expect(page.getByRole('spinbutton')).toHaveValue('2')
    await expect(page.getByRole('button', { name: /increase/i })).toBeDisabled()
  })

  test('shows a new product and adds it to the cart', async ({ page, products }) => {
    const newProduct = {
      ...findProductInStock(products),
      _id: 'fresh-sweet',
      id: 'fresh-sweet',
      name: 'Fresh Sweet',
      price: 111.5
    }
    await mockProduct(page, newProduct)
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

  test('escapes HTML in the product name', async ({ page, products }) => {
    const name = '<img src=x onerror="document.title=1"><b>Bold</b>'
    await mockProduct(page, { ...findProductInStock(products), _id: 'trap', id: 'trap', name, description: name })
    await page.goto(paths.product('trap'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  })
})

function findProductInStock(products: readonly Product[]): Product {
  const product = products.find(({ stock }) => stock > 10)
  if (!product) throw new Error('The demo catalogue has no product in stock')
  return product
}

async function mockProduct(page: Page, product: Product): Promise<void> {
  await page.route(`**/api/products/${product.id}`, route => route.fulfill({ json: product }))
}
