import { paths } from '#lib/paths.ts'
import { personalPrice } from '#lib/deal-view.ts'
import { desktop, phone } from '../support/browser.ts'
import { expect, test } from '../support/browser-deals.ts'
import { HANDS } from '../support/browser-hands.ts'
import { LoginPage, toast } from '../support/browser-login.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const [device, settings] of Object.entries({ phone, desktop })) {
  for (const [hand, hands] of Object.entries(HANDS)) {
    test.describe(`with the ${hand} on a ${device}`, () => {
      test.use(settings)

      test('a discount is drawn, goes into the cart and is found again on another device', async ({
        page,
        browser,
        accounts,
        shopper,
        flash
      }) => {
        await accounts.enter(page, shopper)
        await flash.open()
        await hands.press(flash.ask(flash.name))
        await expect(toast(page, 'Congratulations!')).toHaveText(/Congratulations! You got a (\d+)% discount!/)
        const percent = Number((await flash.fact(flash.name, 'Your Discount').innerText()).replace('%', ''))
        expect(percent).toBeGreaterThanOrEqual(1)
        expect(percent).toBeLessThanOrEqual(flash.first.discountPercentage)
        const price = personalPrice(flash.first.productId.price, percent)
        await expect(flash.fact(flash.name, 'Your Price')).toHaveText(price)
        await expect(flash.add(flash.name)).toBeFocused()
        await hands.press(flash.add(flash.name))
        await expect(toast(page, 'Added to cart!')).toBeVisible()
        await expect(flash.card(flash.name)).toContainText('In Cart: 1')

        await page.goto(paths.cart)
        const line = page.getByRole('main').getByRole('article')
        await expect(line).toContainText(price)
        await expect(line).toContainText(`${percent}%`)

        const other = await browser.newContext({ baseURL: new URL(page.url()).origin })
        const laptop = await other.newPage()
        await accounts.enter(laptop, shopper)
        await laptop.goto(paths.deals)
        await expect(laptop.getByRole('article').filter({ hasText: flash.name })).toContainText(
          `Your Discount${percent}%`
        )
        await other.close()
      })
    })
  }
}

test.describe('a visitor', () => {
  test.use(phone)

  test('is told to login, taken there after 2 s, and back to the deals', async ({ page, shopper, flash }) => {
    await page.clock.install()
    await flash.open()
    const ask = page.getByRole('button', { name: `Login to get discount: ${flash.name}` })
    await ask.tap()
    await expect(toast(page, 'Please login to get your personal discount')).toBeVisible()
    await page.clock.runFor(1900)
    expect(new URL(page.url()).pathname).toBe(paths.deals)
    await page.clock.runFor(200)
    await page.waitForURL(`**${paths.login}*`)
    await new LoginPage(page).logIn(shopper)
    await page.waitForURL(`**${paths.deals}`)
    await expect(flash.ask(flash.name)).toBeVisible()
  })

  test('sees every deal with its range and its time', async ({ page, flash }) => {
    await flash.open()
    await expect(flash.cards).toHaveCount(flash.deals.length)
    for (const { productId, discountPercentage } of flash.deals) {
      const card = flash.card(productId.name)
      await expect(card.locator('s')).toHaveText(`₹${productId.price.toFixed(2)}`)
      await expect(card).toContainText(`between 1% and ${discountPercentage}% off, yours until`)
      await expect(card).toContainText(/\d+ (days?|h|min) \d+ (h|min|s) left/)
    }
    await flash.card(flash.name).getByRole('link').tap()
    await expect(page).toHaveURL(paths.product(flash.first.productId._id))
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every deal is there, with a way to its product, and nothing that can’t be pressed', async ({ page, flash }) => {
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
