import { formatDiscountedPrice } from '#lib/deal-view.ts'
import { paths } from '#lib/paths.ts'
import { DAY, DRAW_ANIMATION_STEP, MINUTE, SECOND } from '#lib/time.ts'
import { expectAccessible, recordLayoutShifts } from '../support/browser-checks.ts'
import { DRAW_URL } from '../support/browser-deals.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { LoginPage, toast } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const { click } = INPUT_METHODS.keyboard
const DEALS_URL = '**/api/flash-deals'
const NOW = Date.parse('2026-11-21T04:00:00.000Z')
const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const

const toISO = (ms: number): string => new Date(NOW + ms).toISOString()

test.describe('Flash deals by keyboard', () => {
  test.use(desktop)

  test('a drawn discount can be used in the cart and is shown on a second device', async ({
    page,
    browser,
    accounts,
    shopper,
    flash
  }) => {
    const name = flash.firstDealName
    const layoutShift = await recordLayoutShifts(page)
    await accounts.logIn(page, shopper)
    await flash.open()
    await expect(flash.drawButton(name)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await layoutShift()).toBeLessThan(0.01)
    await click(flash.drawButton(name))
    await expect(toast(page, 'Congratulations!')).toHaveText(
      /Congratulations! You got a (\d+)% discount!/
    )
    const percent = Number((await flash.detail(name, 'Your Discount').innerText()).replace('%', ''))
    expect(percent).toBeGreaterThanOrEqual(1)
    expect(percent).toBeLessThanOrEqual(flash.firstDeal.discountPercentage)
    const price = formatDiscountedPrice(flash.firstDeal.productId.price, percent)
    await expect(flash.detail(name, 'Your Price')).toHaveText(price)
    await expect(flash.addButton(name)).toBeFocused()
    await click(flash.addButton(name))
    await expect(toast(page, 'Added to cart!')).toBeVisible()
    await expect(flash.card(name)).toContainText('In Cart: 1')
    await expectAccessible(page, 'drawn and in the cart')

    await page.goto(paths.cart)
    const line = page.getByRole('main').getByRole('article')
    await expect(line).toContainText(price)
    await expect(line).toContainText(`${percent}%`)

    const other = await browser.newContext({ baseURL: new URL(page.url()).origin })
    const laptop = await other.newPage()
    await accounts.logIn(laptop, shopper)
    await laptop.goto(paths.deals)
    await expect(laptop.getByRole('article').filter({ hasText: name })).toContainText(
      `Your Discount${percent}%`
    )
    await other.close()
  })
})

test.describe('Flash deals on a phone', () => {
  test.use(phone)

  test('redirect visitors to the login 2 s after a tap and open again after the login', async ({
    page,
    shopper,
    flash
  }) => {
    await page.clock.install()
    await flash.open()
    await expect(page).toHaveTitle(/^Flash Deals/)
    await expect(flash.cards).toHaveCount(flash.deals.length)
    for (const { productId, discountPercentage } of flash.deals) {
      const card = flash.card(productId.name)
      await expect(card.locator('s')).toHaveText(`₹${productId.price.toFixed(2)}`)
      await expect(card).toContainText(`Get 1–${discountPercentage}% off until`)
      await expect(card).toContainText(/\d+ (days?|h|min) \d+ (h|min|s) left/)
    }
    await page.getByRole('button', { name: `Login to get discount: ${flash.firstDealName}` }).tap()
    await expect(toast(page, 'Please login to get your personal discount')).toBeVisible()
    await page.clock.runFor(1900)
    expect(new URL(page.url()).pathname).toBe(paths.deals)
    await page.clock.runFor(200)
    await page.waitForURL(`**${paths.login}*`)
    await new LoginPage(page).logIn(shopper)
    await page.waitForURL(`**${paths.deals}`)
    await expect(flash.drawButton(flash.firstDealName)).toBeVisible()
  })

  test('are accessible if used, sold out, without product, failed or empty', async ({
    page,
    accounts,
    shopper,
    flash,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 503|net::ERR/)
    const { user } = await accounts.logIn(page, shopper)
    await page.evaluate(key => localStorage.setItem(key, '[{"dealId":'), `discounts:${user._id}`)
    const [used, soldOut, nameless, ...others] = flash.deals
    if (!used || !soldOut || !nameless) throw new Error('The shop has too few deals')
    const deals = [
      used,
      { ...soldOut, productId: { ...soldOut.productId, stock: 0 } },
      { ...nameless, productId: null as never },
      ...others
    ]
    await flash.mockApi({
      deals,
      discounts: [flash.makeDiscount(5, used, { used: true }), flash.makeDiscount(7, soldOut)]
    })
    await page.route(DRAW_URL, route => route.fulfill({ status: 503, json: {} }))
    await flash.open()
    await expect(flash.card(used.productId.name)).toContainText(
      'You have already used this discount.'
    )
    await expect(flash.card(soldOut.productId.name).getByRole('button')).toBeDisabled()
    await page
      .getByRole('button', { name: 'Click to get your discount: Product Name Not Available' })
      .click()
    await expect(toast(page, 'Product information is missing')).toBeVisible()
    await flash.drawButton(others[0]?.productId.name ?? '').click()
    await expect(toast(page, 'Failed to generate discount. Please try again.')).toBeVisible()
    await expectAccessible(page, 'used, sold out, without product, failed')
    await page.unroute(DEALS_URL)
    await page.route(DEALS_URL, route => route.abort())
    await page.reload()
    await expect(
      page.getByText('Failed to load flash deals. Please try again later.')
    ).toBeVisible()
    await page.unroute(DEALS_URL)
    await page.route(DEALS_URL, route => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('No active flash deals at the moment')).toBeVisible()
  })
})

