import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { expect, SAMBAR, test } from '../support/browser-checkout.ts'

test.use(desktop)
test.describe.configure({ timeout: 60_000 })

const SCRIPT = '**/checkout.js'

test.describe('Checkout errors before the payment', () => {
  test('a changed price is shown before anything is paid', async ({ page, checkout, shopper, allowedErrors }) => {
    allowedErrors.push(/status of 409/)
    await page.route('**/api/cart/quote', route => route.abort())
    await page.route('**/api/catalog/live*', route => route.abort())
    allowedErrors.push(/net::ERR_FAILED/)
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

  test('an error is shown if the payment script fails to load, and the next click loads the script again', async ({
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
    await page.unroute(SCRIPT)
    await checkout.payButton.click()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    expect(await checkout.fetchOrders()).toHaveLength(1)
  })

  test('the reason is shown if the payment order cannot be created', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 503/)
    const json = { code: 'PAYMENTS_UNAVAILABLE', message: 'The payment service can’t be reached right now.' }
    await page.route('**/api/payments/razorpay-order', route => route.fulfill({ status: 503, json }))
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to create Razorpay order' })
    await expect(alert).toContainText(json.message)
    await expect(checkout.payButton).toBeEnabled()
  })
})

test.describe('Checkout errors in the payment window', () => {
  test('closing the window keeps the cart and the form, and the shopper can try again', async ({
    page,
    checkout,
    shopper
  }) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await checkout.closeWindow()
    await expect(page.getByText('Payment was cancelled.')).toBeVisible()
    expect(await checkout.storedCart()).toHaveLength(1)
    await checkout.payButton.click()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    expect(await checkout.fetchOrders()).toHaveLength(1)
  })

  test('after a failed attempt the shopper can pay in the same window', async ({ page, checkout, shopper }) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await expect(page.getByText('Payment was cancelled.')).toBeHidden()
  })

  test('closing the window after a failed attempt shows the reason', async ({ page, checkout, shopper }) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.closeWindow()
    await expect(page.getByText('Payment was cancelled.')).toBeVisible()
    await expect(page.getByText(/The last attempt failed: /)).toBeVisible()
    await expect(checkout.payButton).toBeEnabled()
  })
})

test.describe('Checkout errors after the payment', () => {
  test('a network failure is reported, and the order appears once the network is back', async ({
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
    isOffline = false
    await checkout.expectPlaced()
    expect(await checkout.storedCart()).toEqual([])
    expect(await checkout.fetchOrders()).toHaveLength(1)
  })

  test('the order is shown when the shopper opens the cart again after a network failure', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await checkout.openLoggedIn(shopper)
    await page.route('**/api/orders', route => route.abort())
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
    await page.goto(paths.cart)
    await checkout.expectPlaced()
    expect(await checkout.storedCart()).toEqual([])
  })

  test('the shopper is asked not to pay again while the payment is not confirmed', async ({
    page,
    checkout,
    shopper
  }) => {
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
})

test.describe('Checkout in an in-app browser', () => {
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

test.describe('Order page URL', () => {
  test('asks visitors to log in and shows the order only to the shopper who placed it', async ({
    page,
    checkout,
    accounts,
    shopper,
    allowedErrors
  }) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    const orderUrl = page.url()
    await page.evaluate(() => localStorage.clear())
    await page.goto(orderUrl)
    await expect(checkout.heading).toHaveText('Please log in to see this order')
    allowedErrors.push(/status of 404/)
    await accounts.logIn(page, await accounts.add())
    await page.goto(orderUrl)
    await expect(page.getByText('Order not found')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('Sambar')
  })
})
