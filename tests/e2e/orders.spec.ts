import { INVOICE_PATH, MY_ORDERS_PATH, paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { expect, LADDU, test as base } from '../support/browser-checkout.ts'
import { toast } from '../support/browser-login.ts'

const test = base.extend<{ paidOrder: void }>({
  paidOrder: async ({ checkout, shopper }, use) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await use()
  }
})
test.describe.configure({ timeout: 60_000 })

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`My Orders (${width} px)`, () => {
    test.use(device)

    test('shows an order with its status, progress, details and invoice', async ({ page, checkout, paidOrder: _ }) => {
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
      const [order] = await checkout.fetchOrders()
      await expect(invoice).toContainText(order?.invoiceNumber ?? 'an invoice number')
    })
  })
}

test.describe('My Orders', () => {
  test.use(desktop)

  test('cancels an order after confirmation and refunds it', async ({ page, checkout, paidOrder: _ }) => {
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Cancel order/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    await dialog.getByRole('button', { name: 'Keep order' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: /^Cancel order/ })).toBeFocused()
    await page.getByRole('button', { name: /^Cancel order/ }).click()
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await expect(toast(page, 'Order cancelled')).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Cancelled')
    const [order] = await checkout.fetchOrders()
    expect(order?.status).toBe('cancelled')
    expect(['refunding', 'refunded']).toContain(order?.paymentStatus)
  })

  test('does not offer to cancel an order of sweets', async ({ page, checkout, shopper }) => {
    await checkout.openLoggedIn(shopper, LADDU)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await page.goto(paths.orders)
    await expect(page.getByRole('article')).toContainText('Boondi Laddu')
    await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0)
  })

  test("'Buy again' adds the same items to the cart", async ({ page, checkout, paidOrder: _ }) => {
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Buy again/ }).click()
    await page.waitForURL(`**${paths.cart}`)
    await expect(page.getByRole('article')).toContainText('Sambar Powder')
    await expect(toast(page, 'Item added to cart')).toBeVisible()
    await expect(checkout.payButton).toHaveText('Pay Now · ₹160.00')
  })

  test('redirects visitors to the login and shows no orders to a new shopper', async ({ page, accounts, shopper }) => {
    await page.goto(paths.orders)
    await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
    await page.waitForURL('**/login?return=%2Forders')
    await accounts.logIn(page, shopper)
    await page.goto(paths.orders)
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test('shows an error and a retry button when loading fails', async ({ page, accounts, shopper, allowedErrors }) => {
    allowedErrors.push(/status of 500/)
    let isBroken = true
    await page.route('**/api/orders/my-orders', route =>
      isBroken ? route.fulfill({ status: 500, json: {} }) : route.fallback()
    )
    await accounts.logIn(page, shopper)
    await page.goto(paths.orders)
    await expect(toast(page, 'Error Fetching Orders')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'Failed to fetch orders. Please try again later.'
    )
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test('redirects its old URL to the new one', async ({ request }) => {
    const response = await request.get(MY_ORDERS_PATH, { maxRedirects: 0 })
    expect([response.status(), response.headers()['location']]).toEqual([308, paths.orders])
  })

  test('shows an invoice only to the buyer', async ({ page, checkout, accounts, allowedErrors, paidOrder: _ }) => {
    allowedErrors.push(/status of 404/)
    const [order] = await checkout.fetchOrders()
    await accounts.logIn(page, await accounts.add())
    await page.goto(`${INVOICE_PATH}?order=${order?._id ?? ''}`)
    await expect(page.getByText('Order not found')).toBeVisible()
  })

  test('prints an invoice on one page, without header and footer', async ({ page, checkout, paidOrder: _ }) => {
    const [order] = await checkout.fetchOrders()
    await page.goto(`${INVOICE_PATH}?order=${order?._id ?? ''}`)
    await expect(page.getByRole('article', { name: 'Invoice' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })
})
