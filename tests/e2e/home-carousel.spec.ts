import type { Locator, Page } from 'playwright/test'
import type { DiscountedProduct } from '#lib/contract/deals.ts'
import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, expect, opened, phone, shopUrl, test as base } from '../support/browser.ts'
import { tabTo } from '../support/browser-hands.ts'

const CALL = '**/api/discounted-products'

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

test.describe('the carousel', () => {
  test('comes to life when it is near, and not before', async ({ page, section }) => {
    const scripts: string[] = []
    page.on('request', request => {
      if (/deal-swiper|discounted-products/.test(request.url())) scripts.push(request.url())
    })
    await page.goto(paths.home)
    await page.waitForLoadState('networkidle')
    expect(scripts).toEqual([])
    await near(page, section)
    expect(scripts.map(url => /api|deal-swiper/.exec(url)?.[0]).toSorted()).toEqual(['api', 'deal-swiper'])
  })

  test('shows what runs now: what has begun since it was published joins, what has ended goes', async ({
    page,
    section,
    deals
  }) => {
    const [gone, ...others] = deals
    if (!gone) throw new Error('The shop has no deals')
    const begun = {
      ...gone,
      ...{
        _id: 'new',
        id: 'new',
        name: 'Kaju Katli',
        discountPercentage: 40,
        originalPrice: 400,
        discountedPrice: 240
      },
      product: { ...gone.product, _id: 'kaju-katli' }
    }
    await page.route(CALL, route => route.fulfill({ json: [begun, ...others] }))
    await page.goto(paths.home)
    await near(page, section)
    const slides = section.getByRole('listitem')
    await expect(slides).toHaveCount(deals.length)
    await expect(slides.filter({ hasText: gone.name })).toHaveCount(0)
    const slide = slides.first()
    await expect(slide).toContainText('up to 40% off, from ₹240.00')
    await expect(slide.locator('s')).toHaveText('₹400.00')
    await expect(slide.getByRole('link', { name: 'Kaju Katli' })).toHaveAttribute('href', paths.product('kaju-katli'))
    await slide.scrollIntoViewIfNeeded()
    await expect.poll(() => slide.locator('img').evaluate(isDrawn)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
  })

  for (const [what, answer, words] of [
    ['no network', undefined, 'Failed to load discounted products'],
    ['a shop in trouble', { status: 500, json: {} }, 'Failed to load discounted products'],
    ['something that is no list', { json: { deals: 1 } }, 'No active flash deals at the moment'],
    ['no deals', { json: [] }, 'No active flash deals at the moment']
  ] as const) {
    test(`is emptied by ${what}: '${words}'`, async ({ page, section, forgiven }) => {
      forgiven.push(/net::ERR|status of 500/)
      await page.route(CALL, route => (answer ? route.fulfill(answer) : route.abort()))
      await page.goto(paths.home)
      await near(page, section)
      await expect(section.getByRole('status')).toHaveText(words)
      await expect(section.getByRole('listitem')).toHaveCount(0)
      await expect(section.getByRole('button', { name: /discounts/ })).toHaveCount(0)
      await expect(section.getByRole('link', { name: 'Buy Now' })).toBeVisible()
    })
  }

  test('moves nothing when it comes to life', async ({ page, section }) => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(paths.home)
    await opened(page)
    await near(page, section)
    await section.scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
  })
})

test.describe('the carousel by keyboard', () => {
  test.use({ ...desktop, viewport: { width: 800, height: 800 } })

  test('shows the slide whose link has the focus, and wraps by its buttons', async ({ page, section, deals }) => {
    await page.goto(paths.home)
    await near(page, section)
    for (const { name } of [...deals, ...deals.toReversed()]) {
      await tabTo(section.getByRole('link', { name }))
      await isShown(section.getByRole('listitem').filter({ hasText: name }))
    }
    const slides = section.getByRole('listitem')
    // On the way to the buttons the last link has had the focus.
    await tabTo(section.getByRole('button', { name: 'Next discounts' }))
    await isShown(slides.last())
    await page.keyboard.press('Enter')
    await isShown(slides.first())
    await tabTo(section.getByRole('button', { name: 'Previous discounts' }))
    await page.keyboard.press('Enter')
    await isShown(slides.last())
  })
})

test.describe('the carousel for who prefers less motion', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('jumps', async ({ page, section }) => {
    await page.goto(paths.home)
    await near(page, section)
    await section.getByRole('button', { name: 'Next discounts' }).tap()
    const second = section.getByRole('listitem').nth(1)
    await expect.poll(() => second.evaluate(slide => slide.getBoundingClientRect().left)).toBeLessThan(60)
    await expect(section.getByRole('list')).toHaveCSS('transition-duration', /^(0s|0\.001s|1ms)/)
  })
})

test.describe('the carousel without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is a list that scrolls sideways', async ({ page, section, deals }) => {
    await page.goto(paths.home)
    await expect(section.getByRole('listitem')).toHaveCount(deals.length)
    await expect(section.getByRole('button')).toHaveCount(0)
    const [wide, width] = await section.locator('deal-swiper').evaluate(frame => [frame.scrollWidth, frame.clientWidth])
    expect(wide).toBeGreaterThan(width ?? Infinity)
  })
})

/** Brings the carousel near the view and waits until it has asked the shop. */
async function near(page: Page, section: Locator): Promise<void> {
  const asked = page.waitForRequest(CALL)
  await section.scrollIntoViewIfNeeded()
  const response = await (await asked).response().catch(() => null)
  await response?.finished()
  await expect(page.locator('[data-swiper]')).toBeAttached()
}

/** Waits until the carousel shows a slide: how far the page is scrolled down is not its concern. */
async function isShown(slide: Locator): Promise<void> {
  const share = (): Promise<number> =>
    slide.evaluate(element => {
      const { left, right, width } = element.getBoundingClientRect()
      return (Math.min(right, innerWidth) - Math.max(left, 0)) / width
    })
  await expect.poll(share).toBeGreaterThan(0.9)
}

function isDrawn(image: HTMLImageElement | SVGElement): boolean {
  return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0
}
