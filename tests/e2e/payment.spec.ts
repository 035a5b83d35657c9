import { paths } from '#lib/paths.ts'
import { SAMBAR } from '../support/browser-checkout.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const SCRIPT = '**/checkout.js'

test.describe.configure({ timeout: 60_000 })

test.describe('Payment that does not start', () => {
  test.use(desktop)

  test('because of a changed price, shows the new total and asks again', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 409|net::ERR_FAILED/)
    for (const url of ['**/api/cart/quote', '**/api/catalog/live*']) await page.route(url, route => route.abort())
    await checkout.openLoggedIn(shopper, { ...SAMBAR, price: 100 })
    await expect(checkout.payButton).toHaveText('Pay Now · ₹100.00')
    await checkout.payNow()
    await expect(page.getByRole('alert').filter({ hasText: 'The total is now ₹160.00.' })).toBeVisible()
    await expect(page.getByText('Price is now ₹160.00')).toBeVisible()
    await expect(checkout.payButton).toHaveText('Pay Now · ₹160.00')
    await expect(checkout.confirmation).toBeChecked()
    await checkout.payButton.click()
    await expect(checkout.paymentWindow).toContainText('₹160.00')
  })
})

test.describe('Payment on a phone', () => {
  test.use(phone)

  test('can be retried after a failed script, a closed window and a declined attempt', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR_FAILED/)
    await page.route(SCRIPT, route => route.abort())
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await expect(page.getByText('Razorpay SDK failed to load. Are you online?')).toBeVisible()
    await expectAccessible(page, 'script failed')
    await page.unroute(SCRIPT)
    await checkout.payButton.click()
    await checkout.closeWindow()
    await expect(page.getByText('Payment was cancelled.')).toBeVisible()
    expect(await checkout.storedCart()).toHaveLength(1)
    await expectAccessible(page, 'cancelled')
    await checkout.payButton.click()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.closeWindow()
    await expect(page.getByText(/The last attempt failed: /)).toBeVisible()
    await checkout.payButton.click()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    expect(await checkout.fetchOrders()).toHaveLength(1)
  })

  test('ends in one order when the network fails after the payment, also in a reopened cart', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await checkout.openLoggedIn(shopper)
    let isOffline = true
    await page.route('**/api/orders', route => (isOffline ? route.abort('internetdisconnected') : route.fallback()))
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
    await expect(page.getByText(/Your order will appear here and under My Orders/)).toBeVisible()
    await expectAccessible(page, 'order not confirmed')
    isOffline = false
    await checkout.expectPlaced()
    expect(await checkout.storedCart()).toEqual([])

    isOffline = true
    await checkout.open()
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
    await page.goto(paths.cart)
    await checkout.expectPlaced()
    expect(await checkout.storedCart()).toEqual([])
    expect(await checkout.fetchOrders()).toHaveLength(2)
  })

  test('is not offered again while the payment is being checked', async ({ page, checkout, shopper }) => {
    await checkout.openLoggedIn(shopper)
    let isChecking = true
    await page.route('**/api/orders', async route => {
      const response = await route.fetch()
      const order = (await response.json()) as object
      await route.fulfill({ status: 202, json: { ...order, status: 'checking', paymentStatus: 'pending' } })
    })
    await page.route('**/api/payments/*/sync', async route => {
      if (!isChecking) return route.fallback()
      const { order } = (await (await route.fetch()).json()) as { order: object }
      return route.fulfill({ json: { state: 'checking', order: { ...order, status: 'checking' } } })
    })
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('We are checking your payment')
    await expect(page.getByText(/Please don’t pay again. We’ll e-mail you/)).toBeVisible()
    isChecking = false
    await checkout.expectPlaced()
  })

  test.describe('in an in-app browser', () => {
    const userAgent =
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 Instagram 300.0'
    test.use({ userAgent })

    test('returns from the page of the payment provider to the order', async ({ page, checkout, shopper }) => {
      await checkout.openLoggedIn(shopper)
      await checkout.payNow()
      await checkout.payInWindow()
      await page.waitForURL('**/cart?order=*')
      await checkout.expectPlaced()
      expect(await checkout.storedCart()).toEqual([])
      expect(await checkout.fetchOrders()).toHaveLength(1)
    })
  })
})
