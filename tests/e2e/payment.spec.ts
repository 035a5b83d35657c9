import { expectAccessible } from '../support/browser-checks.ts'
import { expect, phone, test } from '../support/browser.ts'

const SCRIPT = '**/checkout.js'

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
    await checkout.payButton.click()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.closeWindow()
    await expect(page.getByText(/Nothing was charged\. You can try again\./)).toBeVisible()
    await checkout.payButton.click()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toBeVisible()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    expect(await checkout.fetchOrders()).toHaveLength(1)
  })

  test.describe('in an in-app browser', () => {
    const userAgent =
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 Instagram 300.0'
    test.use({ userAgent })

    test('returns from the page of the payment provider to the order', async ({
      page,
      checkout,
      shopper
    }) => {
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
