import { INVOICE, MY_ORDERS, paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { expect, LADDU, test as base } from '../support/browser-checkout.ts'
import { toast } from '../support/browser-login.ts'

/** Somebody who has just bought a pack of sambar powder. */
const test = base.extend<{ bought: void }>({
  bought: async ({ checkout, shopper }, use) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.placed()
    await use()
  }
})
test.describe.configure({ timeout: 60_000 })

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`My Orders at ${width} px`, () => {
    test.use(device)

    test('shows an order with its status, its way, its details and its invoice', async ({
      page,
      checkout,
      bought: _
    }) => {
      await page.goto(paths.orders)
      const card = page.getByRole('article')
      await expect(card).toContainText('Pending')
      await expect(card.getByRole('list', { name: 'Progress' }).getByRole('listitem')).toHaveCount(3)
      await card.getByText('Details').click()
      await expect(card).toContainText('4 Rockfort Road')
      await expect(card).toContainText('Paid')
      await card.getByRole('link', { name: /^Invoice/ }).click()
      const invoice = page.getByRole('article', { name: 'Invoice' })
      await expect(invoice).toContainText('Rupees One Hundred Sixty Only')
      await expect(invoice).toContainText('FSSAI')
      const [order] = await checkout.orders()
      await expect(invoice).toContainText(order?.invoiceNumber ?? 'an invoice number')
    })
  })
}

test.describe('My Orders', () => {
  test.use(desktop)

  test('an order that may be cancelled is, once it was confirmed, and the money goes back', async ({
    page,
    checkout,
    bought: _
  }) => {
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Cancel order/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: /^Cancel order/ })).toBeFocused()
    await page.getByRole('button', { name: /^Cancel order/ }).click()
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await expect(toast(page, 'Order cancelled')).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Cancelled')
    const [order] = await checkout.orders()
    expect(order?.status).toBe('cancelled')
    expect(['refunding', 'refunded']).toContain(order?.paymentStatus)
  })

  test('sweets can’t be cancelled online', async ({ page, checkout, shopper }) => {
    await checkout.openAs(shopper, LADDU)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.placed()
    await page.goto(paths.orders)
    await expect(page.getByRole('article')).toContainText('Boondi Laddu')
    await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0)
  })

  test("'Buy again' brings the same to the cart", async ({ page, checkout, bought: _ }) => {
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Buy again/ }).click()
    await page.waitForURL(`**${paths.cart}`)
    await expect(page.getByRole('article')).toContainText('Sambar Powder')
    await expect(toast(page, 'Item added to cart')).toBeVisible()
    await expect(checkout.pay).toHaveText('Pay Now · ₹160.00')
  })

  test('is empty for somebody new, and asks visitors to log in', async ({ page, accounts, shopper }) => {
    await page.goto(paths.orders)
    await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
    await page.waitForURL('**/login?return=%2Forders')
    await accounts.enter(page, shopper)
    await page.goto(paths.orders)
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test("that can't be read says so, and can be asked for again", async ({ page, accounts, shopper, forgiven }) => {
    forgiven.push(/status of 500/)
    let broken = true
    await page.route('**/api/orders/my-orders', route =>
      broken ? route.fulfill({ status: 500, json: {} }) : route.fallback()
    )
    await accounts.enter(page, shopper)
    await page.goto(paths.orders)
    await expect(toast(page, 'Error Fetching Orders')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'Failed to fetch orders. Please try again later.'
    )
    broken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test('its other address leads there', async ({ request }) => {
    const response = await request.get(MY_ORDERS, { maxRedirects: 0 })
    expect([response.status(), response.headers()['location']]).toEqual([308, paths.orders])
  })

  test('nobody else sees the invoice', async ({ page, checkout, accounts, forgiven, bought: _ }) => {
    forgiven.push(/status of 404/)
    const [order] = await checkout.orders()
    await accounts.enter(page, await accounts.add())
    await page.goto(`${INVOICE}?order=${order?._id ?? ''}`)
    await expect(page.getByText('Order not found')).toBeVisible()
  })

  test('an invoice fits on one sheet of paper, without the shop around it', async ({ page, checkout, bought: _ }) => {
    const [order] = await checkout.orders()
    await page.goto(`${INVOICE}?order=${order?._id ?? ''}`)
    await expect(page.getByRole('article', { name: 'Invoice' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    const sheet = await page.pdf({ format: 'A4' })
    expect(sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })
})
