import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { desktop, expect, waitForScriptsAndFonts, phone, test } from '../support/browser.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const PAGES_WITH_PICTURE = {
  home: paths.home,
  product: MYSORE_PAK,
  list: paths.products,
  blog: paths.blogs
}

test.describe('Before the scripts are loaded', () => {
  test.use(phone)

  test('clicks on the product list are replayed', async ({ page }) => {
    const releaseScripts = await blockScripts(page)
    await page.goto(paths.products, { waitUntil: 'commit' })
    const add = page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
    await add.click()
    await add.click()
    releaseScripts()
    await expect(page.getByText('In Cart: 2').first()).toBeVisible()
  })

  test('clicks are replayed in their order', async ({ page }) => {
    const releaseScripts = await blockScripts(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Increase quantity' }).click()
    await page.getByRole('button', { name: 'Increase quantity' }).click()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    releaseScripts()
    await expect(page.getByText('In Cart: 3').first()).toBeVisible()
  })

  test('clicks on the menu and on thumbnails are replayed', async ({ page }) => {
    const releaseScripts = await blockScripts(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'commit' })
    await page.locator('[data-thumbnail]').nth(1).click()
    await page.locator('side-menu a[aria-haspopup]').click()
    releaseScripts()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.locator('[data-thumbnail]').nth(1)).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL(MYSORE_PAK)
  })

  test('a chosen sort order is kept', async ({ page }) => {
    const releaseScripts = await blockScripts(page)
    await page.goto(paths.products, { waitUntil: 'commit' })
    await page.getByLabel('Sort').selectOption({ index: 1 })
    const chosenOrder = await page.getByLabel('Sort').inputValue()
    releaseScripts()
    await expect(page).toHaveURL(new RegExp(`sort=${chosenOrder}`))
    await expect(page.getByLabel('Sort')).toHaveValue(chosenOrder)
  })

  test('the quantity stepper shows its signs', async ({ page }) => {
    await blockScripts(page)
    await page.goto(MYSORE_PAK, { waitUntil: 'commit' })
    const icons = page.locator('quantity-stepper use')
    await expect(icons).toHaveCount(2)
    for (const icon of await icons.all()) {
      await expect
        .poll(() => icon.evaluate(use => (use as SVGUseElement).getBBox().width))
        .toBeGreaterThan(0)
    }
  })

  test("one click on 'Add to Cart' adds only one item while some scripts are still loading", async ({
    page
  }) => {
    await page.route('**/_astro/Island*', async route => {
      await wait(1500)
      await route.continue()
    })
    await page.goto(paths.products, { waitUntil: 'commit' })
    await expect(page.locator('astro-island')).toHaveCount(1)
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await page.waitForFunction(() => customElements.get('cart-badge'))
    await expect(page.getByText('In Cart: 1')).toBeVisible()
  })
})

test.describe('While the main picture is loading', () => {
  test.use(phone)

  for (const [name, path] of Object.entries({
    product: MYSORE_PAK,
    'filtered list': paths.category('sweets')
  })) {
    test(`the page comes alive (${name})`, async ({ page }) => {
      await page.route('**/assets/**', () => undefined)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await expect(page.locator('account-menu:not(:defined), astro-island[ssr]')).toHaveCount(0)
    })
  }
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
      }
    })
  })
}

/** Holds back all scripts until the returned function is called. */
async function blockScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/_astro/*.js', async route => {
    await released
    await route.continue()
  })
  return release
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
            list
              .getEntries()
              .reduce(
                (sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value,
                0
              )
          )
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      })
  )
}
