import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { BANNER_INTERVAL } from '#lib/time.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const CATEGORIES = ['powders', 'savouries', 'pickles', 'sweets', 'seer_items']

test.describe('Home page', () => {
  test.use(desktop)

  test("shows 'Celebrate Every Bite' and links to the products", async ({ page }) => {
    await page.goto(paths.home)
    await expect(page.getByRole('heading', { level: 1, name: 'Celebrate Every Bite' })).toBeVisible()
    const hero = page.locator('section', { has: page.getByRole('heading', { level: 1 }) }).first()
    await hero.getByRole('link').click()
    await expect(page).toHaveURL(paths.products)
  })

  test('shows a full-height hero', async ({ page }) => {
    await page.goto(paths.home)
    const box = await page.locator('hero-rotator').boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThanOrEqual(800 * 0.75)
    expect(box?.width).toBe(1280)
  })

  test('shows at least three featured categories that link to their products', async ({ page }) => {
    await page.goto(paths.home)
    const tiles = sectionOf(page, 'Our Featured Categories').getByRole('link')
    const hrefs = await tiles.evaluateAll(links => links.map(link => link.getAttribute('href')))
    const featured = hrefs.filter(href => href?.startsWith('/products?category='))
    expect(new Set(featured).size).toBeGreaterThanOrEqual(3)
    await tiles.first().click()
    await expect(page).toHaveURL(/\/products\?category=\w+/)
  })

  test('shows all five categories with pictures', async ({ page }) => {
    await page.goto(paths.home)
    for (const category of CATEGORIES) {
      const links = page.getByRole('main').locator(`a[href="${paths.category(category)}"]`)
      await expect(links.filter({ has: page.locator('img') }).first()).toBeVisible()
    }
  })

  test('shows each running deal and links to the deals', async ({ page, request }) => {
    const deals = (await (await request.get('/api/discounted-products')).json()) as Deal[]
    await page.goto(paths.home)
    const section = sectionOf(page, 'Special Discounts Available')
    await expect(section.getByRole('link', { name: 'Buy Now' })).toHaveAttribute('href', paths.deals)
    for (const { name, originalPrice, discountedPrice, discountPercentage } of deals) {
      const slide = section.getByRole('listitem').filter({ hasText: name })
      await expect(slide.locator('img')).toBeAttached()
      await expect(slide.locator('s, del')).toContainText(`₹${originalPrice.toFixed(2)}`)
      await expect(slide).toContainText(`Up to ${Math.round(discountPercentage)}% off`)
      await expect(slide).toContainText(`₹${discountedPrice.toFixed(2)}`)
    }
  })

  test('shows three testimonials with place and five stars', async ({ page }) => {
    await page.goto(paths.home)
    const section = sectionOf(page, 'What Our Customers Say')
    await expect(section.getByRole('img', { name: /5 (out )?of 5|five stars|5 stars/i })).toHaveCount(3)
    await expect(section.locator('blockquote')).toHaveCount(3)
    await expect(section.getByText(/Tamil Nadu|Karnataka|Kerala|Andhra Pradesh|Telangana/)).toHaveCount(3)
  })

  test("shows 'Why Choose Us' and 'Our Features'", async ({ page }) => {
    await page.goto(paths.home)
    const why = sectionOf(page, 'Why Choose Us')
    const qualityTexts = {
      'Premium Quality': /finest ingredients/i,
      'Traditional Recipes': /passed down through generations/i,
      'Customer Satisfaction': /100% satisfaction guaranteed with every purchase/i
    }
    await expect(why.getByRole('heading', { level: 3 })).toHaveText(Object.keys(qualityTexts))
    for (const text of Object.values(qualityTexts)) await expect(why).toContainText(text)
    const features = sectionOf(page, 'Our Features')
    const highlights = {
      'Fast Delivery': /same day delivery for local orders/i,
      'Quality Assured': /100% authentic ingredients/i,
      '24/7 Support': /always here to help you/i,
      'Fresh Products': /baked fresh every day/i
    }
    await expect(features.getByRole('heading', { level: 3 })).toHaveText(Object.keys(highlights))
    for (const text of Object.values(highlights)) await expect(features).toContainText(text)
  })
})

test.describe('Home page: banners', () => {
  test.use(desktop)

  test('advance every 3 s and start over after the third', async ({ page }) => {
    await openAndStopClock(page)
    const first = await shownBanner(page)
    for (const step of [1, 2, 3, 4]) {
      await page.clock.runFor(BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe((first + step) % 3)
    }
  })

  test('can be paused and resumed', async ({ page }) => {
    await openAndStopClock(page)
    const first = await shownBanner(page)
    await page.getByRole('button', { name: /pause/i }).click()
    await page.clock.runFor(10 * BANNER_INTERVAL)
    expect(await shownBanner(page)).toBe(first)
    await page.getByRole('button', { name: /play slideshow/i }).click()
    await page.clock.runFor(BANNER_INTERVAL)
    expect(await shownBanner(page)).toBe((first + 1) % 3)
  })

  test.describe('with reduced motion', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    test('do not advance', async ({ page }) => {
      await openAndStopClock(page)
      await page.clock.runFor(10 * BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe(0)
    })
  })
})

test.describe('Home page: deal carousel on desktop', () => {
  test.use(desktop)

  test('shows four full slides of equal width', async ({ page }) => {
    await page.goto(paths.home)
    const cards = sectionOf(page, 'Special Discounts Available').getByRole('listitem').getByRole('article')
    await cards.first().scrollIntoViewIfNeeded()
    await expect(page.locator('[data-swiper]')).toBeAttached()
    const boxes = (await Promise.all((await cards.all()).map(card => card.boundingBox()))).slice(0, 4)
    for (const box of boxes) {
      expect(box?.width).toBe(boxes[0]?.width)
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(1280 - 32)
    }
  })
})

test.describe('Home page: deal carousel on a phone', () => {
  test.use(phone)

  test('goes from the first slide to the last and back', async ({ page }) => {
    await page.goto(paths.home)
    const section = sectionOf(page, 'Special Discounts Available')
    await section.scrollIntoViewIfNeeded()
    const slides = section.getByRole('listitem')
    const first = slides.first()
    const last = slides.last()
    const next = section.getByRole('button', { name: /next/i })
    const previous = section.getByRole('button', { name: /previous/i })
    await expect(first).toBeInViewport()
    await expect(page.locator('[data-swiper]')).toBeAttached()
    await previous.tap()
    await expect(last).toBeInViewport({ ratio: 0.9 })
    await next.tap()
    await expect(first).toBeInViewport({ ratio: 0.9 })
    await expect(last).not.toBeInViewport()
  })
})

interface Deal {
  name: string
  originalPrice: number
  discountedPrice: number
  discountPercentage: number
}

function sectionOf(page: Page, heading: string) {
  return page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: heading }) })
}

async function openAndStopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.goto(paths.home)
  const pictures = page.locator('[data-banner] img')
  await expect(pictures).toHaveCount(3)
  await expect
    .poll(() => pictures.evaluateAll(all => all.every(image => (image as HTMLImageElement).complete)))
    .toBe(true)
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 500))
}

function shownBanner(page: Page): Promise<number> {
  return page.locator('[data-banner]').evaluateAll(all => all.findIndex(banner => banner.hasAttribute('data-shown')))
}
