import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Route } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { desktop, expect, opened, phone, test } from '../support/browser.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const OPENING_WITH_A_PICTURE = { home: paths.home, product: MYSORE_PAK, list: paths.products, blog: paths.blogs }

test.describe('a page that opens with a picture', () => {
  test.use(phone)

  for (const [name, path] of Object.entries(OPENING_WITH_A_PICTURE)) {
    test(`asks for that one alone until it is there: ${name}`, async ({ page }) => {
      const asked = requestsOf(page)
      const letPictureCome = await holdFirstPicture(page)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await expect.poll(() => letPictureCome.isHeld()).toBe(true)
      await page.waitForTimeout(300)
      expect(asked.filter(({ kind }) => kind === 'image')).toHaveLength(1)
      // Drawings are no pictures to the browser, but wait as well.
      expect(asked.filter(({ kind, url }) => kind !== 'document' && !url.includes('/assets/'))).toEqual([])
      await letPictureCome()
      await expect.poll(() => asked.filter(({ kind }) => kind === 'script').length).toBeGreaterThan(0)
      await expect.poll(() => asked.filter(({ kind }) => kind === 'font').length).toBe(1)
      await expect.poll(() => asked.filter(({ kind }) => kind === 'image').length).toBeGreaterThan(1)
    })
  }

  test('waits for no picture that does not come', async ({ page }) => {
    await holdFirstPicture(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'domcontentloaded' })
    await expect(page.locator('account-menu:not(:defined)')).toHaveCount(0)
  })

  for (const [name, path] of Object.entries({ product: MYSORE_PAK, list: paths.products })) {
    test(`does what was pressed before its scripts had come: ${name}`, async ({ page }) => {
      await holdFirstPicture(page)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      const add = page
        .getByRole('main')
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
      await add.click()
      await add.click()
      await expect(page.getByText('In Cart: 2').first()).toBeVisible()
    })
  }

  test('adds once what is pressed on a list that is alive while other scripts are not', async ({ page }) => {
    await page.route('**/_astro/Island.astro*', async route => {
      await wait(1500)
      await route.continue()
    })
    await page.goto(paths.products)
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await page.waitForFunction(() => customElements.get('cart-badge'))
    await expect(page.getByText('In Cart: 1')).toBeVisible()
  })

  test('keeps what was chosen on a list before it was alive', async ({ page }) => {
    await holdFirstPicture(page)
    await page.goto(paths.products, { waitUntil: 'domcontentloaded' })
    await page.getByLabel('Sort').selectOption({ index: 1 })
    const chosen = await page.getByLabel('Sort').inputValue()
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`sort=${chosen}`))
    await expect(page.getByLabel('Sort')).toHaveValue(chosen)
  })

  test('opens the menu, and another picture, that were asked for before there were scripts', async ({ page }) => {
    await page.route('**/_astro/*.js', async route => {
      await wait(800)
      await route.continue()
    })
    await page.goto(MYSORE_PAK)
    await page.locator('[data-thumbnail]').nth(1).click()
    await expect(page.locator('[data-thumbnail]').nth(1)).toHaveAttribute('aria-current', 'true')
    await page.reload()
    await page.locator('side-menu a[aria-haspopup]').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page).toHaveURL(MYSORE_PAK)
  })

  test('has all its pictures on paper', async ({ page }) => {
    await holdFirstPicture(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'domcontentloaded' })
    await expect(page.locator('html')).toHaveAttribute('data-deferred')
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('img[loading=lazy]').first()).toHaveCSS('display', 'block')
  })

  test('has the font at once when its visitor was here before', async ({ page }) => {
    await page.goto(paths.home)
    await opened(page)
    const letPictureCome = await holdFirstPicture(page)
    await page.goto(paths.blogs, { waitUntil: 'domcontentloaded' })
    await expect.poll(() => letPictureCome.isHeld()).toBe(true)
    expect(await headingFont(page)).toMatch(/^"?Fraunces"?,/)
  })

  test('lets a filtered list come at once', async ({ page }) => {
    await holdFirstPicture(page)
    await page.goto(paths.category('sweets'), { waitUntil: 'domcontentloaded' })
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  })
})

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`on a first visit at ${width} width`, () => {
    test.use(device)

    test('nothing moves when the font comes', async ({ page }) => {
      for (const path of Object.values(OPENING_WITH_A_PICTURE)) {
        await page.goto(path)
        await opened(page)
        expect(await headingFont(page)).toMatch(/^"?Fraunces"?,/)
        expect(await layoutShift(page), path).toBeLessThan(0.01)
        await page.evaluate(() => localStorage.clear())
      }
    })
  })
}

interface Asked {
  kind: string
  url: string
}

function requestsOf(page: Page): Asked[] {
  const asked: Asked[] = []
  page.on('request', request => {
    asked.push({ kind: request.resourceType(), url: request.url() })
  })
  return asked
}

/** Keeps the first picture of the next page back; the result lets it come. */
async function holdFirstPicture(page: Page): Promise<(() => Promise<void>) & { isHeld: () => boolean }> {
  let held: Route | undefined
  await page.route('**/assets/**', async route => {
    if (held) await route.continue()
    else held = route
  })
  return Object.assign(async () => held?.continue(), { isHeld: () => held !== undefined })
}

function headingFont(page: Page): Promise<string> {
  return page
    .getByRole('heading', { level: 1 })
    .first()
    .evaluate(heading => getComputedStyle(heading).fontFamily)
}

function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise(resolve => {
        new PerformanceObserver(list => {
          resolve(
            list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0)
          )
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      })
  )
}
