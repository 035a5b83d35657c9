import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright/test'
import sharp from 'sharp'
import { paths } from '#lib/paths.ts'
import { findInlineScripts } from '#lib/renderer.ts'
import { BANNER_INTERVAL } from '#lib/time.ts'
import { desktop, expect, phone, test, waitForScriptsAndFonts } from '../support/browser.ts'

const WINDOWS = [
  [320, 568],
  [360, 740],
  [412, 915],
  [768, 1024],
  [1280, 720],
  [1920, 1080],
  [740, 360],
  [568, 320]
] as const
/** CSS pixels, and how many pixels of the screen one of them has. */
const PHONES = [
  [412, 823, 1.75],
  [360, 740, 2],
  [412, 915, 2.625]
] as const
const MIN_CONTRAST = 4.5

test.describe('Home page: banners', () => {
  test.describe('with motion', () => {
    test.use({ ...desktop, contextOptions: { reducedMotion: 'no-preference' } })

    test('advance every 3 s, start over after the third, and can be paused', async ({ page }) => {
      await openAndStopClock(page)
      const first = await shownBanner(page)
      for (const step of [1, 2, 3, 4]) {
        await page.clock.runFor(BANNER_INTERVAL)
        expect(await shownBanner(page)).toBe((first + step) % 3)
      }
      await page.getByRole('button', { name: /pause/i }).click()
      await page.clock.runFor(10 * BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe((first + 4) % 3)
      await page.getByRole('button', { name: /play slideshow/i }).click()
      await page.clock.runFor(BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe((first + 5) % 3)
    })
  })

  test.describe('on a phone with reduced motion', () => {
    test.use(phone)

    test('do not advance', async ({ page }) => {
      await openAndStopClock(page)
      await page.clock.runFor(10 * BANNER_INTERVAL)
      expect(await shownBanner(page)).toBe(0)
      await page.locator('hero-rotator').getByRole('link').click()
      await expect(page).toHaveURL(paths.products)
    })
  })
})

test.describe('Home page: hero', () => {
  for (const [width, height] of WINDOWS) {
    test(`fills a window of ${width} × ${height} and is readable on any picture`, async ({
      page
    }) => {
      await page.setViewportSize({ width, height })
      const white = await sharp({
        create: { width: 1600, height: 900, channels: 3, background: '#fff' }
      })
        .png()
        .toBuffer()
      await page.route('**/assets/hero-*', route =>
        route.fulfill({ contentType: 'image/png', body: white })
      )
      await page.goto(paths.home)
      await waitForScriptsAndFonts(page)
      const hero = page.locator('hero-rotator')
      await expect(
        hero.getByRole('heading', { level: 1, name: 'Celebrate Every Bite' })
      ).toBeVisible()
      await expect(hero.getByRole('link')).toBeInViewport({ ratio: 1 })
      await expect(hero.getByRole('button')).toBeInViewport({ ratio: 1 })
      expect(await hero.evaluate(element => element.getBoundingClientRect().bottom)).toBeCloseTo(
        height,
        0
      )
      await expectTextsInside(hero)
      expect(await measureContrast(hero)).toBeGreaterThanOrEqual(MIN_CONTRAST)

      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await expectTextsInside(hero)
      expect(await measureContrast(hero)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      await hero.locator('[data-banner-text]').evaluate(element => {
        const [heading, text, link] = element.children
        if (heading) heading.textContent = 'Sweets that travel well '.repeat(8)
        if (text)
          text.textContent = 'Crumbly Mysore pak and crisp murukku, cooked to order. '.repeat(9)
        if (link) link.textContent = 'See all sweets of Deepavali'
      })
      await expectTextsInside(hero)
      expect(await measureContrast(hero)).toBeGreaterThanOrEqual(MIN_CONTRAST)
    })
  }

  for (const [width, height, deviceScaleFactor] of PHONES) {
    test.describe(`on a phone of ${width} × ${height} with ${deviceScaleFactor} pixels each`, () => {
      test.use({ viewport: { width, height }, deviceScaleFactor, isMobile: true })

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
  }

  test.describe('below other bars', () => {
    // The policy of a page without closed days refuses the script of the notice.
    test.use({ bypassCSP: true })

    test('fills the rest of the window, also after the window has changed', async ({ page }) => {
      await openClosedHome(page)
      await page.evaluate(() => {
        const [bar, link] = [
          document.querySelector('setup-bar'),
          document.querySelector('setup-bar a')
        ]
        if (link) link.textContent = '3 of 9 steps done'
        bar?.removeAttribute('hidden')
        bar?.setAttribute('data-owner', '')
      })
      const bottom = () =>
        page.locator('hero-rotator').evaluate(element => element.getBoundingClientRect().bottom)
      for (const [width, height] of WINDOWS.slice(0, 5)) {
        await page.setViewportSize({ width, height })
        await expect.poll(bottom, { message: `${width} × ${height}` }).toBeCloseTo(height, 0)
      }
    })
  })
})

/** Adds the notice of closed days. Publishing such settings would take half a minute. */
async function openClosedHome(page: Page): Promise<void> {
  const source = readFileSync('src/components/shell/ClosedNotice.astro', 'utf8')
  const [, classes = ''] = /class=("[^"]*")/.exec(source) ?? []
  const [script = ''] = findInlineScripts(source)
  const text = 'Our daughter gets married. We take orders again from Tue 24 Nov.'
  const days = 'data-from="2000-01-01" data-until="2100-01-01"'
  const notice = `<aside id="closed-notice" class=${classes} ${days}>${text}</aside><script>${script}</script>`
  await page.route(`**${paths.home}`, async route => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<main', `${notice}<main`)
    await route.fulfill({ response, body })
  })
  await page.goto(paths.home)
  await expect(page.locator('#closed-notice')).toBeVisible()
}

async function openAndStopClock(page: Page): Promise<void> {
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
}

function shownBanner(page: Page): Promise<number> {
  return page
    .locator('[data-banner]')
    .evaluateAll(all => all.findIndex(banner => banner.hasAttribute('data-shown')))
}

/** Every text is inside of the hero and the window's width, and beside the pause button. */
async function expectTextsInside(hero: Locator): Promise<void> {
  const problems = await hero.evaluate(element => {
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
  })
  expect(problems).toEqual([])
}

/** Returns the contrast of the words and the brightest pixel behind them. */
async function measureContrast(hero: Locator): Promise<number> {
  const words = hero.locator('[data-banner-text][data-shown] > :not(a)')
  const color = await words.first().evaluate(text => getComputedStyle(text).color)
  const boxes = await words.evaluateAll(all => {
    document.querySelector('header')?.style.setProperty('visibility', 'hidden')
    for (const text of all) text.style.color = 'transparent'
    return all.map(text => text.getBoundingClientRect().toJSON() as DOMRect)
  })
  const page = await hero.page().screenshot({ fullPage: true, animations: 'disabled' })
  await words.evaluateAll(all => all.forEach(text => (text.style.color = '')))
  let brightest = 0
  for (const { left, top, width, height } of boxes) {
    const box = {
      left: Math.ceil(left),
      top: Math.ceil(top),
      width: Math.floor(width),
      height: Math.floor(height)
    }
    const { channels } = await sharp(await sharp(page).extract(box).toBuffer()).stats()
    brightest = Math.max(brightest, luminance(channels.map(({ max }) => max)))
  }
  const foreground = luminance((color.match(/\d+/g) ?? []).map(Number))
  return (foreground + 0.05) / (brightest + 0.05)
}

/** Relative luminance, as WCAG defines it. */
function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
