import type { Locator, Page } from 'playwright/test'
import type { DiscountedProduct } from '#lib/contract/promotions.ts'
import { paths } from '#lib/paths.ts'
import { expectAccessible, recordLayoutShifts } from '../support/browser-checks.ts'
import { tabTo } from '../support/browser-input.ts'
import { desktop, expect, phone, test as base, waitForScriptsAndFonts } from '../support/browser.ts'

const DEALS_URL = '**/api/discounted-products'
const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const

const test = base.extend<{ deals: readonly DiscountedProduct[]; section: Locator }>({
  deals: async ({ request }, use) =>
    use((await (await request.get('/api/discounted-products')).json()) as DiscountedProduct[]),
  section: async ({ page }, use) => {
    const heading = page.getByRole('heading', { level: 2, name: 'Special Discounts Available' })
    await use(page.locator('section').filter({ has: heading }))
  }
})

test('Home page: is at most 5.5 screens of a phone long and 3 of a laptop', async ({ page }) => {
  for (const [width, height, screens] of [
    [360, 740, 5.5],
    [1280, 860, 3]
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(paths.home)
    await waitForScriptsAndFonts(page)
    const length = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(length / height, `${width} px`).toBeLessThanOrEqual(screens)
  }
})

test.describe('Home page: deal carousel on a phone', () => {
  test.use({ ...phone, ...WITH_MOTION })

  test('loads its script near the viewport, without layout shift, and goes around', async ({
    page,
    section
  }) => {
    const layoutShift = await recordLayoutShifts(page)
    const requests: string[] = []
    page.on('request', request => {
      if (/deal-swiper|discounted-products/.test(request.url())) requests.push(request.url())
    })
    await page.goto(paths.home)
    await waitForScriptsAndFonts(page)
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([])
    await loadCarousel(page, section)
    expect(await layoutShift()).toBeLessThan(0.01)
    const slides = section.getByRole('listitem')
    await expectShown(slides.first())
    await section.getByRole('button', { name: 'Previous discounts' }).tap()
    await expectShown(slides.last())
    await expect(slides.first()).not.toBeInViewport()
  })
})

test.describe('Home page: deal carousel by keyboard', () => {
  test.use({ ...desktop, viewport: { width: 800, height: 800 } })

  test('shows the focused slide and goes around in both directions without animation', async ({
    page,
    section,
    deals
  }) => {
    await loadCarousel(page, section, () => page.goto(paths.home))
    const slides = section.getByRole('listitem')
    await tabTo(section.getByRole('button', { name: 'Previous discounts' }))
    await page.keyboard.press('Enter')
    await expectShown(slides.last())
    await tabTo(section.getByRole('button', { name: 'Next discounts' }))
    await page.keyboard.press('Enter')
    await expectShown(slides.first())
    for (const { name } of deals) {
      await tabTo(section.getByRole('link', { name }))
      await expectShown(slides.filter({ hasText: name }))
    }
  })
})

test.describe('Home page: deal carousel', () => {
  test.use(desktop)

  test('shows the current deals side by side instead of the published ones, or a message', async ({
    page,
    section,
    deals,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 500/)
    const [endedDeal, ...others] = deals
    if (!endedDeal) throw new Error('The shop has no deals')
    const newDeal = {
      ...endedDeal,
      ...{ name: 'Kaju Katli', discountPercentage: 40, originalPrice: 400, discountedPrice: 240 },
      product: { ...endedDeal.product, _id: 'kaju-katli' }
    }
    await page.route(DEALS_URL, route => route.fulfill({ json: [newDeal, ...others] }))
    await loadCarousel(page, section, () => page.goto(paths.home))
    const slides = section.getByRole('listitem')
    await expect(slides).toHaveCount(deals.length)
    await expect(slides.filter({ hasText: endedDeal.name })).toHaveCount(0)
    await expect(slides.nth(3)).toBeInViewport({ ratio: 0.99 })
    const slide = slides.first()
    await expect(slide).toContainText(/Win 1–40% off.*₹240\.00–₹396\.00/)
    await expect(slide.locator('s')).toHaveText('₹400.00')
    await expect(slide.getByRole('link', { name: 'Kaju Katli' })).toHaveAttribute(
      'href',
      paths.product('kaju-katli')
    )
    await expect
      .poll(() => slide.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await expectAccessible(page, 'new deal')

    for (const [reply, text] of [
      [{ status: 500, json: {} }, 'Failed to load discounted products'],
      [{ json: [] }, 'No active flash deals at the moment']
    ] as const) {
      await page.unroute(DEALS_URL)
      await page.route(DEALS_URL, route => route.fulfill(reply))
      await loadCarousel(page, section, () => page.reload())
      await expect(section.getByRole('status')).toHaveText(text)
      await expect(slides).toHaveCount(0)
      await expect(section.getByRole('button', { name: /discounts/ })).toHaveCount(0)
      await expect(section.getByRole('link', { name: 'Buy Now' })).toBeVisible()
    }
  })
})

/**
 * The deals are requested when the section comes near the window, which can be right after the page
 * has opened.
 */
async function loadCarousel(page: Page, section: Locator, open?: () => Promise<unknown>) {
  const request = page.waitForRequest(DEALS_URL)
  await open?.()
  await section.scrollIntoViewIfNeeded()
  const response = await (await request).response().catch(() => null)
  await response?.finished()
  await page.waitForFunction(() => customElements.get('deal-swiper') !== undefined)
}

async function expectShown(slide: Locator) {
  const visibleShare = () =>
    slide.evaluate(element => {
      const { left, right, width } = element.getBoundingClientRect()
      return (Math.min(right, innerWidth) - Math.max(left, 0)) / width
    })
  await expect.poll(visibleShare).toBeGreaterThan(0.9)
}
