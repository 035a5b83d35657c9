import { desktop, phone } from '../support/browser.ts'
import { expect, test } from '../support/browser-checkout.ts'
import { focusedElement } from '../support/browser-input.ts'
import { LoginPage } from '../support/browser-login.ts'

test.use(phone)

test.describe('Checkout form', () => {
  test('lists all errors in a focused summary and at the fields', async ({ page, checkout }) => {
    await checkout.open()
    await expect(checkout.payButton).toBeDisabled()
    await expect(page.getByText('Please confirm your address to pay.')).toBeVisible()
    await checkout.payNow()
    const summary = page.getByRole('group', { name: 'Please check 7 fields' })
    await expect(summary).toBeFocused()
    await expect(page).toHaveTitle(/^Error: /)
    const texts = {
      Email: 'Please enter your email',
      'Full name': 'Name is required.',
      'Phone number': 'Please enter a valid 10-digit phone number',
      Pincode: 'Please enter a valid 6-digit pincode',
      'Street and area': 'Please enter the street and area',
      'City or town': 'Please enter the city',
      State: 'Please choose the state'
    }
    for (const [label, text] of Object.entries(texts)) {
      await expect(checkout.field(label)).toHaveAccessibleDescription(new RegExp(`^${text.replace('.', '\\.')}`))
      await expect(checkout.field(label)).toHaveAttribute('aria-invalid', 'true')
    }
    await summary.getByRole('link', { name: texts['Phone number'] }).click()
    await expect(checkout.field('Phone number')).toBeFocused()
    for (const [typed, isInvalid] of [
      ['98765', true],
      ['+91 98765-43210', false],
      ['98765432101', true],
      ['098765 43210', false]
    ] as const) {
      await checkout.field('Phone number').fill(typed)
      await checkout.payButton.click()
      await expect(checkout.field('Phone number'), typed).toHaveAttribute('aria-invalid', String(isInvalid))
    }
  })

  test('keeps the input after a reload, except the confirmation checkbox', async ({ page, checkout }) => {
    await checkout.open()
    await checkout.fill('anita@example.test', { 'Flat, house no., building (optional)': '3B' })
    await checkout.field('Delivery date').selectOption({ index: 2 })
    const day = await checkout.field('Delivery date').inputValue()
    await checkout.confirmation.check()
    await page.reload()
    await checkout.waitUntilReady()
    await expect(checkout.field('Street and area')).toHaveValue('12 Kolam Street')
    await expect(checkout.field('Flat, house no., building (optional)')).toHaveValue('3B')
    await expect(checkout.field('State')).toHaveValue('Tamil Nadu')
    await expect(checkout.field('Delivery date')).toHaveValue(day)
    await expect(checkout.confirmation).not.toBeChecked()
  })

  test('keeps the input when the session expires before the payment', async ({
    page,
    checkout,
    accounts,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 401/)
    await accounts.logIn(page, shopper)
    await checkout.open()
    await checkout.fill(shopper.email)
    await accounts.endSessions(shopper)
    await checkout.payNow()
    await expect(page.getByText('Session expired')).toBeVisible()
    await page.waitForURL('**/login?return=%2Fcart')
    await new LoginPage(page).logIn(shopper)
    await page.waitForURL('**/cart')
    await checkout.waitUntilReady()
    await expect(checkout.field('Street and area')).toHaveValue('12 Kolam Street')
    await expect(page.getByRole('article')).toContainText('Sambar Powder')
  })

  test('fills in district and state from the pincode, even offline, but keeps a state that the shopper chose', async ({
    page,
    checkout
  }) => {
    await checkout.open()
    await checkout.field('Pincode').fill('641 001')
    await expect(checkout.field('District (optional)')).toHaveValue('Coimbatore')
    await expect(checkout.field('State')).toHaveValue('Tamil Nadu')
    await page.context().setOffline(true)
    await checkout.field('Pincode').fill('560001')
    await expect(checkout.field('State')).toHaveValue('Karnataka')
    await page.context().setOffline(false)
    await checkout.field('State').selectOption('Goa')
    await checkout.field('Pincode').fill('620001')
    await expect(checkout.field('District (optional)')).toHaveValue('Tiruchirappalli')
    await expect(checkout.field('State')).toHaveValue('Goa')
  })

  test('offers delivery dates from the day after tomorrow and rejects earlier ones', async ({
    page,
    checkout,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 400/)
    await checkout.openLoggedIn(shopper)
    const days = await checkout.field('Delivery date').locator('option').allTextContents()
    const dayFormat = new Intl.DateTimeFormat('en-IN', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      timeZone: 'Asia/Kolkata'
    })
    expect(days.slice(0, 2)).toEqual(['As soon as possible', dayFormat.format(Date.now() + 2 * 86_400_000)])
    await checkout.field('Delivery date').evaluate((select: HTMLSelectElement) => {
      select.options[1]?.setAttribute('value', '2026-01-01')
      select.selectedIndex = 1
    })
    await checkout.payNow()
    await expect(page.getByText('This date is too soon.')).toBeVisible()
    await expect(focusedElement(page)).toHaveAttribute('name', 'deliveryDate')
  })
})

test.describe('Checkout form at 320 px', () => {
  test.use({ ...desktop, viewport: { width: 320, height: 640 } })

  test('has no horizontal scrolling', async ({ page, checkout }) => {
    await checkout.open()
    await checkout.payNow()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
