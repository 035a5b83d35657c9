import { INVOICE, paths } from '#lib/paths.ts'
import { desktop, phone } from '../support/browser.ts'
import { answerCodes } from '../support/browser-calls.ts'
import { expect, LADDU, SAMBAR, test } from '../support/browser-checkout.ts'
import { isWellMade } from '../support/browser-well-made.ts'

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`at ${width} px nothing is found wrong with`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })
    // Axe takes a second or more for each state.
    test.describe.configure({ timeout: 120_000 })
    test.beforeEach(({ forgiven }) => void forgiven.push(/status of [45]\d\d|net::ERR/))

    test('the checkout of a visitor: empty, accused, asking for a code', async ({ page, checkout }) => {
      await answerCodes(page)
      await checkout.open(SAMBAR, LADDU)
      await isWellMade(page, 'empty')
      await checkout.payNow()
      await isWellMade(page, 'accused')
      await checkout.fill('anita@example.test')
      await checkout.pay.click()
      await expect(page.getByLabel('One-time code')).toBeVisible()
      await isWellMade(page, 'code')
    })

    test('the checkout of a shopper: saved address, cancelled, refused, being placed, placed', async ({
      page,
      checkout,
      shopper
    }) => {
      await checkout.openAs(shopper)
      await isWellMade(page, 'saved')
      await checkout.payNow()
      await checkout.closeWindow()
      await expect(page.getByText('Payment was cancelled.')).toBeVisible()
      await isWellMade(page, 'cancelled')
      await page.route('**/checkout.js', route => route.abort())
      await page.reload()
      await checkout.ready()
      await checkout.payNow()
      await expect(page.getByText('Razorpay SDK failed to load. Are you online?')).toBeVisible()
      await isWellMade(page, 'refused')
      await page.unroute('**/checkout.js')
      let lost = true
      await page.route('**/api/orders', route => (lost ? route.abort() : route.fallback()))
      await checkout.pay.click()
      await checkout.payInWindow()
      await expect(checkout.heading).toHaveText('Payment successful, but failed to finalize order.')
      await isWellMade(page, 'not finalised')
      lost = false
      await checkout.placed()
      await isWellMade(page, 'placed')
      const [order] = await checkout.orders()
      await page.goto(paths.orders)
      await page.getByRole('article').getByText('Details').click()
      await isWellMade(page, 'orders')
      await page.getByRole('button', { name: /^Cancel order/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await isWellMade(page, 'cancelling')
      await page.goto(`${INVOICE}?order=${order?._id ?? ''}`)
      await expect(page.getByRole('article', { name: 'Invoice' })).toBeVisible()
      await isWellMade(page, 'invoice')
    })
  })
}
