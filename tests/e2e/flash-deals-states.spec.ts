import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { SPIN_STEP } from '#lib/time.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { withhold } from '../support/browser-calls.ts'
import { DRAW, expect, test, type FlashPage } from '../support/browser-deals.ts'
import { toast } from '../support/browser-login.ts'

/** What a thumb needs, in px. */
const TARGET = 44

for (const [width, device] of Object.entries({ '320': narrowest, '360': phone, '1280': desktop })) {
  test.describe(`at ${width} px nothing is found wrong with the deals`, () => {
    test.use(device)
    // Axe takes a second or more for each state.
    test.describe.configure({ timeout: 90_000 })

    test('of a visitor, not drawn, being drawn, running', async ({ page, accounts, shopper, flash }) => {
      await flash.open()
      await isWellMade(flash, 'visitor')
      await accounts.enter(page, shopper)
      await holdNumbers(page)
      await flash.answer({ draw: 13 })
      await flash.open()
      await expect(flash.ask(flash.name)).toBeVisible()
      await isWellMade(flash, 'not drawn')
      const calls = await withhold(page, DRAW)
      await flash.ask(flash.name).click()
      const generating = page.getByRole('button', { name: `Generating your discount...: ${flash.name}` })
      await expect(generating).toBeVisible()
      await isWellMade(flash, 'being drawn')
      calls.release()
      await expect(flash.add(flash.name)).toBeDisabled()
      await isWellMade(flash, 'running')
    })

    test('drawn, in the cart', async ({ page, accounts, shopper, flash }) => {
      await flash.answer({ mine: [flash.drawn(13)] })
      await accounts.enter(page, shopper)
      await flash.open()
      await expect(flash.add(flash.name)).toBeVisible()
      await isWellMade(flash, 'drawn')
      await flash.add(flash.name).click()
      await expect(toast(page, 'Added to cart!')).toBeVisible()
      await isWellMade(flash, 'in the cart')
    })

    test('used, sold out, failed, without product, not to be loaded, none', async ({
      page,
      accounts,
      shopper,
      flash,
      forgiven
    }) => {
      forgiven.push(/status of 503|net::ERR/)
      await accounts.enter(page, shopper)
      const [used, soldOut, nameless, ...others] = flash.deals
      if (!used || !soldOut || !nameless) throw new Error('The shop has too few deals')
      const deals = [
        used,
        { ...soldOut, productId: { ...soldOut.productId, stock: 0 } },
        { ...nameless, productId: null as never },
        ...others
      ]
      await flash.answer({ deals, mine: [flash.drawn(5, used, { used: true }), flash.drawn(7, soldOut)] })
      await page.route(DRAW, route => route.fulfill({ status: 503, json: {} }))
      await flash.open()
      await expect(flash.card(used.productId.name)).toContainText('You have used this discount in an order.')
      await expect(flash.card(soldOut.productId.name).getByRole('button')).toBeDisabled()
      await expect(page.getByText('Product Name Not Available')).toBeVisible()
      await isWellMade(flash, 'used, sold out, without product')
      await page.getByRole('button', { name: 'Click to get your discount: Product Name Not Available' }).click()
      await expect(toast(page, 'Product information is missing')).toBeVisible()
      await flash.ask(others[0]?.productId.name ?? '').click()
      await expect(toast(page, 'Failed to generate discount. Please try again.')).toBeVisible()
      await isWellMade(flash, 'failed')
      await page.unroute('**/api/flash-deals')
      await page.route('**/api/flash-deals', route => route.abort())
      await page.reload()
      await expect(page.getByText('Failed to load flash deals. Please try again later.')).toBeVisible()
      await isWellMade(flash, 'not to be loaded')
      await page.unroute('**/api/flash-deals')
      await page.route('**/api/flash-deals', route => route.fulfill({ json: [] }))
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No active flash deals at the moment')).toBeVisible()
      await isWellMade(flash, 'none')
    })
  })
}

test.describe('the prebuilt deals', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  for (const [what, planted] of Object.entries({
    'a discount that was drawn': undefined,
    'broken JSON': '[{"dealId":',
    'something else': '{"pak":12}',
    'a forged discount': '[{"dealId":"x","productId":"y","discount":-5,"isAnimating":"no"}]'
  })) {
    test(`come to life over ${what} in storage without a complaint`, async ({ page, accounts, shopper, flash }) => {
      const mine = planted === undefined ? [flash.drawn(13)] : []
      await flash.answer({ mine })
      const { user } = await accounts.enter(page, shopper)
      const { dealId, productId } = flash.drawn(13)
      const record = { dealId, productId, discount: 13, isAnimating: true, timestamp: Date.now(), used: false }
      await page.evaluate(
        ([key = '', value = '']) => localStorage.setItem(key, value),
        [`discounts:${user._id}`, planted ?? JSON.stringify([record])]
      )
      await page.evaluate(() => localStorage.setItem('cart', '[{"_id":'))
      await flash.open()
      await expect(planted === undefined ? flash.add(flash.name) : flash.ask(flash.name)).toBeVisible()
      await page.waitForLoadState('networkidle')
    })
  }

  test('don’t move while they come to life', async ({ page, accounts, shopper, flash }) => {
    await accounts.enter(page, shopper)
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await flash.open()
    await expect(flash.ask(flash.name)).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
  })

  test('have one main heading, and the name of the page', async ({ page, flash }) => {
    await flash.open()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flash Deals')
    await expect(page).toHaveTitle(/^Flash Deals/)
    await expect(page.getByText(/Prices that change every second/)).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(paths.deals)
  })
})

/** The first number stays for as long as a test likes. */
async function holdNumbers(page: Page): Promise<void> {
  await page.addInitScript(step => {
    const usual = window.setInterval.bind(window)
    Object.assign(window, {
      setInterval: (action: TimerHandler, ms?: number) => usual(action, ms === step ? 2 ** 30 : ms)
    })
  }, SPIN_STEP)
}

/** Nothing for axe, nothing beyond the screen's edge, and no target too small for a thumb. */
async function isWellMade({ page }: FlashPage, state: string): Promise<void> {
  // What is still coming into view has less contrast.
  await page.locator('toast-region').evaluate(async region => {
    await Promise.all(region.getAnimations({ subtree: true }).map(({ finished }) => finished))
  })
  expect(await axeFindings(page), state).toEqual([])
  const small = await page
    .getByRole('main')
    .locator('a, button')
    .filter({ visible: true })
    .evaluateAll(
      (all, least) =>
        all.filter(one => one.getBoundingClientRect().height < least - 0.5).map(one => one.outerHTML.slice(0, 120)),
      TARGET
    )
  expect(small, state).toEqual([])
  const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(wide, state).toBeLessThanOrEqual(width ?? 0)
}
