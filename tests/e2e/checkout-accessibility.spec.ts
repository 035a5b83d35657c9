import { INVOICE_PATH, paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { mockSendCode } from '../support/browser-calls.ts'
import { expect, LADDU, SAMBAR, test } from '../support/browser-checkout.ts'
import { expectAccessible } from '../support/browser-checks.ts'

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`Checkout: accessibility at ${width} px`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })
    test.describe.configure({ timeout: 120_000 })
    test.beforeEach(({ allowedErrors }) => void allowedErrors.push(/status of [45]\d\d|net::ERR/))

    test('the checkout of a visitor is accessible in every state', async ({ page, checkout }) => {
      await mockSendCode(page)
      await checkout.open(SAMBAR, LADDU)
      await expectAccessible(page, 'empty')
      await checkout.payNow()
      await expectAccessible(page, 'validation errors')
      await checkout.fill('anita@example.test')
      await checkout.payButton.click()
      await expect(page.getByLabel('One-time code')).toBeVisible()
      await expectAccessible(page, 'code')
    })

    test('the checkout of a shopper, the orders and the invoice are accessible', async ({
      page,
      checkout,
      shopper
    }) => {
      await checkout.openLoggedIn(shopper)
      await expectAccessible(page, 'saved address')
      await checkout.payNow()
      await checkout.closeWindow()
      await expect(page.getByText('Payment was cancelled.')).toBeVisible()
      await expectAccessible(page, 'cancelled')
      await page.route('**/checkout.js', route => route.abort())
      await page.reload()
      await checkout.waitUntilReady()
      await checkout.payNow()
      await expect(page.getByText('Razorpay SDK failed to load. Are you online?')).toBeVisible()
      await expectAccessible(page, 'script error')
      await page.unroute('**/checkout.js')
      let isOffline = true
      await page.route('**/api/orders', route => (isOffline ? route.abort() : route.fallback()))
      await checkout.payButton.click()
      await checkout.payInWindow()
      await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
      await expectAccessible(page, 'order not confirmed')
      isOffline = false
      await checkout.expectPlaced()
      await expectAccessible(page, 'placed')
      const [order] = await checkout.fetchOrders()
      await page.goto(paths.orders)
      await page.getByRole('article').getByText('Details').click()
      await expectAccessible(page, 'orders')
      await page.getByRole('button', { name: /^Cancel order/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'cancelling')
      await page.goto(`${INVOICE_PATH}?order=${order?._id ?? ''}`)
      await expect(page.getByRole('article', { name: 'Invoice' })).toBeVisible()
      await expectAccessible(page, 'invoice')
    })
  })
}
