import type { LiveProduct } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { desktop, expect, shopUrl, test as base } from '../support/browser.ts'

type Change = (product: LiveProduct) => LiveProduct

const test = base.extend<{ mockChange: (change: Change) => Promise<void> }>({
  mockChange: async ({ page }, use) =>
    use(async change => {
      const response = await fetch(`${shopUrl()}/api/catalog/live`)
      const { products } = (await response.json()) as { products: LiveProduct[] }
      await page.route('**/api/catalog/live*', route => route.fulfill({ json: { products: products.map(change) } }))
    })
})
test.use(desktop)

const endTime = '2099-01-01T00:00:00.000Z'
const changeOnly =
  (id: string, change: Change): Change =>
  product =>
    product.id === id ? change(product) : product
const removeDeal: Change = ({ deal, ...product }) => product

test.describe('Deals changed since the last publish', () => {
  test('a new deal appears on the product page and links to the deals', async ({ page, mockChange }) => {
    await mockChange(changeOnly('kaju-katli', product => ({ ...product, deal: { percent: 35, endTime } })))
    await page.goto(paths.product('kaju-katli'))
    const banner = page.getByRole('main').getByRole('link', { name: "Up to 35% off with today's flash deal" })
    await expect(banner).toBeVisible()
    await banner.click()
    await expect(page).toHaveURL(paths.deals)
  })

  test('an ended deal disappears from the product page', async ({ page, mockChange }) => {
    await mockChange(changeOnly('mysore-pak', removeDeal))
    await page.goto(paths.product('mysore-pak'))
    await expect(page.getByRole('link', { name: /today's flash deal/ })).toBeHidden()
  })

  test('a new discount percentage appears on the product page and on the product card', async ({
    page,
    mockChange
  }) => {
    await mockChange(changeOnly('mysore-pak', product => ({ ...product, deal: { percent: 45, endTime } })))
    await page.goto(paths.product('mysore-pak'))
    await expect(page.getByRole('link', { name: "Up to 45% off with today's flash deal" })).toBeVisible()
    await page.goto(paths.products)
    const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Mysore Pak', exact: true }) })
    await expect(card).toContainText('Up to 45% off')
  })

  test('an ended deal disappears from the home page', async ({ page, mockChange }) => {
    await mockChange(removeDeal)
    await page.goto(paths.home)
    await expect(page.locator('[data-deal]').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByText(/^Up to \d+% off$/).filter({ visible: true })).toHaveCount(0)
  })
})
