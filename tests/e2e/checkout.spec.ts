import { paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { newAddress } from '../support/browser-accounts.ts'
import { expect, LADDU, SAMBAR, test } from '../support/browser-checkout.ts'
import { focused, HANDS, tabTo } from '../support/browser-hands.ts'
import { toast } from '../support/browser-login.ts'

test.describe.configure({ timeout: 60_000 })

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`a whole purchase at ${width} px`, () => {
    test.use(device)

    test('of a visitor, who is asked for a code in place and loses nothing by it', async ({
      page,
      checkout,
      accounts
    }) => {
      const email = newAddress()
      await page.goto(paths.product('sambar-powder'))
      await page
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
        .click()
      await page.goto(paths.cart)
      await checkout.ready()
      await checkout.fill(email)
      await checkout.field('Delivery date').selectOption({ index: 1 })
      await checkout.payNow()
      const code = page.getByLabel('One-time code')
      await expect(code).toBeFocused()
      await expect(checkout.field('Street and area')).toHaveValue('12 Kolam Street')
      await code.fill(await accounts.mailed(email))
      await page.getByRole('button', { name: 'Verify & Pay' }).click()
      await expect(checkout.window).toContainText('₹160.00')
      await checkout.payInWindow()
      await checkout.placed()
      await expect(checkout.heading).toBeFocused()
      await expect(page).toHaveURL(/\/cart\?order=/)
      expect(await checkout.cart()).toEqual([])
      const [order] = await checkout.orders()
      await expect(page.getByRole('main')).toContainText(order?.orderNumber ?? 'an order number')
      expect(order).toMatchObject({
        ...{ status: 'pending', paymentStatus: 'completed', totalAmount: 160 },
        customerDetails: { name: 'Anita Kumar', email, phone: '9876543210' },
        shippingAddress: { pincode: '620018', state: 'Tamil Nadu', district: 'Tiruchirappalli' }
      })
      await page.getByRole('link', { name: 'View My Orders' }).click()
      await expect(page.getByRole('article')).toContainText('Pending')
    })

    test('of somebody who is logged in, with the saved address', async ({ page, checkout, shopper }) => {
      await checkout.openAs(shopper, SAMBAR, { ...LADDU, quantity: { ...LADDU.quantity, value: 2 } })
      await expect(page.getByText('4 Rockfort Road')).toBeVisible()
      await checkout.payNow()
      await checkout.payInWindow()
      await checkout.placed()
      const [order] = await checkout.orders()
      expect(order?.items.map(({ product, quantity }) => [product._id, quantity])).toEqual([
        ['sambar-powder', 1],
        ['boondi-laddu', 2]
      ])
      await page.reload()
      await checkout.placed()
    })
  })
}

test.describe('a purchase', () => {
  test.use(desktop)

  test('works by keyboard alone', async ({ page, checkout, shopper }) => {
    const { keyboard } = HANDS
    if (!keyboard) throw new Error('There are no keys')
    await checkout.openAs(shopper)
    await tabTo(checkout.confirmation)
    await page.keyboard.press('Space')
    await keyboard.press(checkout.pay)
    await expect(checkout.window).toBeVisible()
    await keyboard.press(checkout.windowButton(/^Pay ₹/))
    await checkout.placed()
    await expect(focused(page)).toHaveText('Order placed successfully!')
    await keyboard.press(page.getByRole('link', { name: 'View My Orders' }))
    await expect(page).toHaveURL(paths.orders)
  })

  test('offers to keep the address of somebody whose profile has none', async ({
    page,
    checkout,
    accounts,
    shopper
  }) => {
    await accounts.enter(page, shopper)
    await checkout.open()
    await checkout.fill(shopper.email)
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.placed()
    await page.getByRole('button', { name: 'Save the address' }).click()
    await expect(toast(page, 'Profile saved')).toBeVisible()
    await checkout.open()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    await expect(page.getByText('12 Kolam Street')).toBeVisible()
  })

  test('loads the provider’s script only when Pay Now is pressed', async ({ page, checkout, shopper }) => {
    const asked: string[] = []
    page.on('request', request => void (/checkout\.js/.test(request.url()) && asked.push(request.url())))
    await checkout.openAs(shopper)
    expect(asked).toEqual([])
    await checkout.payNow()
    await expect(checkout.window).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('of the same cart on two devices is made once', async ({ browser, page, checkout, shopper, baseURL }) => {
    await checkout.openAs(shopper)
    const laptop = await browser.newContext({
      ...(baseURL && { baseURL }),
      storageState: await page.context().storageState()
    })
    const other = await laptop.newPage()
    await other.goto(paths.cart)
    await expect(other.getByRole('article')).toContainText('Sambar Powder')
    await checkout.payNow()
    await checkout.payInWindow()
    await checkout.placed()
    await expect(async () => {
      await other.reload()
      await expect(other.getByText('Your cart is empty')).toBeVisible({ timeout: 1000 })
    }).toPass()
    await laptop.close()
  })
})
