import { MESSAGES } from '#lib/messages.ts'
import { desktop, expect, test as base } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use(desktop)

test.describe('when the products can’t be read anew', () => {
  test("'Failed to fetch products', with the published list still there and a way to try again", async ({
    page,
    list,
    products,
    forgiven
  }) => {
    forgiven.push(/status of 500/)
    await page.route('**/api/products', route => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeVisible()
    expect(await list.shown()).toHaveLength(products.length)
    await page.unroute('**/api/products')
    await page
      .getByRole('main')
      .getByRole('button', { name: /again|retry/i })
      .click()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeHidden()
  })

  test('without a network', async ({ page, list, forgiven }) => {
    forgiven.push(/net::ERR/)
    await page.route('**/api/products', route => route.abort())
    await list.open()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeVisible()
    await list.choice('Category', 'Pickles').check()
    expect(await list.shown()).toContain('lemon-pickle')
  })

  test("what is no list: 'Invalid data format received from server'", async ({ page, list }) => {
    await page.route('**/api/products', route => route.fulfill({ json: { products: [] } }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalid)).toBeVisible()
  })

  test("a list of something else: 'Invalid data format'", async ({ page, list }) => {
    await page.route('**/api/products', route => route.fulfill({ json: [{ hello: 'portal' }] }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalidShort, { exact: true })).toBeVisible()
  })

  test('a page of a captive portal', async ({ page, list }) => {
    const portal = { contentType: 'text/html', body: '<html>Please log in to the Wi-Fi</html>' }
    await page.route('**/api/products', route => route.fulfill(portal))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalid)).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the list is complete', async ({ page, list, products }) => {
    await page.goto('/products')
    expect(await list.shown()).toHaveLength(products.length)
    await expect(list.card('Mysore Pak')).toContainText('₹180.00')
  })

  test('links by category take the place of search, filters and order', async ({ page, list, products }) => {
    await page.goto('/products#pickles')
    for (const control of [list.search, list.sort]) await expect(control).toBeHidden()
    await expect(page.getByRole('radio')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Add to Cart/ })).toHaveCount(0)
    const pickles = page.locator('#pickles')
    await expect(pickles).toBeInViewport()
    const names = products.filter(({ category }) => category === 'pickles').map(({ name }) => name)
    expect((await pickles.getByRole('link').allTextContents()).toSorted()).toEqual(names.toSorted())
  })
})
