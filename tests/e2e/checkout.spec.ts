import { paths } from '#lib/paths.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { LADDU, SAMBAR } from '../support/browser-checkout.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { focusedElement, INPUT_METHODS, tabTo } from '../support/browser-input.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.describe('Purchase on a phone', () => {
  test.use(phone)

  test('a visitor corrects the form, verifies a code, pays and sees the order', async ({
    page,
    checkout,
    accounts
  }) => {
    const email = `an-address-that-fits-no-phone.${newEmail()}`
    const status = { testMode: true, sendsMail: true, mailNotSetUp: false, notLive: false }
    await page.route('**/api/status', route => route.fulfill({ json: status }))
    await page.goto(paths.product('sambar-powder'))
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .tap()
    await page.goto(paths.cart)
    await checkout.waitUntilReady()
    await expect(checkout.payButton).toBeDisabled()
    await expect(page.getByText('Please confirm your address to pay.')).toBeVisible()
    await checkout.payNow()
    const summary = page.getByRole('group', { name: 'Please check 7 fields' })
    await expect(summary).toBeFocused()
    await expect(page).toHaveTitle(/^Error: /)
    await expectAccessible(page, 'invalid fields')
    await summary.getByRole('link', { name: 'Please enter a valid 10-digit phone number' }).tap()
    await expect(checkout.field('Phone number')).toBeFocused()
    await checkout.fill(email)
    await checkout.field('Delivery date').selectOption({ index: 1 })
    await checkout.payButton.tap()
    const code = page.getByLabel('One-time code')
    await expect(code).toBeFocused()
    await code.fill(await accounts.waitForCode(email))
    await page.getByRole('button', { name: /^Confirm and pay/ }).tap()
    await expect(checkout.paymentWindow).toContainText('₹160.00')
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await expect(checkout.heading).toBeFocused()
    const toasts = page.locator('toast-region')
    await expect(toasts).toContainText('Order placed successfully!')
    await expect(toasts.getByRole('status')).toHaveCount(0)
    await expect(page.getByText('We’ve sent a confirmation to')).toContainText(email)
    await expect(page).toHaveURL(/\/cart\?order=/)
    await expectAccessible(page, 'placed')
    expect(await checkout.storedCart()).toEqual([])
    const [order] = await checkout.fetchOrders()
    await expect(page.getByRole('main')).toContainText(order?.orderNumber ?? 'an order number')
    expect(order).toMatchObject({
      status: 'pending',
      paymentStatus: 'completed',
      totalAmount: 160,
      customerDetails: { name: 'Anita Kumar', email, phone: '9876543210' },
      shippingAddress: { pincode: '620018', state: 'Tamil Nadu', district: 'Tiruchirappalli' }
    })
    const orderUrl = page.url()
    await page.goto(paths.orders)
    await expect(page.getByRole('article')).toContainText('Pending')
    await page.evaluate(() => localStorage.clear())
    await page.goto(orderUrl)
    await expect(checkout.heading).toHaveText('Please log in to see this order')
  })
})

test.describe('Purchase', () => {
  test.use(desktop)

  test('works by keyboard with the saved address, and loads the provider’s script only after Pay Now', async ({
    page,
    checkout,
    shopper
  }) => {
    const { keyboard } = INPUT_METHODS
    const scripts: string[] = []
    page.on(
      'request',
      request => void (/checkout\.js/.test(request.url()) && scripts.push(request.url()))
    )
    await checkout.openLoggedIn(shopper, SAMBAR, {
      ...LADDU,
      quantity: { ...LADDU.quantity, value: 2 }
    })
    await expect(page.getByText('4 Rockfort Road')).toBeVisible()
    expect(scripts).toEqual([])
    await tabTo(checkout.confirmation)
    await page.keyboard.press('Space')
    await keyboard.click(checkout.payButton)
    await expect(checkout.paymentWindow).toBeVisible()
    expect(scripts).toHaveLength(1)
    await keyboard.click(checkout.windowButton(/^Pay ₹/))
    await checkout.expectPlaced()
    await expect(focusedElement(page)).toHaveText('Order placed successfully!')
    await keyboard.click(page.getByRole('link', { name: 'View My Orders' }))
    await expect(page).toHaveURL(paths.orders)
    const [order] = await checkout.fetchOrders()
    expect(order?.items.map(({ product, quantity }) => [product._id, quantity])).toEqual([
      ['sambar-powder', 1],
      ['boondi-laddu', 2]
    ])
  })
})
