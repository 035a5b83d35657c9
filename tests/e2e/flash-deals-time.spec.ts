import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { desktop } from '../support/browser.ts'
import { expect, test } from '../support/browser-deals.ts'
import { toast } from '../support/browser-login.ts'

const NOW = Date.parse('2026-11-21T04:00:00.000Z')
const toISO = (ms: number): string => new Date(NOW + ms).toISOString()

test.use(desktop)

test.describe('Flash deal draw animation', () => {
  test('shows a new random number every 50 ms for 2 s, then the drawn discount', async ({
    page,
    accounts,
    shopper,
    flash
  }) => {
    await flash.mockApi({ drawnPercent: 13 })
    await accounts.logIn(page, shopper)
    await page.clock.install()
    await flash.open()
    await page.clock.pauseAt(Date.now() + MINUTE)
    await flash.drawButton(flash.firstDealName).click()
    const discount = flash.detail(flash.firstDealName, 'Your Discount')
    await expect(discount).toBeAttached()
    const numbers = [await discount.textContent()]
    for (let step = 1; step < 40; step++) {
      await page.clock.runFor(50)
      numbers.push(await discount.textContent())
    }
    for (const number of numbers) {
      expect(Number(number?.replace('%', ''))).toBeGreaterThanOrEqual(1)
      expect(Number(number?.replace('%', ''))).toBeLessThanOrEqual(100)
    }
    expect(new Set(numbers).size).toBeGreaterThan(10)
    const figures = flash.card(flash.firstDealName).locator('dl')
    await expect(discount).toHaveCSS('animation-name', 'beat')
    await expect(figures.locator('..')).toHaveAttribute('aria-hidden', 'true')
    await expect(flash.addButton(flash.firstDealName)).toBeDisabled()
    await expect(toast(page, 'Congratulations!')).toHaveCount(0)

    await page.clock.runFor(50)
    await expect(discount).toHaveText('13%')
    await expect(discount).toHaveCSS('animation-name', 'none')
    await expect(flash.addButton(flash.firstDealName)).toBeEnabled()
    await expect(toast(page, 'Congratulations! You got a 13% discount!')).toHaveCount(1)
    await page.clock.runFor(500)
    await expect(discount).toHaveText('13%')
    await expect(toast(page, 'Congratulations!')).toHaveCount(1)
  })

  test.describe('with reduced motion', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    test('shows the discount at once', async ({ page, accounts, shopper, flash }) => {
      await flash.mockApi({ drawnPercent: 13 })
      await accounts.logIn(page, shopper)
      await page.clock.install()
      await flash.open()
      await page.clock.pauseAt(Date.now() + MINUTE)
      await flash.drawButton(flash.firstDealName).click()
      await expect(flash.detail(flash.firstDealName, 'Your Discount')).toHaveText('13%')
      await expect(toast(page, 'Congratulations! You got a 13% discount!')).toHaveCount(1)
    })
  })
})

test.describe('Flash deals over time', () => {
  test('are loaded again every 60 s and when the tab becomes visible', async ({ page, flash }) => {
    let requests = 0
    await page.clock.install()
    await flash.mockApi({})
    page.on('request', request => void (requests += request.url().endsWith('/api/flash-deals') ? 1 : 0))
    await flash.open()
    await expect.poll(() => requests).toBe(1)
    await page.clock.pauseAt(Date.now() + 10 * SECOND)
    await page.clock.runFor(MINUTE)
    await expect.poll(() => requests).toBe(2)
    await page.clock.runFor(MINUTE)
    await expect.poll(() => requests).toBe(3)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => requests).toBe(4)
  })

  for (const [clockState, offset] of Object.entries({
    correct: 0,
    'three days slow': -3 * DAY,
    'a year fast': 365 * DAY
  })) {
    test(`end on time when the device clock is ${clockState}`, async ({ page, flash }) => {
      const deals = flash.deals.map((deal, n) => ({
        ...deal,
        serverTime: toISO(0),
        endTime: toISO(n === 0 ? 50 * SECOND : HOUR)
      }))
      await flash.mockApi({ deals })
      await page.clock.install({ time: NOW + offset })
      await flash.open()
      const card = flash.card(flash.firstDealName)
      await expect(card).toContainText(/0 min (4\d|50) s left/)
      await expect(flash.cards).toHaveCount(deals.length)
      await page.clock.fastForward(45 * SECOND)
      await expect(card).toHaveCount(1)
      await page.clock.fastForward(6 * SECOND)
      await expect(card).toHaveCount(0)
      await expect(flash.cards).toHaveCount(deals.length - 1)
      await expect(toast(page, `The deal on ${flash.firstDealName} has ended.`)).toBeVisible()
    })
  }

  test('are replaced by a message when all have ended, and the list gets the focus', async ({ page, flash }) => {
    const [deal] = flash.deals.map(deal => ({ ...deal, serverTime: toISO(0), endTime: toISO(20 * SECOND) }))
    await flash.mockApi({ deals: deal ? [deal] : [] })
    await page.clock.install({ time: NOW })
    await flash.open()
    await expect(flash.cards).toHaveCount(1)
    await page.getByRole('button', { name: /discount/ }).focus()
    await page.clock.fastForward(21 * SECOND)
    await expect(page.getByText('No active flash deals at the moment')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Running Deals' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'See our products' })).toBeFocused()
  })
})
