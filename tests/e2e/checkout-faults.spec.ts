import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { expect, SAMBAR, test } from '../support/browser-checkout.ts'

test.use(desktop)
test.describe.configure({ timeout: 60_000 })

const SCRIPT = '**/checkout.js'

test.describe('before the payment', () => {
  test('a price that changed is shown before anything is paid', async ({ page, checkout, shopper, forgiven }) => {
    forgiven.push(/status of 409/)
    await page.route('**/api/cart/quote', route => route.abort())
    await page.route('**/api/catalog/live*', route => route.abort())
    forgiven.push(/net::ERR_FAILED/)
    await checkout.openAs(shopper, { ...SAMBAR, price: 100 })
    await expect(checkout.pay).toHaveText('Pay Now · ₹100.00')
    await checkout.payNow()
    await expect(page.getByRole('alert').filter({ hasText: 'The total is now ₹160.00.' })).toBeVisible()
    await expect(page.getByText('Price is now ₹160.00')).toBeVisible()
    await expect(checkout.pay).toHaveText('Pay Now · ₹160.00')
    await expect(checkout.confirmation).toBeChecked()
    await checkout.pay.click()
    await expect(checkout.window).toContainText('₹160.00')
  })

  test("a script that does not load says 'Razorpay SDK failed to load. Are you online?', and the next press tries again", async ({
    page,
    checkout,
    shopper,
    forgiven
  }) => {
    forgiven.push(/net::ERR_FAILED/)
    await page.route(SCRIPT, route => route.abort())
    await checkout.openAs(shopper)
    await checkout.payNow()
    await expect(page.getByText('Razorpay SDK failed to load. Are you online?')).toBeVisible()
    await page.unroute(SCRIPT)
    await checkout.pay.click()
    await checkout.payInWindow()
    await checkout.placed()
    expect(await checkout.orders()).toHaveLength(1)
  })

  test("a shop that can't take the payment says 'Failed to create Razorpay order' and why", async ({
    page,
    checkout,
    shopper,
    forgiven
  }) => {
    forgiven.push(/status of 503/)
    const json = { code: 'PAYMENTS_UNAVAILABLE', message: 'The payment service can’t be reached right now.' }
    await page.route('**/api/payments/razorpay-order', route => route.fulfill({ status: 503, json }))
    await checkout.openAs(shopper)
    await checkout.payNow()
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to create Razorpay order' })
    await expect(alert).toContainText(json.message)
    await expect(checkout.pay).toBeEnabled()
  })
})

test.describe('in the provider’s window', () => {
  test("closing it says 'Payment was cancelled.' and keeps cart and form; the next try pays", async ({
    page,
    checkout,
    shopper
  }) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.closeWindow()
    await expect(page.getByText('Payment was cancelled.')).toBeVisible()
    expect(await checkout.cart()).toHaveLength(1)
    await checkout.pay.click()
    await checkout.payInWindow()
    await checkout.placed()
    expect(await checkout.orders()).toHaveLength(1)
  })

  test('a failed attempt ends nothing: the shopper may pay in the same window', async ({ page, checkout, shopper }) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.window.getByRole('alert')).toBeVisible()
    await checkout.payInWindow()
    await checkout.placed()
    await expect(page.getByText('Payment was cancelled.')).toBeHidden()
  })

  test('a failed attempt and a closed window say why it failed', async ({ page, checkout, shopper }) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.window.getByRole('alert')).toBeVisible()
    await checkout.closeWindow()
    await expect(page.getByText('Payment was cancelled.')).toBeVisible()
    await expect(page.getByText(/The last attempt failed: /)).toBeVisible()
    await expect(checkout.pay).toBeEnabled()
  })
})

test.describe('after the payment', () => {
  test('a lost network says so, and the order is there as soon as it is back', async ({
    page,
    checkout,
    shopper,
    forgiven
  }) => {
    forgiven.push(/net::ERR/)
    await checkout.openAs(shopper)
    let lost = true
    await page.route('**/api/orders', route => (lost ? route.abort('internetdisconnected') : route.fallback()))
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
    await expect(page.getByText(/Your order will appear here and under My Orders by itself/)).toBeVisible()
    lost = false
    await checkout.placed()
    expect(await checkout.cart()).toEqual([])
    expect(await checkout.orders()).toHaveLength(1)
  })

  test('a closed tab loses nothing: the next visit of the cart finds the order', async ({
    page,
    checkout,
    shopper,
    forgiven
  }) => {
    forgiven.push(/net::ERR/)
    await checkout.openAs(shopper)
    await page.route('**/api/orders', route => route.abort())
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
    await page.goto(paths.cart)
    await checkout.placed()
    expect(await checkout.cart()).toEqual([])
  })

  test('a payment that the bank has not confirmed says not to pay again, until it is there', async ({
    page,
    checkout,
    shopper
  }) => {
    await checkout.openAs(shopper)
    let checking = true
    await page.route('**/api/orders', async route => {
      const response = await route.fetch()
      const order = (await response.json()) as object
      await route.fulfill({ status: 202, json: { ...order, status: 'checking', paymentStatus: 'pending' } })
    })
    await page.route('**/api/payments/*/sync', async route => {
      if (!checking) return route.fallback()
      const { order } = (await (await route.fetch()).json()) as { order: object }
      return route.fulfill({ json: { state: 'checking', order: { ...order, status: 'checking' } } })
    })
    await checkout.payNow()
    await checkout.payInWindow()
    await expect(checkout.heading).toHaveText('We are checking your payment')
    await expect(page.getByText(/Please do not pay again: we will e-mail you/)).toBeVisible()
    checking = false
    await checkout.placed()
  })
})

test.describe('in the browser inside another app', () => {
  const userAgent =
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 Instagram 300.0'
  test.use({ userAgent })

  test('the provider’s page leads back to the shop, which shows the order', async ({ page, checkout, shopper }) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.payInWindow()
    await page.waitForURL('**/cart?order=*')
    await checkout.placed()
    expect(await checkout.cart()).toEqual([])
    expect(await checkout.orders()).toHaveLength(1)
  })
})

test.describe('the address of an order', () => {
  test('asks a visitor to log in, and another shopper is told nothing', async ({
    page,
    checkout,
    accounts,
    shopper,
    forgiven
  }) => {
    await checkout.openAs(shopper)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.placed()
    const address = page.url()
    await page.evaluate(() => localStorage.clear())
    await page.goto(address)
    await expect(checkout.heading).toHaveText('Please log in to see this order')
    forgiven.push(/status of 404/)
    await accounts.enter(page, await accounts.add())
    await page.goto(address)
    await expect(page.getByText('Order not found')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('Sambar')
  })
})
