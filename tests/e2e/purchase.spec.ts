import { LANGUAGE_CODES, LANGUAGES } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import { ERRORS } from '#lib/error-catalogue.ts'
import { paths } from '#lib/paths.ts'
import { inLanguage } from '#server/platform/language.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { SAMBAR } from '../support/browser-checkout.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { addOrder, waitForCode, waitForOrderLink } from '../support/browser-data.ts'
import { focusedElement, press, tabTo } from '../support/browser-input.ts'
import { addButton, MYSORE_PAK, toast } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.use(desktop)

test.describe('Toasts', () => {
  test('appear in one live region and close after 7 s or by their button', async ({ page }) => {
    await page.clock.install()
    await page.goto(MYSORE_PAK)
    await addButton(page).click()
    const added = toast(page, 'Item added to cart')
    await expect(added).toBeVisible()
    await expect(addButton(page)).toBeFocused()
    await expect(page.locator('[aria-live]').filter({ hasText: 'Item added to cart' })).toHaveCount(
      1
    )
    await page.clock.runFor(7000)
    await expect(added).toBeHidden()
    await addButton(page).click()
    await toast(page, 'Item quantity updated').getByRole('button').click()
    await expect(toast(page, 'Item quantity updated')).toBeHidden()
  })
})

test.describe('Purchase on a phone', () => {
  test.use(phone)

  test('a visitor corrects the form, verifies a code, pays and sees the order', async ({
    page,
    checkout,
    shop
  }) => {
    const email = `an-address-that-fits-no-phone.${newEmail()}`
    await page.goto(paths.product('sambar-powder'))
    await addButton(page).tap()
    await page.goto(paths.cart)
    await checkout.waitUntilReady()
    await expect(checkout.payButton).toBeDisabled()
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
    await code.fill(await waitForCode(shop.dataDir, email))
    await page.getByRole('button', { name: /^Confirm and pay/ }).tap()
    await expect(checkout.paymentWindow).toContainText('₹160.00')
    await checkout.payInWindow()
    await checkout.expectPlaced()
    await expect(checkout.heading).toBeFocused()
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
    const scripts: string[] = []
    page.on(
      'request',
      request => void (/checkout\.js/.test(request.url()) && scripts.push(request.url()))
    )
    const laddu = { ...SAMBAR, _id: 'boondi-laddu', name: 'Boondi Laddu' }
    await checkout.openLoggedIn(shopper, SAMBAR, laddu)
    await expect(page.getByText('4 Rockfort Road')).toBeVisible()
    expect(scripts).toEqual([])
    await tabTo(checkout.confirmation)
    await page.keyboard.press('Space')
    await press(checkout.payButton)
    await expect(checkout.paymentWindow).toBeVisible()
    expect(scripts).toHaveLength(1)
    await press(checkout.windowButton(/^Pay ₹/))
    await checkout.expectPlaced()
    await expect(focusedElement(page)).toHaveText('Order placed successfully!')
    await press(page.getByRole('link', { name: 'View My Orders' }))
    await expect(page).toHaveURL(paths.orders)
    const [order] = await checkout.fetchOrders()
    expect(order?.items.map(({ product, quantity }) => [product._id, quantity])).toEqual([
      ['sambar-powder', 1],
      ['boondi-laddu', 1]
    ])
  })
})

