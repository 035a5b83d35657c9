import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { DRAW_ANIMATION_STEP } from '#lib/time.ts'
import { axeFindings, desktop, narrowest, phone } from '../support/browser.ts'
import { delayRequests } from '../support/browser-calls.ts'
import { DRAW_URL, expect, test, type FlashDealsPage } from '../support/browser-deals.ts'
import { toast } from '../support/browser-login.ts'

const MIN_TARGET_PX = 44

for (const [width, device] of Object.entries({ '320': narrowest, '360': phone, '1280': desktop })) {
  test.describe(`Flash deals: accessibility at ${width} px`, () => {
    test.use(device)
    test.describe.configure({ timeout: 90_000 })

    test('a deal is accessible before and during the draw', async ({ page, accounts, shopper, flash }) => {
      await flash.open()
      await expectAccessible(flash, 'visitor')
      await accounts.logIn(page, shopper)
      await freezeAnimation(page)
      await flash.mockApi({ drawnPercent: 13 })
      await flash.open()
      await expect(flash.drawButton(flash.firstDealName)).toBeVisible()
      await expectAccessible(flash, 'not drawn')
      const calls = await delayRequests(page, DRAW_URL)
      await flash.drawButton(flash.firstDealName).click()
      const generating = page.getByRole('button', { name: `Generating your discount...: ${flash.firstDealName}` })
      await expect(generating).toBeVisible()
      await expectAccessible(flash, 'being drawn')
      calls.release()
      await expect(flash.addButton(flash.firstDealName)).toBeDisabled()
      await expectAccessible(flash, 'animating')
    })

    test('a drawn discount is accessible before and after it is added to the cart', async ({
      page,
      accounts,
      shopper,
      flash
    }) => {
      await flash.mockApi({ discounts: [flash.makeDiscount(13)] })
      await accounts.logIn(page, shopper)
      await flash.open()
      await expect(flash.addButton(flash.firstDealName)).toBeVisible()
      await expectAccessible(flash, 'drawn')
      await flash.addButton(flash.firstDealName).click()
      await expect(toast(page, 'Added to cart!')).toBeVisible()
      await expectAccessible(flash, 'in the cart')
    })

    test('the page is accessible with used deals, sold-out deals, no deals or a loading error', async ({
      page,
      accounts,
      shopper,
      flash,
      allowedErrors
    }) => {
      allowedErrors.push(/status of 503|net::ERR/)
      await accounts.logIn(page, shopper)
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
      await expect(flash.card(used.productId.name)).toContainText('You have already used this discount.')
      await expect(flash.card(soldOut.productId.name).getByRole('button')).toBeDisabled()
      await expect(page.getByText('Product Name Not Available')).toBeVisible()
      await expectAccessible(flash, 'used, sold out, without product')
      await page.getByRole('button', { name: 'Click to get your discount: Product Name Not Available' }).click()
      await expect(toast(page, 'Product information is missing')).toBeVisible()
      await flash.drawButton(others[0]?.productId.name ?? '').click()
      await expect(toast(page, 'Failed to generate discount. Please try again.')).toBeVisible()
      await expectAccessible(flash, 'failed')
      await page.unroute('**/api/flash-deals')
      await page.route('**/api/flash-deals', route => route.abort())
      await page.reload()
      await expect(page.getByText('Failed to load flash deals. Please try again later.')).toBeVisible()
      await expectAccessible(flash, 'load error')
      await page.unroute('**/api/flash-deals')
      await page.route('**/api/flash-deals', route => route.fulfill({ json: [] }))
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No active flash deals at the moment')).toBeVisible()
      await expectAccessible(flash, 'no deals')
    })
  })
}

test.describe('Flash deals: hydration', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

  for (const [content, stored] of Object.entries({
    'a discount that was drawn': undefined,
    'broken JSON': '[{"dealId":',
    'an object': '{"pak":12}',
    'a forged discount': '[{"dealId":"x","productId":"y","discount":-5,"isAnimating":"no"}]'
  })) {
    test(`works even if localStorage contains ${content}`, async ({ page, accounts, shopper, flash }) => {
      const discounts = stored === undefined ? [flash.makeDiscount(13)] : []
      await flash.mockApi({ discounts })
      const { user } = await accounts.logIn(page, shopper)
      const { dealId, productId } = flash.makeDiscount(13)
      const record = { dealId, productId, discount: 13, isAnimating: true, timestamp: Date.now(), used: false }
      await page.evaluate(
        ([key = '', value = '']) => localStorage.setItem(key, value),
        [`discounts:${user._id}`, stored ?? JSON.stringify([record])]
      )
      await page.evaluate(() => localStorage.setItem('cart', '[{"_id":'))
      await flash.open()
      await expect(
        stored === undefined ? flash.addButton(flash.firstDealName) : flash.drawButton(flash.firstDealName)
      ).toBeVisible()
      await page.waitForLoadState('networkidle')
    })
  }

  test('causes no layout shift', async ({ page, accounts, shopper, flash }) => {
    await accounts.logIn(page, shopper)
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await flash.open()
    await expect(flash.drawButton(flash.firstDealName)).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
  })

  test('does not change the heading and the page title', async ({ page, flash }) => {
    await flash.open()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flash Deals')
    await expect(page).toHaveTitle(/^Flash Deals/)
    await expect(page.getByText(/Prices that change every second/)).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(paths.deals)
  })
})

async function freezeAnimation(page: Page): Promise<void> {
  await page.addInitScript(step => {
    const originalSetInterval = window.setInterval.bind(window)
    Object.assign(window, {
      setInterval: (action: TimerHandler, ms?: number) => originalSetInterval(action, ms === step ? 2 ** 30 : ms)
    })
  }, DRAW_ANIMATION_STEP)
}

async function expectAccessible({ page }: FlashDealsPage, state: string): Promise<void> {
  // Wait until all toasts have faded in, because axe would report their low contrast.
  await page.locator('toast-region').evaluate(async region => {
    await Promise.all(region.getAnimations({ subtree: true }).map(({ finished }) => finished))
  })
  expect(await axeFindings(page), state).toEqual([])
  const small = await page
    .getByRole('main')
    .locator('a, button')
    .filter({ visible: true })
    .evaluateAll(
      (all, min) =>
        all
          .filter(element => element.getBoundingClientRect().height < min - 0.5)
          .map(element => element.outerHTML.slice(0, 120)),
      MIN_TARGET_PX
    )
  expect(small, state).toEqual([])
  const [scrollWidth, viewportWidth] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(scrollWidth, state).toBeLessThanOrEqual(viewportWidth ?? 0)
}
