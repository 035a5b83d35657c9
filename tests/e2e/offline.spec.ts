import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

test.use(phone)
test.beforeEach(({ allowedErrors }) => void allowedErrors.push(/net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/))

test.describe('Offline', () => {
  test('an open product page still adds to the cart', async ({ page, context }) => {
    await page.goto(MYSORE_PAK)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .filter({ visible: true })
      .first()
      .tap()
    await expect(page.getByText('Item added to cart')).toBeVisible()
  })

  test('an open product list still filters', async ({ page, context, products }) => {
    const list = new ProductList(page)
    await list.open()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await list.search.fill('pickle')
    const found = products.filter(({ name, description }) => /pickle/i.test(name + description)).length
    await expect.poll(async () => (await list.shownIds()).length).toBe(found)
  })

  test('a contact message is kept and can be sent when back online', async ({ page, context }) => {
    await page.goto(paths.contact)
    await page.getByLabel('Name').fill('Asha')
    await page.getByLabel('Email').fill('asha@example.com')
    await page.getByLabel('Message').fill('Are you open on Pongal?')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    const send = page.getByRole('main').getByRole('button', { name: /^send/i })
    await send.tap()
    await expect(page.getByText(MESSAGES.contactFailed).first()).toBeVisible()
    await expect(page.getByText(MESSAGES.offline).first()).toBeVisible()
    await context.setOffline(false)
    await send.tap()
    await expect(page.getByText(MESSAGES.contactSent).first()).toBeVisible()
  })

  test('a page shows its published price if live prices fail to load', async ({ page, allowedErrors }) => {
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/catalog/live*', route => route.abort())
    await page.goto(MYSORE_PAK)
    await expect(page.getByText('₹180.00').first()).toBeVisible()
    await expect(
      page
        .getByRole('button', { name: /^Add to Cart/ })
        .filter({ visible: true })
        .first()
    ).toBeEnabled()
  })
})
