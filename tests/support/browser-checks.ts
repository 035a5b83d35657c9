import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from 'playwright/test'

const NARROWEST_PX = 320
const CONTROLS = 'button, input, select, textarea, summary, [role=button], [role=tab]'

/** Half as long as `axe.source`, and injected in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function expectAccessible(page: Page, state: string): Promise<void> {
  await waitForToasts(page)
  expect(await axeFindings(page), state).toEqual([])
  await expectFitting(page, state)
}

/**
 * Expects no target under 44 px, or 24 px in the text of the footer, and no horizontal scrolling.
 * On phones, links are checked, too, and a width of 320 px, also with text of double size.
 */
export async function expectFitting(page: Page, state: string): Promise<void> {
  const targets = isPhone(page) ? `${CONTROLS}, a[href]` : CONTROLS
  expect(await page.evaluate(findSmallTargets, targets), state).toEqual([])
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, state).toBeLessThanOrEqual(0)
  const viewport = page.viewportSize()
  if (!viewport || !isPhone(page)) return
  await page.setViewportSize({ ...viewport, width: NARROWEST_PX })
  for (const size of ['', '200%']) {
    await page.evaluate(fontSize => (document.documentElement.style.fontSize = fontSize), size)
    await expect.poll(overflow, `${state}, ${NARROWEST_PX} px, text ${size}`).toBeLessThanOrEqual(0)
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))
  await page.setViewportSize(viewport)
}

async function axeFindings(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, {
      resultTypes: ['violations'],
      selectors: false,
      preload: false
    })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`)
    )
  })
}

/** Scrolls to the end and back, so that everything begins to load. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    scrollTo({ top: 0, behavior: 'instant' })
  })
}

/**
 * Call this before the page is opened. The returned function sums up the layout shifts of the page.
 */
export async function recordLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(async () => {
      // The entry of a shift comes after its frame.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return (window as unknown as { shifts: number[] }).shifts.reduce(
        (sum, shift) => sum + shift,
        0
      )
    })
}

// Axe would report the low contrast of a toast that is fading in.
async function waitForToasts(page: Page) {
  await page.locator('toast-region').evaluateAll(async regions => {
    const animations = regions.flatMap(region => region.getAnimations({ subtree: true }))
    await Promise.all(animations.map(({ finished }) => finished))
  })
}

function isPhone(page: Page) {
  return (page.viewportSize()?.width ?? Infinity) < 400
}

/**
 * Runs in the browser. Returns targets that are too small. The label counts as part of a control. Links in
 * text are ignored.
 */
function findSmallTargets(selector: string) {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter(isSmall).map(target => {
    const { width, height } = target.getBoundingClientRect()
    return `${Math.round(width)}×${Math.round(height)} ${target.outerHTML.slice(0, 160)}`
  })

  function isSmall(target: HTMLElement) {
    if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
    const ownBox = target.getBoundingClientRect()
    const isOffScreen =
      ownBox.width <= 1 || ownBox.height <= 1 || ownBox.bottom < 0 || ownBox.right < 0
    if (isOffScreen || isInSentence(target) || isStretched(target)) return false
    const minSize = toMinSize(target)
    const box = (target.closest('label') ?? target).getBoundingClientRect()
    return box.width < minSize || box.height < minSize
  }

  function toMinSize(target: HTMLElement) {
    return target.matches('footer a:not(.target)') ? 23.5 : 43.5
  }

  function isInSentence(target: HTMLElement) {
    const parent = target.closest('p, li, dd, blockquote, figcaption, td')
    if (target.tagName !== 'A' || !parent || getComputedStyle(target).display !== 'inline')
      return false
    return (parent.textContent ?? '').trim().length > (target.textContent ?? '').trim().length
  }

  // A pseudo-element of a link may cover the whole card.
  function isStretched(target: HTMLElement) {
    return ['::before', '::after'].some(pseudo => {
      const style = getComputedStyle(target, pseudo)
      return (
        style.position === 'absolute' &&
        parseFloat(style.width) >= toMinSize(target) &&
        parseFloat(style.height) >= toMinSize(target)
      )
    })
  }
}
