import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { expect, LADDU, SAMBAR, test } from '../support/browser-checkout.ts'
import { focusedElement, INPUT_METHODS, tabTo } from '../support/browser-input.ts'
import { toast } from '../support/browser-login.ts'

test.describe.configure({ timeout: 60_000 })

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`Purchase at ${width} px`, () => {
    test.use(device)

    test('a visitor verifies a code in the checkout, pays and sees the order', async ({ page, checkout, accounts }) => {
      const email = newEmail()
      await page.goto(paths.product('sambar-powder'))
      await page
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
        .click()
      await page.goto(paths.cart)
      await checkout.waitUntilReady()
      await checkout.fill(email)
      await checkout.field('Delivery date').selectOption({ index: 1 })
      await checkout.payNow()
      const code = page.getByLabel('One-time code')
      await expect(code).toBeFocused()
      await expect(checkout.field('Street and area')).toHaveValue('12 Kolam Street')
      await code.fill(await accounts.waitForCode(email))
      await page.getByRole('button', { name: /^Confirm and pay/ }).click()
      await expect(checkout.paymentWindow).toContainText('₹160.00')
      await checkout.payInWindow()
      await checkout.expectPlaced()
      await expect(checkout.heading).toBeFocused()
      await expect(page).toHaveURL(/\/cart\?order=/)
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
      await page.getByRole('link', { name: 'View My Orders' }).click()
      await expect(page.getByRole('article')).toContainText('Pending')
    })

    test('a shopper pays with the saved address', async ({ page, checkout, shopper }) => {
      await checkout.openLoggedIn(shopper, SAMBAR, { ...LADDU, quantity: { ...LADDU.quantity, value: 2 } })
      await expect(page.getByText('4 Rockfort Road')).toBeVisible()
      await checkout.payNow()
      await checkout.payInWindow()
      await checkout.expectPlaced()
      const [order] = await checkout.fetchOrders()
      expect(order?.items.map(({ product, quantity }) => [product._id, quantity])).toEqual([
        ['sambar-powder', 1],
        ['boondi-laddu', 2]
      ])
      await page.reload()
      await checkout.expectPlaced()
    })
  })
}

test.describe('Purchase', () => {
  test.use(desktop)

  test('works by keyboard alone', async ({ page, checkout, shopper }) => {
    const { keyboard } = INPUT_METHODS
    await checkout.openLoggedIn(shopper)
    await tabTo(checkout.confirmation)
    await page.keyboard.press('Space')
    await keyboard.click(checkout.payButton)
    await expect(checkout.paymentWindow).toBeVisible()
    await keyboard.click(checkout.windowButton(/^Pay ₹/))
    await checkout.expectPlaced()
    await expect(focusedElement(page)).toHaveText('Order placed successfully!')
    await keyboard.click(page.getByRole('link', { name: 'View My Orders' }))
    await expect(page).toHaveURL(paths.orders)
  })

  test('offers to save the address in an empty profile', async ({ page, checkout, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    await checkout.open()
    await checkout.fill(shopper.email)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await page.getByRole('button', { name: 'Save address' }).click()
    await expect(toast(page, 'Profile saved')).toBeVisible()
    await checkout.open()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    await expect(page.getByText('12 Kolam Street')).toBeVisible()
  })

  test('loads the provider’s script only after a click on Pay Now', async ({ page, checkout, shopper }) => {
    const requests: string[] = []
    page.on('request', request => void (/checkout\.js/.test(request.url()) && requests.push(request.url())))
    await checkout.openLoggedIn(shopper)
    expect(requests).toEqual([])
    await checkout.payNow()
    await expect(checkout.paymentWindow).toBeVisible()
    expect(requests).toHaveLength(1)
  })

  test('empties the cart on all devices of the shopper', async ({ browser, page, checkout, shopper, baseURL }) => {
    await checkout.openLoggedIn(shopper)
    const laptop = await browser.newContext({
      ...(baseURL && { baseURL }),
      storageState: await page.context().storageState()
    })
    const other = await laptop.newPage()
    await other.goto(paths.cart)
    await expect(other.getByRole('article')).toContainText('Sambar Powder')
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await expect(async () => {
      await other.reload()
      await expect(other.getByText('Your cart is empty')).toBeVisible({ timeout: 1000 })
    }).toPass()
    await laptop.close()
  })
})
