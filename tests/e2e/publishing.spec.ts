import { paths } from '#lib/paths.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { addProduct, startIsolatedShop } from '../support/browser-isolated-shop.ts'
import { NOT_FOUND_STATUS } from '../support/browser-pages.ts'

test.use(desktop)

test.describe('Product added after the last publish', () => {
  test('is shown at its URL immediately and gets a static page later', async ({ page, products, allowedErrors }) => {
    test.setTimeout(240_000)
    allowedErrors.push(NOT_FOUND_STATUS)
    const shop = await startIsolatedShop()
    try {
      const [model] = products
      if (!model) throw new Error('The demo catalogue is empty')
      const pictures = products.slice(0, 6).flatMap(product => product.pictures.slice(0, 1))
      const newProduct = { ...model, id: 'fresh-sweet', name: 'Fresh Sweet', price: 111.5, stock: 20, pictures }
      const productUrl = `${shop.url}${paths.product(newProduct.id)}`
      await addProduct(shop.dataDir, newProduct)
      await expect.poll(async () => (await fetch(`${shop.url}/api/products/${newProduct.id}`)).status).toBe(200)

      const response = await page.goto(productUrl)
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: 'Fresh Sweet' })).toBeVisible()
      await expect(page.getByText('₹111.50').first()).toBeVisible()

      await expect.poll(async () => (await fetch(productUrl)).status, { timeout: 120_000, intervals: [500] }).toBe(200)
      await page.goto(productUrl)
      await expect(page.getByRole('heading', { level: 1, name: 'Fresh Sweet' })).toBeVisible()
      await expect(page.locator('product-gallery [data-thumbnail]')).toHaveCount(4)
    } finally {
      await page.close()
      await shop.stop()
    }
  })
})