for (const language of LANGUAGE_CODES)
  test.describe(`The link in the mail of an order (${language})`, () => {
    test.use({
      ...phone,
      viewport: { width: 320, height: 640 },
      locale: LANGUAGES[language].locale
    })

    test('opens it without a login, and shows no name, address or phone number', ({
      page,
      checkout,
      shopper,
      shop,
      allowedErrors
    }) =>
      inLanguage(language, async () => {
        await checkout.openLoggedIn(shopper)
        await checkout.pay()
        const [order] = await checkout.fetchOrders()
        const number = order?.orderNumber ?? 'no order'
        // With the full stop of a sentence.
        const link = `${await waitForOrderLink(shop.dataDir, shopper.email)}.`
        await page.evaluate(() => localStorage.clear())
        await page.goto(link)
        const main = page.getByRole('main')
        const showsOrder = async () => {
          await expect(checkout.heading).toHaveText(t('Order {number}', { number }))
          await expect(page).toHaveTitle(new RegExp(number))
          await expect(main).toContainText(language === 'ta' ? 'சாம்பார் பொடி' : 'Sambar Powder')
          await expect(main).toContainText('Tiruchirappalli')
        }
        await showsOrder()
        await expectAccessible(page, 'order link')
        const text = await page.locator('body').innerText()
        expect(text).not.toMatch(/Anita|98765|Rockfort|3B|620002|@(?!palagaram)/i)
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await expect(main).toBeFocused()
        await expect(page).toHaveURL(link)
        await page.reload()
        await showsOrder()
        allowedErrors.push(/404 .*by-link/)
        await page.evaluate(() => (location.hash = 'x'.repeat(43)))
        await expect(page.getByRole('alert')).toContainText(ERRORS.ORDER_LINK_INVALID[1])
        await main.getByRole('link', { name: t('My Orders') }).click()
        await expect(page).toHaveURL(/\/login\?return=[^#]*orders$/)
      }))
  })

test.describe('Payment on a phone', () => {
  test.use(phone)

  test('can be retried after a closed window and a declined attempt', async ({
    page,
    checkout,
    shopper
  }) => {
    await checkout.openLoggedIn(shopper)
    await checkout.payNow()
    await expect(checkout.paymentWindow).toHaveAccessibleName('Palagaram')
    for (const button of [/^Close/, /^Pay ₹/, /^Fail/, /^Close/]) {
      await page.keyboard.press('Tab')
      await expect(checkout.windowButton(button)).toBeFocused()
    }
    await page.keyboard.press('Escape')
    await expect(
      page.getByRole('status').filter({ hasText: 'Payment was cancelled.' })
    ).toBeFocused()
    expect(await checkout.storedCart()).toHaveLength(1)
    await checkout.payButton.click()
    await checkout.windowButton(/^Fail/).click()
    await expect(checkout.paymentWindow.getByRole('alert')).toContainText('declined by the bank')
    await expectAccessible(page, 'declined')
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

test.describe('My Orders on a phone', () => {
  test.use(phone)

  test('shows the order with its status, details and invoice, which is printed on one page, and offers to buy again', async ({
    page,
    accounts,
    shopper
  }) => {
    const { id, number, invoiceNumber } = await addOrder(accounts, shopper)
    await accounts.logIn(page, shopper)
    await page.goto(paths.orders)
    const card = page.getByRole('article')
    await expect(card).toContainText(number)
    await expect(card).toContainText('Pending')
    await card.getByText('Details').click()
    await expect(card).toContainText('4 Rockfort Road')
    await expect(card).toContainText('Paid')
    await expectAccessible(page, 'details')
    await card.getByRole('link', { name: /^Invoice/ }).click()
    await expect(page).toHaveURL(`${paths.invoice}?order=${id}`)
    const invoice = page.getByRole('article', { name: 'Tax invoice' })
    for (const text of ['Rupees Three Hundred Sixty Only', String(invoiceNumber)])
      await expect(invoice).toContainText(text)
    await expectAccessible(page, 'invoice')
    await page.emulateMedia({ media: 'print' })
    for (const role of ['banner', 'contentinfo'] as const)
      await expect(page.getByRole(role)).toBeHidden()
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g), 'printed pages').toHaveLength(1)
    await page.emulateMedia({ media: null })
    await page.goto(paths.orders)
    await page.getByRole('button', { name: /^Buy again/ }).click()
    await page.waitForURL(`**${paths.cart}`)
    await expect(page.getByRole('article')).toContainText('Boondi Laddu')
    await expect(toast(page, 'Item added to cart')).toBeVisible()
  })
})
