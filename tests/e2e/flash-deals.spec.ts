import { paths } from '#lib/paths.ts'
import { formatDiscountedPrice } from '#lib/deal-view.ts'
import { desktop, phone } from '../support/browser.ts'
import { expect, test } from '../support/browser-deals.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { LoginPage, toast } from '../support/browser-login.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const [device, settings] of Object.entries({ phone, desktop })) {
  for (const [inputName, input] of Object.entries(INPUT_METHODS)) {
    test.describe(`Flash deals (${inputName}, ${device})`, () => {
      test.use(settings)

      test('a product with a drawn discount can be added to the cart, and a second device shows the discount', async ({
        page,
        browser,
        accounts,
        shopper,
        flash
      }) => {
        await accounts.logIn(page, shopper)
        await flash.open()
        await input.click(flash.drawButton(flash.firstDealName))
        await expect(toast(page, 'Congratulations!')).toHaveText(/Congratulations! You got a (\d+)% discount!/)
        const percent = Number((await flash.detail(flash.firstDealName, 'Your Discount').innerText()).replace('%', ''))
        expect(percent).toBeGreaterThanOrEqual(1)
        expect(percent).toBeLessThanOrEqual(flash.firstDeal.discountPercentage)
        const price = formatDiscountedPrice(flash.firstDeal.productId.price, percent)
        await expect(flash.detail(flash.firstDealName, 'Your Price')).toHaveText(price)
        await expect(flash.addButton(flash.firstDealName)).toBeFocused()
        await input.click(flash.addButton(flash.firstDealName))
        await expect(toast(page, 'Added to cart!')).toBeVisible()
        await expect(flash.card(flash.firstDealName)).toContainText('In Cart: 1')

        await page.goto(paths.cart)
        const line = page.getByRole('main').getByRole('article')
        await expect(line).toContainText(price)
        await expect(line).toContainText(`${percent}%`)

        const other = await browser.newContext({ baseURL: new URL(page.url()).origin })
        const laptop = await other.newPage()
        await accounts.logIn(laptop, shopper)
        await laptop.goto(paths.deals)
        await expect(laptop.getByRole('article').filter({ hasText: flash.firstDealName })).toContainText(
          `Your Discount${percent}%`
        )
        await other.close()
      })
    })
  }
}

test.describe('Flash deals: visitors', () => {
  test.use(phone)

  test('are redirected to the login 2 s after a tap on a deal and return to the deals after the login', async ({
    page,
    shopper,
    flash
  }) => {
    await page.clock.install()
    await flash.open()
    const loginButton = page.getByRole('button', { name: `Login to get discount: ${flash.firstDealName}` })
    await loginButton.tap()
    await expect(toast(page, 'Please login to get your personal discount')).toBeVisible()
    await page.clock.runFor(1900)
    expect(new URL(page.url()).pathname).toBe(paths.deals)
    await page.clock.runFor(200)
    await page.waitForURL(`**${paths.login}*`)
    await new LoginPage(page).logIn(shopper)
    await page.waitForURL(`**${paths.deals}`)
    await expect(flash.drawButton(flash.firstDealName)).toBeVisible()
  })

  test('see every deal with its discount range and remaining time', async ({ page, flash }) => {
    await flash.open()
    await expect(flash.cards).toHaveCount(flash.deals.length)
    for (const { productId, discountPercentage } of flash.deals) {
      const card = flash.card(productId.name)
      await expect(card.locator('s')).toHaveText(`₹${productId.price.toFixed(2)}`)
      await expect(card).toContainText(`Get 1–${discountPercentage}% off until`)
      await expect(card).toContainText(/\d+ (days?|h|min) \d+ (h|min|s) left/)
    }
    await flash.card(flash.firstDealName).getByRole('link').tap()
    await expect(page).toHaveURL(paths.product(flash.firstDeal.productId._id))
  })
})

test.describe('Flash deals without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('lists every deal with a product link and without buttons', async ({ page, flash }) => {
    await page.goto(paths.deals)
    await expect(flash.cards).toHaveCount(flash.deals.length)
    for (const { productId } of flash.deals) {
      await expect(page.getByRole('link', { name: productId.name })).toHaveAttribute(
        'href',
        paths.product(productId._id)
      )
    }
    await expect(page.getByRole('button', { name: /discount/ })).toHaveCount(0)
    await expect(page.locator('noscript p')).toBeVisible()
  })
})
