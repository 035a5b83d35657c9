import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

test.use(phone)
test.beforeEach(({ allowedErrors }) => void allowedErrors.push(/net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/))

test.describe('Offline', () => {
  test('a product can still be added to the cart on an open product page', async ({ page, context }) => {
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

  test('an open product list can still be filtered', async ({ page, context, products }) => {
    const list = new ProductList(page)
    await list.open()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await list.search.fill('pickle')
    const matchCount = products.filter(({ name, description }) => /pickle/i.test(name + description)).length
    await expect.poll(async () => (await list.shownIds()).length).toBe(matchCount)
  })

  test('a contact message stays in the form and can be sent when the network is back', async ({ page, context }) => {
    await page.goto(paths.contact)
    await page.getByLabel('Name').fill('Asha')
    await page.getByLabel('Email').fill('asha@example.com')
    await page.getByLabel('Message').fill('Are you open on Pongal?')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    const sendButton = page.getByRole('main').getByRole('button', { name: /^send/i })
    await sendButton.tap()
    await expect(page.getByText(MESSAGES.contactFailed).first()).toBeVisible()
    await expect(page.getByText(MESSAGES.offline).first()).toBeVisible()
    await context.setOffline(false)
    await sendButton.tap()
    await expect(page.getByText(MESSAGES.contactSent).first()).toBeVisible()
  })

  test('a product page shows its published price if the live prices fail to load', async ({ page, allowedErrors }) => {
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
