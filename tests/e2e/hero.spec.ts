import type { Locator, Page } from 'playwright/test'
import sharp from 'sharp'
import { paths } from '#lib/paths.ts'
import { BANNER_INTERVAL } from '#lib/time.ts'
import { desktop, expect, phone, test, waitForScriptsAndFonts } from '../support/browser.ts'

const WINDOWS = [
  [320, 568],
  [1280, 720],
  [568, 320]
] as const
/** On a lighter grey, cream has a contrast below 4.5. */
const LIGHTEST_GREY = 115

test.describe('Home page: banners with motion', () => {
  test.use({ ...desktop, contextOptions: { reducedMotion: 'no-preference' } })

  test('advance every 3 s, start over after the third, and can be paused', async ({ page }) => {
    await openAndStopClock(page)
    for (const shown of [1, 2, 0]) {
      await page.clock.runFor(BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe(shown)
    }
    await page.getByRole('button', { name: /pause/i }).click()
    await page.clock.runFor(10 * BANNER_INTERVAL)
    expect(await shownBanner(page)).toBe(0)
    await page.getByRole('button', { name: /play slideshow/i }).click()
    await page.clock.runFor(BANNER_INTERVAL)
    expect(await shownBanner(page)).toBe(1)
  })
})

test.describe('Home page: banners with reduced motion', () => {
  test.use(phone)

  test('do not advance', async ({ page }) => {
    await openAndStopClock(page)
    await page.clock.runFor(10 * BANNER_INTERVAL)
    expect(await shownBanner(page)).toBe(0)
    await page.locator('hero-rotator').getByRole('link').click()
    await expect(page).toHaveURL(paths.products)
  })
})

test.describe('Home page: hero', () => {
  test('fills the window, and its text is readable on any picture, enlarged and long', async ({
    page
  }) => {
    const create = { width: 160, height: 90, channels: 3, background: '#fff' } as const
    const white = await sharp({ create }).png().toBuffer()
    await page.route('**/assets/hero-*', route =>
      route.fulfill({ contentType: 'image/png', body: white })
    )
    await page.goto(paths.home)
    await waitForScriptsAndFonts(page)
    const hero = page.locator('hero-rotator')
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height })
      await expect(hero.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(hero.getByRole('link')).toBeInViewport({ ratio: 1 })
      await expect(hero.getByRole('button')).toBeInViewport({ ratio: 1 })
      await expect.poll(() => bottomOf(hero), `${width} × ${height}`).toBeCloseTo(height, 0)
    }
    await expectReadable(hero)
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await expectReadable(hero)
    await hero.locator('[data-banner-text]').evaluate(element => {
      const [heading, text, link] = element.children
      if (heading) heading.textContent = 'Sweets that travel well '.repeat(8)
      if (text)
        text.textContent = 'Crumbly Mysore pak and crisp murukku, cooked to order. '.repeat(9)
      if (link) link.textContent = 'See all sweets of Deepavali'
    })
    await expectReadable(hero)
  })
})

test.describe('Home page: hero on a phone', () => {
  const height = 915
  test.use({ viewport: { width: 412, height }, deviceScaleFactor: 2.625, isMobile: true })

  test('loads one file of the first picture, which is sharp enough', async ({ page }) => {
    const files: string[] = []
    page.on('request', request => files.push(...(/hero-sweets-.*$/.exec(request.url()) ?? [])))
    await page.goto(paths.home)
    await page.waitForLoadState('networkidle')
    expect(files).toHaveLength(1)
    const fileHeight = (Number(/-(\d+)\.avif$/.exec(files[0] ?? '')?.[1]) * 9) / 16
    expect(fileHeight / (height - 64)).toBeGreaterThanOrEqual(0.8)
  })
})

async function openAndStopClock(page: Page) {
  await page.clock.install()
  await page.goto(paths.home)
  const pictures = page.locator('[data-banner] img')
  await expect(pictures).toHaveCount(3)
  await expect
    .poll(() =>
      pictures.evaluateAll(all => all.every(image => (image as HTMLImageElement).complete))
    )
    .toBe(true)
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 500))
  expect(await shownBanner(page)).toBe(0)
}

function shownBanner(page: Page) {
  return page
    .locator('[data-banner]')
    .evaluateAll(all => all.findIndex(banner => banner.hasAttribute('data-shown')))
}

function bottomOf(hero: Locator) {
  return hero.evaluate(element => element.getBoundingClientRect().bottom)
}

async function expectReadable(hero: Locator) {
  for (const [width, height] of WINDOWS) {
    await hero.page().setViewportSize({ width, height })
    const state = `${width} × ${height}`
    await expect.poll(() => hero.evaluate(findTextsOutside), state).toEqual([])
    expect(await findLightest(hero), state).toBeLessThanOrEqual(LIGHTEST_GREY)
  }
}

/**
 * Runs in the browser. Returns texts that are not inside of the hero and the window's width, or
 * below the pause button.
 */
function findTextsOutside(element: Element) {
  const outer = element.getBoundingClientRect()
  const pause = element.querySelector('button')?.getBoundingClientRect()
  return [...element.querySelectorAll('[data-banner-text][data-shown] > *')]
    .filter(text => {
      const { left, right, top, bottom } = text.getBoundingClientRect()
      const isOutside = left < 0 || right > innerWidth || top < outer.top || bottom > outer.bottom
      const isCut = text.scrollWidth > text.clientWidth + 1
      const isUnder = pause && right > pause.left && top < pause.bottom && bottom > pause.top
      return isOutside || isCut || isUnder === true
    })
    .map(text => text.outerHTML)
}

/** Returns the lightest grey, of equal luminance, behind the words. */
async function findLightest(hero: Locator) {
  const words = hero.locator('[data-banner-text][data-shown] > :not(a)')
  await expect(words.first()).toHaveCSS('color', 'rgb(255, 249, 240)')
  const boxes = await words.evaluateAll(all => {
    const top = all[0]?.closest('hero-rotator')?.getBoundingClientRect().top ?? 0
    document.querySelector('header')?.style.setProperty('visibility', 'hidden')
    for (const text of all) text.style.color = 'transparent'
    return all.map(text => {
      const box = text.getBoundingClientRect()
      return {
        left: Math.ceil(box.left),
        top: Math.ceil(box.top - top),
        width: Math.floor(box.width),
        height: Math.floor(box.height)
      }
    })
  })
  const picture = await hero.screenshot({ animations: 'disabled' })
  await words.evaluateAll(all => all.forEach(text => (text.style.color = '')))
  let lightest = 0
  for (const box of boxes) {
    const { channels } = await sharp(
      await sharp(picture).extract(box).greyscale().toBuffer()
    ).stats()
    lightest = Math.max(lightest, channels[0]?.max ?? 255)
  }
  return lightest
}