test.describe('Draw of a discount', () => {
  test.use({ ...phone, ...WITH_MOTION })

  test('shows changing numbers for 2 s, hidden from screen readers, then the discount', async ({
    page,
    accounts,
    shopper,
    flash
  }) => {
    const name = flash.firstDealName
    await flash.mockApi({ drawnPercent: 13 })
    await accounts.logIn(page, shopper)
    await page.clock.install()
    await flash.open()
    await page.clock.pauseAt(Date.now() + MINUTE)
    await flash.drawButton(name).click()
    const discount = flash.detail(name, 'Your Discount')
    await expect(discount).toBeAttached()
    const numbers = new Set<string | null>()
    for (let step = 0; step < 10; step++) {
      numbers.add(await discount.textContent())
      await page.clock.runFor(DRAW_ANIMATION_STEP)
    }
    expect(numbers.size).toBeGreaterThan(3)
    await expect(discount).toHaveCSS('animation-name', 'beat')
    await expect(flash.card(name).locator('dl').locator('..')).toHaveAttribute(
      'aria-hidden',
      'true'
    )
    await expect(flash.addButton(name)).toBeDisabled()
    await expect(toast(page, 'Congratulations!')).toHaveCount(0)
    await page.clock.runFor(2 * SECOND)
    await expect(discount).toHaveText('13%')
    await expect(discount).toHaveCSS('animation-name', 'none')
    await expect(flash.addButton(name)).toBeEnabled()
    await expect(toast(page, 'Congratulations! You got a 13% discount!')).toHaveCount(1)
  })
})

test.describe('Flash deals over time', () => {
  test.use(desktop)

  test('end on time even if the device clock is a year fast, and the list gets the focus when all have ended', async ({
    page,
    flash
  }) => {
    const deals = flash.deals
      .slice(0, 2)
      .map((deal, n) => ({ ...deal, serverTime: toISO(0), endTime: toISO((n + 2) * 15 * SECOND) }))
    await flash.mockApi({ deals })
    await page.clock.install({ time: NOW + 365 * DAY })
    await flash.open()
    const card = flash.card(flash.firstDealName)
    await expect(card).toContainText(/0 min (2\d|30) s left/)
    await page.clock.fastForward(20 * SECOND)
    await expect(card).toHaveCount(1)
    await page.clock.fastForward(11 * SECOND)
    await expect(card).toHaveCount(0)
    await expect(toast(page, `The deal on ${flash.firstDealName} has ended.`)).toBeVisible()
    await page.getByRole('button', { name: /discount/ }).focus()
    await page.clock.fastForward(15 * SECOND)
    await expect(page.getByText('No active flash deals at the moment')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Running Deals' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'See our products' })).toBeFocused()
  })
})
