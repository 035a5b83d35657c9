import type { Page } from 'playwright/test'
import { desktop, expect, narrowest, phone, scrollThrough, test } from '../support/browser.ts'
import { NOT_FOUND_STATUS, PUBLIC_PAGES } from '../support/browser-pages.ts'

const SIZES = { '320 px': narrowest, phone, desktop }

for (const [name, device] of Object.entries(SIZES)) {
  test.describe(`Layout (${name})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    test('no page scrolls horizontally', async ({ page, allowedErrors }) => {
      test.setTimeout(90_000)
      allowedErrors.push(NOT_FOUND_STATUS)
      for (const path of Object.values(PUBLIC_PAGES)) {
        await page.goto(path)
        await scrollThrough(page)
        const { content, width } = await page.evaluate(() => ({
          content: document.scrollingElement?.scrollWidth ?? Infinity,
          width: document.documentElement.clientWidth
        }))
        expect(content, path).toBeLessThanOrEqual(width)
      }
    })
  })
}

test.describe('Layout on a phone', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('tap targets are at least 44 px, except links in text', async ({ page, allowedErrors }) => {
    test.setTimeout(90_000)
    allowedErrors.push(NOT_FOUND_STATUS)
    for (const path of Object.values(PUBLIC_PAGES)) {
      await page.goto(path)
      await scrollThrough(page)
      expect.soft(await findSmallTargets(page), path).toEqual([])
    }
  })

  test('the home page shows a picture without scrolling', async ({ page }) => {
    await page.goto('/')
    const tops = await page
      .getByRole('main')
      .locator('img')
      .evaluateAll(images => images.map(image => image.getBoundingClientRect().top))
    expect(Math.min(...tops)).toBeLessThan(740 - 64)
  })

  test('images have width and height to avoid layout shifts', async ({ page }) => {
    for (const path of Object.values(PUBLIC_PAGES).slice(0, -2)) {
      await page.goto(path)
      const unsized = await page
        .locator('img')
        .evaluateAll(images =>
          images
            .filter(image => !image.getAttribute('width') || !image.getAttribute('height'))
            .map(image => image.outerHTML)
        )
      expect(unsized, path).toEqual([])
    }
  })
})

test.describe('Layout at 200 % zoom', () => {
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 })

  test('no page scrolls horizontally', async ({ page, allowedErrors }) => {
    allowedErrors.push(NOT_FOUND_STATUS)
    for (const path of Object.values(PUBLIC_PAGES)) {
      await page.goto(path)
      expect(await page.evaluate(() => document.scrollingElement?.scrollWidth), path).toBeLessThanOrEqual(640)
    }
  })
})

/** Returns tap targets under 44 px. The label counts as part of a control. Links inside text are ignored. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const minSize = 43.5
    const targets = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="button"]'
    )
    const small = [...targets].filter(target => {
      if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      const box = (target.closest('label') ?? target).getBoundingClientRect()
      const ownBox = target.getBoundingClientRect()
      const isOffScreen = ownBox.width <= 1 || ownBox.height <= 1 || ownBox.bottom < 0 || ownBox.right < 0
      return (
        !isOffScreen && !isInSentence(target) && (box.width < minSize || box.height < minSize) && !isStretched(target)
      )
    })
    return small.map(target => {
      const { width, height } = target.getBoundingClientRect()
      return `${Math.round(width)}×${Math.round(height)} ${target.outerHTML.slice(0, 160)}`
    })

    function isInSentence(target: HTMLElement): boolean {
      const parent = target.closest('p, li, dd, blockquote, figcaption, td')
      if (target.tagName !== 'A' || !parent || getComputedStyle(target).display !== 'inline') return false
      return (parent.textContent ?? '').trim().length > (target.textContent ?? '').trim().length
    }

    // A pseudo-element of a link may cover the whole card.
    function isStretched(target: HTMLElement): boolean {
      return ['::before', '::after'].some(pseudo => {
        const style = getComputedStyle(target, pseudo)
        return (
          style.position === 'absolute' && parseFloat(style.width) >= minSize && parseFloat(style.height) >= minSize
        )
      })
    }
  })
}
