import type { Locator, Page } from 'playwright/test'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { paths } from '#lib/paths.ts'
import {
  axeFindings,
  desktop,
  expect,
  waitForScriptsAndFonts,
  phone,
  shopUrl,
  test as base
} from '../support/browser.ts'
import { tabTo } from '../support/browser-input.ts'

const DEALS_URL = '**/api/discounted-products'

const test = base.extend<{ deals: readonly DiscountedProduct[]; section: Locator }>({
  deals: async ({}, use) => {
    const response = await fetch(`${shopUrl()}/api/discounted-products`)
    await use((await response.json()) as DiscountedProduct[])
  },
  section: async ({ page }, use) => {
    const heading = page.getByRole('heading', { level: 2, name: 'Special Discounts Available' })
    await use(page.locator('section').filter({ has: heading }))
  }
})
test.use(phone)

test.describe('Deal carousel', () => {
  test('loads its script only when it is near the viewport', async ({ page, section }) => {
    const requests: string[] = []
    page.on('request', request => {
      if (/deal-swiper|discounted-products/.test(request.url())) requests.push(request.url())
    })
    await page.goto(paths.home)
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([])
    await loadCarousel(page, section)
    expect(requests.map(url => /api|deal-swiper/.exec(url)?.[0]).toSorted()).toEqual(['api', 'deal-swiper'])
  })

  test('shows the current deals from the API instead of the deals in the published page', async ({
    page,
    section,
    deals
  }) => {
    const [endedDeal, ...others] = deals
    if (!endedDeal) throw new Error('The shop has no deals')
    const newDeal = {
      ...endedDeal,
      _id: 'new',
      id: 'new',
      name: 'Kaju Katli',
      discountPercentage: 40,
      originalPrice: 400,
      discountedPrice: 240,
      product: { ...endedDeal.product, _id: 'kaju-katli' }
    }
    await page.route(DEALS_URL, route => route.fulfill({ json: [newDeal, ...others] }))
    await page.goto(paths.home)
    await loadCarousel(page, section)
    const slides = section.getByRole('listitem')
    await expect(slides).toHaveCount(deals.length)
    await expect(slides.filter({ hasText: endedDeal.name })).toHaveCount(0)
    const slide = slides.first()
    await expect(slide).toContainText('Up to 40% off: as low as ₹240.00')
    await expect(slide.locator('s')).toHaveText('₹400.00')
    await expect(slide.getByRole('link', { name: 'Kaju Katli' })).toHaveAttribute('href', paths.product('kaju-katli'))
    await slide.scrollIntoViewIfNeeded()
    await expect.poll(() => slide.locator('img').evaluate(isLoaded)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
  })

  for (const [cause, reply, text] of [
    ['a network error', undefined, 'Failed to load discounted products'],
    ['a server error', { status: 500, json: {} }, 'Failed to load discounted products'],
    ['an invalid response', { json: { deals: 1 } }, 'No active flash deals at the moment'],
    ['an empty list', { json: [] }, 'No active flash deals at the moment']
  ] as const) {
    test(`shows '${text}' after ${cause}`, async ({ page, section, allowedErrors }) => {
      allowedErrors.push(/net::ERR|status of 500/)
      await page.route(DEALS_URL, route => (reply ? route.fulfill(reply) : route.abort()))
      await page.goto(paths.home)
      await loadCarousel(page, section)
      await expect(section.getByRole('status')).toHaveText(text)
      await expect(section.getByRole('listitem')).toHaveCount(0)
      await expect(section.getByRole('button', { name: /discounts/ })).toHaveCount(0)
      await expect(section.getByRole('link', { name: 'Buy Now' })).toBeVisible()
    })
  }

  test('causes no layout shift when its script loads', async ({ page, section }) => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(paths.home)
    await waitForScriptsAndFonts(page)
    await loadCarousel(page, section)
    await section.scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
  })
})

test.describe('Deal carousel by keyboard', () => {
  test.use({ ...desktop, viewport: { width: 800, height: 800 } })

  test('scrolls to the focused slide, and its buttons go from the last slide to the first and back', async ({
    page,
    section,
    deals
  }) => {
    await page.goto(paths.home)
    await loadCarousel(page, section)
    for (const { name } of [...deals, ...deals.toReversed()]) {
      await tabTo(section.getByRole('link', { name }))
      await expectShown(section.getByRole('listitem').filter({ hasText: name }))
    }
    const slides = section.getByRole('listitem')
    await tabTo(section.getByRole('button', { name: 'Next discounts' }))
    await expectShown(slides.last())
    await page.keyboard.press('Enter')
    await expectShown(slides.first())
    await tabTo(section.getByRole('button', { name: 'Previous discounts' }))
    await page.keyboard.press('Enter')
    await expectShown(slides.last())
  })
})

test.describe('Deal carousel with reduced motion', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('moves without animation', async ({ page, section }) => {
    await page.goto(paths.home)
    await loadCarousel(page, section)
    await section.getByRole('button', { name: 'Next discounts' }).tap()
    const second = section.getByRole('listitem').nth(1)
    await expect.poll(() => second.evaluate(slide => slide.getBoundingClientRect().left)).toBeLessThan(60)
    await expect(section.getByRole('list')).toHaveCSS('transition-duration', /^(0s|0\.001s|1ms)/)
  })
})

test.describe('Deal carousel without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is a horizontally scrolling list', async ({ page, section, deals }) => {
    await page.goto(paths.home)
    await expect(section.getByRole('listitem')).toHaveCount(deals.length)
    await expect(section.getByRole('button')).toHaveCount(0)
    const [scrollWidth, clientWidth] = await section
      .locator('deal-swiper')
      .evaluate(frame => [frame.scrollWidth, frame.clientWidth])
    expect(scrollWidth).toBeGreaterThan(clientWidth ?? Infinity)
  })
})

async function loadCarousel(page: Page, section: Locator): Promise<void> {
  const request = page.waitForRequest(DEALS_URL)
  await section.scrollIntoViewIfNeeded()
  const response = await (await request).response().catch(() => null)
  await response?.finished()
  await expect(page.locator('[data-swiper]')).toBeAttached()
}

async function expectShown(slide: Locator): Promise<void> {
  const visibleShare = (): Promise<number> =>
    slide.evaluate(element => {
      const { left, right, width } = element.getBoundingClientRect()
      return (Math.min(right, innerWidth) - Math.max(left, 0)) / width
    })
  await expect.poll(visibleShare).toBeGreaterThan(0.9)
}

function isLoaded(image: HTMLImageElement | SVGElement): boolean {
  return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0
}
