import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { waitForHydration } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'
import { answerPincode, OFFER, PICKUP } from '../support/delivery.ts'

/**
 * Makes the cart page that of a shop with fees and pickup. Publishing such settings would take half
 * a minute.
 */
async function openCartWithFees(page: Page): Promise<void> {
  await page.route(`**${paths.cart}`, async route => {
    const response = await route.fetch()
    const html = (await response.text()).replace(
      /(&quot;has(?:Fees|Pickup)&quot;:\[0,)false/g,
      '$1true'
    )
    await route.fulfill({ response, body: html })
  })
  const answer = answerPincode({
    delivery: OFFER,
    pickup: PICKUP,
    pickupText: 'Daily from 10 am to 7 pm.'
  })
  await page.route('**/api/delivery?*', async route => {
    await route.fulfill({ json: await answer(route.request().url()).json() })
  })
  await page.goto(paths.product('sambar-powder'))
  await page
    .getByRole('button', { name: /^Add to Cart/ })
    .first()
    .click()
  await page.goto(paths.cart)
  await waitForHydration(page)
}

for (const [device, options] of [
  ['a phone', phone],
  ['a laptop', desktop]
] as const) {
  test.describe(`Delivery on ${device}`, () => {
    test.use({
      ...options,
      allowedErrors: async ({}, use) => use([/status of 40[49]/, /ERR_INTERNET_DISCONNECTED/])
    })

    test('a pincode is answered by keyboard, remembered, and kept without a connection', async ({
      page,
      context
    }) => {
      await page.goto(paths.product('sambar-powder'))
      const field = page.getByLabel('Pincode')
      const answer = page.locator('pincode-box').getByRole('status')
      await field.fill('999 999')
      const button = page.getByRole('button', { name: 'Check delivery' })
      await expect(button).toBeEnabled()
      await field.press('Enter')
      await expect(answer).toHaveText('There is no such pincode. Please check it.')
      await context.setOffline(true)
      await field.fill('620018')
      await field.press('Enter')
      await expect(answer).toContainText('We cannot reach the shop.')
      await expectAccessible(page, 'failed')
      await context.setOffline(false)
      await expect(field).toHaveValue('620018')
      await field.press('Enter')
      await expect(answer).toContainText('Delivers to 620018 Thillai Nagar from')
      const change = page.getByRole('button', { name: 'Change' })
      await expect(change).toBeFocused()
      await expectAccessible(page, 'answered')
      await change.press('Enter')
      await expect(field).toBeFocused()

      await page.goto(paths.products)
      await expect(answer).toContainText('Delivers to 620018 Thillai Nagar from')
    })

    test('fee, pickup, open days and a day that fills up', async ({
      page,
      checkout,
      accounts,
      shopper
    }) => {
      await accounts.logIn(page, shopper)
      await openCartWithFees(page)
      await expect(page.getByText('depends on your pincode')).toBeVisible()
      await page.getByRole('button', { name: 'Enter your pincode for date and fee' }).click()
      await expect(checkout.field('Pincode')).toBeFocused()
      await checkout.fill(shopper.email)
      await expect(checkout.payButton).toHaveText('Pay Now · ₹220.00')

      const day = checkout.field('Delivery date')
      await expect(day.locator('optgroup').first()).toHaveAttribute('label', 'November 2026')
      await expect(day.getByRole('option', { name: 'Thursday, 26 November · full' })).toBeDisabled()
      await day.selectOption('2026-11-25')

      await page.getByRole('radio', { name: /^Pickup/ }).check()
      await expect(page.getByText('Daily from 10 am to 7 pm.')).toBeVisible()
      await expect(checkout.field('Street and area')).toBeHidden()
      await expect(checkout.payButton).toHaveText('Pay Now · ₹160.00')
      await expectAccessible(page, 'pickup')
      await page.getByRole('radio', { name: /^Delivery/ }).check()
      await expect(checkout.field('Street and area')).toHaveValue('12 Kolam Street')

      const taken = {
        code: 'DAY_FULL',
        message: 'Full.',
        nextDay: '2026-11-30',
        fields: { deliveryDate: 'Full.' }
      }
      await page.route('**/api/payments/razorpay-order', route =>
        route.fulfill({ status: 409, json: taken })
      )
      await checkout.payNow()
      await expect(
        page.getByText('Wednesday, 25 November is full. We chose Monday, 30 November')
      ).toBeInViewport()
      await expect(day).toBeFocused()
      await expect(day).toHaveValue('2026-11-30')
      await expectAccessible(page, 'full day')
    })
  })
}
