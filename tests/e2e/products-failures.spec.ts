import { MESSAGES } from '#lib/messages.ts'
import { desktop, expect, test as base } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use(desktop)

test.describe('Product list when the API fails', () => {
  test('keeps the published list and offers a retry after a server error', async ({
    page,
    list,
    products,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 500/)
    await page.route('**/api/products', route => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeVisible()
    expect(await list.shownIds()).toHaveLength(products.length)
    await page.unroute('**/api/products')
    await page
      .getByRole('main')
      .getByRole('button', { name: /again|retry/i })
      .click()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeHidden()
  })

  test('can still be filtered without a network', async ({ page, list, allowedErrors }) => {
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/products', route => route.abort())
    await list.open()
    await expect(page.getByText(MESSAGES.productsFailed)).toBeVisible()
    await list.option('Category', 'Pickles').check()
    expect(await list.shownIds()).toContain('lemon-pickle')
  })

  test('reports a response that is not a list', async ({ page, list }) => {
    await page.route('**/api/products', route => route.fulfill({ json: { products: [] } }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalid)).toBeVisible()
  })

  test('reports a list with invalid products', async ({ page, list }) => {
    await page.route('**/api/products', route => route.fulfill({ json: [{ hello: 'portal' }] }))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalidShort, { exact: true })).toBeVisible()
  })

  test('reports the HTML page of a captive portal (Wi-Fi login)', async ({ page, list }) => {
    const portal = { contentType: 'text/html', body: '<html>Please log in to the Wi-Fi</html>' }
    await page.route('**/api/products', route => route.fulfill(portal))
    await list.open()
    await expect(page.getByText(MESSAGES.productsInvalid)).toBeVisible()
  })
})

test.describe('Product list without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('contains all products', async ({ page, list, products }) => {
    await page.goto('/products')
    expect(await list.shownIds()).toHaveLength(products.length)
    await expect(list.card('Mysore Pak')).toContainText('₹180.00')
  })

  test('offers category links instead of search, filters and sorting', async ({ page, list, products }) => {
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
