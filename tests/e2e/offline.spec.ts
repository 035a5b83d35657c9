import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

test.use(phone)
test.beforeEach(({ forgiven }) => void forgiven.push(/net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/))

test.describe('without a network', () => {
  test('an open page goes on selling', async ({ page, context }) => {
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

  test('an open list goes on filtering', async ({ page, context, products }) => {
    const list = new ProductList(page)
    await list.open()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await list.search.fill('pickle')
    const found = products.filter(({ name, description }) => /pickle/i.test(name + description)).length
    await expect.poll(async () => (await list.shown()).length).toBe(found)
  })

  test('a message is not lost, and can be sent when the network is back', async ({ page, context }) => {
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

  test('live prices that can’t be had leave the page as it was published', async ({ page, forgiven }) => {
    forgiven.push(/net::ERR/)
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
