import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Route } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { desktop, expect, waitForScriptsAndFonts, phone, test } from '../support/browser.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const PAGES_WITH_PICTURE = { home: paths.home, product: MYSORE_PAK, list: paths.products, blog: paths.blogs }

test.describe('Loading order of a page with a main picture', () => {
  test.use(phone)

  for (const [name, path] of Object.entries(PAGES_WITH_PICTURE)) {
    test(`loads the main picture before scripts, fonts and all other pictures (${name})`, async ({ page }) => {
      const requests = recordRequests(page)
      const releasePicture = await blockFirstPicture(page)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await expect.poll(() => releasePicture.isBlocked()).toBe(true)
      await page.waitForTimeout(300)
      expect(requests.filter(({ kind }) => kind === 'image')).toHaveLength(1)
      // Icons are not of kind 'image', but they must also load after the main picture.
      expect(requests.filter(({ kind, url }) => kind !== 'document' && !url.includes('/assets/'))).toEqual([])
      await releasePicture()
      await expect.poll(() => requests.filter(({ kind }) => kind === 'script').length).toBeGreaterThan(0)
      await expect.poll(() => requests.filter(({ kind }) => kind === 'font').length).toBe(1)
      await expect.poll(() => requests.filter(({ kind }) => kind === 'image').length).toBeGreaterThan(1)
    })
  }

  test('loads scripts even if the main picture never arrives', async ({ page }) => {
    await blockFirstPicture(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'domcontentloaded' })
    await expect(page.locator('account-menu:not(:defined)')).toHaveCount(0)
  })

  for (const [name, path] of Object.entries({ product: MYSORE_PAK, list: paths.products })) {
    test(`replays clicks made before the scripts are loaded (${name})`, async ({ page }) => {
      await blockFirstPicture(page)
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

  test("one click on 'Add to Cart' adds only one item while some scripts are still loading", async ({ page }) => {
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

  test('keeps a sort order that was chosen before hydration', async ({ page }) => {
    await blockFirstPicture(page)
    await page.goto(paths.products, { waitUntil: 'domcontentloaded' })
    await page.getByLabel('Sort').selectOption({ index: 1 })
    const chosenOrder = await page.getByLabel('Sort').inputValue()
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`sort=${chosenOrder}`))
    await expect(page.getByLabel('Sort')).toHaveValue(chosenOrder)
  })

  test('replays clicks on the menu and on thumbnails made before the scripts are loaded', async ({ page }) => {
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

  test('shows all pictures in print even before the scripts are loaded', async ({ page }) => {
    await blockFirstPicture(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'domcontentloaded' })
    await expect(page.locator('html')).toHaveAttribute('data-deferred')
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('img[loading=lazy]').first()).toHaveCSS('display', 'block')
  })

  test('uses the web font at once on a repeat visit', async ({ page }) => {
    await page.goto(paths.home)
    await waitForScriptsAndFonts(page)
    const releasePicture = await blockFirstPicture(page)
    await page.goto(paths.blogs, { waitUntil: 'domcontentloaded' })
    await expect.poll(() => releasePicture.isBlocked()).toBe(true)
    expect(await headingFont(page)).toMatch(/^"?Fraunces"?,/)
  })

  test('hydrates a filtered list without waiting for pictures', async ({ page }) => {
    await blockFirstPicture(page)
    await page.goto(paths.category('sweets'), { waitUntil: 'domcontentloaded' })
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  })
})

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`First visit (${width})`, () => {
    test.use(device)

    test('causes no layout shift when the web font loads', async ({ page }) => {
      for (const path of Object.values(PAGES_WITH_PICTURE)) {
        await page.goto(path)
        await waitForScriptsAndFonts(page)
        expect(await headingFont(page)).toMatch(/^"?Fraunces"?,/)
        expect(await layoutShift(page), path).toBeLessThan(0.01)
        await page.evaluate(() => localStorage.clear())
      }
    })
  })
}

interface SentRequest {
  kind: string
  url: string
}

function recordRequests(page: Page): SentRequest[] {
  const requests: SentRequest[] = []
  page.on('request', request => {
    requests.push({ kind: request.resourceType(), url: request.url() })
  })
  return requests
}

/** Blocks the first picture of the next page until the returned function is called. */
async function blockFirstPicture(page: Page): Promise<(() => Promise<void>) & { isBlocked: () => boolean }> {
  let blockedRoute: Route | undefined
  await page.route('**/assets/**', async route => {
    if (blockedRoute) await route.continue()
    else blockedRoute = route
  })
  return Object.assign(async () => blockedRoute?.continue(), { isBlocked: () => blockedRoute !== undefined })
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
