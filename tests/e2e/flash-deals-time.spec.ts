import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { desktop } from '../support/browser.ts'
import { expect, test } from '../support/browser-deals.ts'
import { toast } from '../support/browser-login.ts'

const NOW = Date.parse('2026-11-21T04:00:00.000Z')
const at = (ms: number): string => new Date(NOW + ms).toISOString()

test.use(desktop)

test.describe('the numbers', () => {
  test('run for two seconds, a new one each 50 ms, pulsing, and settle on what the shop has drawn', async ({
    page,
    accounts,
    shopper,
    flash
  }) => {
    await flash.answer({ draw: 13 })
    await accounts.enter(page, shopper)
    await page.clock.install()
    await flash.open()
    await page.clock.pauseAt(Date.now() + MINUTE)
    await flash.ask(flash.name).click()
    const shown = flash.fact(flash.name, 'Your Discount')
    await expect(shown).toBeAttached()
    const numbers = [await shown.textContent()]
    for (let step = 1; step < 40; step++) {
      await page.clock.runFor(50)
      numbers.push(await shown.textContent())
    }
    for (const number of numbers) {
      expect(Number(number?.replace('%', ''))).toBeGreaterThanOrEqual(1)
      expect(Number(number?.replace('%', ''))).toBeLessThanOrEqual(100)
    }
    expect(new Set(numbers).size).toBeGreaterThan(10)
    const figures = flash.card(flash.name).locator('dl')
    await expect(shown).toHaveCSS('animation-name', 'beat')
    await expect(figures.locator('..')).toHaveAttribute('aria-hidden', 'true')
    await expect(flash.add(flash.name)).toBeDisabled()
    await expect(toast(page, 'Congratulations!')).toHaveCount(0)

    await page.clock.runFor(50)
    await expect(shown).toHaveText('13%')
    await expect(shown).toHaveCSS('animation-name', 'none')
    await expect(flash.add(flash.name)).toBeEnabled()
    await expect(toast(page, 'Congratulations! You got a 13% discount!')).toHaveCount(1)
    await page.clock.runFor(500)
    await expect(shown).toHaveText('13%')
    await expect(toast(page, 'Congratulations!')).toHaveCount(1)
  })

  test.describe('for who prefers less motion', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    test('stand at once', async ({ page, accounts, shopper, flash }) => {
      await flash.answer({ draw: 13 })
      await accounts.enter(page, shopper)
      await page.clock.install()
      await flash.open()
      await page.clock.pauseAt(Date.now() + MINUTE)
      await flash.ask(flash.name).click()
      await expect(flash.fact(flash.name, 'Your Discount')).toHaveText('13%')
      await expect(toast(page, 'Congratulations! You got a 13% discount!')).toHaveCount(1)
    })
  })
})

test.describe('the deals', () => {
  test('are asked for again each 60 s, and when the visitor comes back', async ({ page, flash }) => {
    let asked = 0
    await page.clock.install()
    await flash.answer({})
    page.on('request', request => void (asked += request.url().endsWith('/api/flash-deals') ? 1 : 0))
    await flash.open()
    await expect.poll(() => asked).toBe(1)
    await page.clock.pauseAt(Date.now() + 10 * SECOND)
    await page.clock.runFor(MINUTE)
    await expect.poll(() => asked).toBe(2)
    await page.clock.runFor(MINUTE)
    await expect.poll(() => asked).toBe(3)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => asked).toBe(4)
  })

  for (const [what, ahead] of Object.entries({ right: 0, 'three days late': -3 * DAY, 'a year ahead': 365 * DAY })) {
    test(`end in time with a clock that is ${what}`, async ({ page, flash }) => {
      const deals = flash.deals.map((deal, n) => ({
        ...deal,
        serverTime: at(0),
        endTime: at(n === 0 ? 50 * SECOND : HOUR)
      }))
      await flash.answer({ deals })
      await page.clock.install({ time: NOW + ahead })
      await flash.open()
      const card = flash.card(flash.name)
      await expect(card).toContainText(/0 min (4\d|50) s left/)
      await expect(flash.cards).toHaveCount(deals.length)
      await page.clock.fastForward(45 * SECOND)
      await expect(card).toHaveCount(1)
      await page.clock.fastForward(6 * SECOND)
      await expect(card).toHaveCount(0)
      await expect(flash.cards).toHaveCount(deals.length - 1)
      await expect(toast(page, `The deal on ${flash.name} has ended.`)).toBeVisible()
    })
  }

  test('that have all ended leave a next step, and the focus where it was', async ({ page, flash }) => {
    const [deal] = flash.deals.map(deal => ({ ...deal, serverTime: at(0), endTime: at(20 * SECOND) }))
    await flash.answer({ deals: deal ? [deal] : [] })
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
