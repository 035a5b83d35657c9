import type { Page } from 'playwright/test'
import { SECTIONS } from '#lib/admin/access.ts'
import { paths } from '#lib/paths.ts'
import { delayRequests } from '../support/browser-calls.ts'
import {
  expectAccessible,
  expectFitting,
  recordLayoutShifts,
  scrollThrough
} from '../support/browser-checks.ts'
import { expectFocusInside } from '../support/browser-input.ts'
import {
  addButton,
  MYSORE_PAK,
  NO_PAGE,
  NOT_FOUND_STATUS,
  PUBLIC_PAGES,
  waitForHydration
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test, waitForScriptsAndFonts } from '../support/browser.ts'

const VISITOR_PAGES = [
  ...PUBLIC_PAGES,
  paths.blog('caring-for-a-pickle-jar'),
  paths.collection('diwali-gifts'),
  paths.contactSent,
  paths.cart,
  paths.login
]
const OWNER_PAGES = [
  paths.profile,
  paths.orders,
  paths.stockAlert,
  ...Object.values(SECTIONS).map(({ path }) => path)
]

/** Links that a test of this worker has already followed. */
const followedLinks = new Set<string>()

test.use(phone)

// A CSP violation, an error in a script or a request to another host fails these tests, too.
for (const path of VISITOR_PAGES) {
  test(`${path} is hydrated and accessible, fits windows of all widths, and has no dead link`, async ({
    page,
    request,
    allowedErrors
  }) => {
    allowedErrors.push(NOT_FOUND_STATUS)
    await page.goto(path)
    await scrollThrough(page)
    await expectStructure(page)
    await expectSkipLink(page)
    await expectAccessible(page, path)
    const unsized = page.locator('img:not([width][height])')
    expect(await unsized.evaluateAll(images => images.map(image => image.outerHTML))).toEqual([])
    for (const link of await internalLinks(page)) {
      if (followedLinks.has(link)) continue
      followedLinks.add(link)
      expect((await request.get(link)).ok(), link).toBe(true)
    }
    await page.setViewportSize(desktop.viewport)
    await expectFitting(page, 'on a desktop')
    // A desktop at 200 % zoom.
    await page.setViewportSize({ width: 640, height: 400 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640)
  })
}

for (const path of OWNER_PAGES) {
  test(`${path} is hydrated and accessible`, async ({ admin, page }) => {
    await admin.open(path)
    await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
    await expect(page.getByRole('main').locator('astro-island').first()).not.toBeEmpty()
    await expectStructure(page)
    await expectAccessible(page, path)
  })
}

test('The Content Security Policy blocks an injected script', async ({ page, allowedErrors }) => {
  allowedErrors.push(/Content Security Policy/, NOT_FOUND_STATUS)
  await page.goto(NO_PAGE)
  const imageFailed = page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "taken over"'
    document.body.append(script)
    const image = document.createElement('img')
    const failed = new Promise(resolve => image.addEventListener('error', resolve))
    image.setAttribute('onerror', 'document.title = "taken over"')
    image.src = '/no-such-picture.png'
    document.body.append(image)
    return failed.then(() => true)
  })
  expect(await imageFailed).toBe(true)
  await expect(page).not.toHaveTitle('taken over')
})

async function expectStructure(page: Page) {
  await waitForHydration(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('main')).toHaveCount(1)
}

async function expectSkipLink(page: Page) {
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('href', /^#/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('header') === null)).toBe(true)
}

async function internalLinks(page: Page) {
  const hrefs = await page
    .locator('a[href^="/"]')
    .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  return [...new Set(hrefs.map(href => href.replace(/[?#].*/, '')))]
}

const TOP_LINKS = {
  Home: paths.home,
  Products: paths.products,
  Blog: paths.blogs,
  About: paths.about,
  Contact: paths.contact,
  'Flash Deal': paths.deals
}

test.describe('Navigation bar', () => {
  test.use(desktop)

  test('links to every section, stays in view and marks the current page', async ({ page }) => {
    await page.goto(paths.products)
    const bar = page.getByRole('banner')
    for (const [name, path] of Object.entries(TOP_LINKS))
      await expect(bar.getByRole('link', { name, exact: true }).first()).toHaveAttribute(
        'href',
        path
      )
    for (const path of [paths.cart, paths.login])
      await expect(bar.locator(`a[href="${path}"]`).first()).toBeVisible()
    await page.mouse.wheel(0, 3000)
    await expect(bar).toBeInViewport()
    await expect(bar.locator('[aria-current="page"]').filter({ visible: true })).toHaveText(
      'Products'
    )
  })

  test('a new page starts at its top, and the back link of the list returns to the previous page', async ({
    page
  }) => {
    await page.goto(paths.about)
    await page.getByRole('contentinfo').locator(`a[href="${paths.products}"]`).first().click()
    await page.waitForURL(`**${paths.products}`)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await waitForHydration(page)
    await page.getByRole('main').getByRole('link', { name: /back/i }).first().click()
    await expect(page).toHaveURL(paths.about)
  })
})

test.describe('Side menu', () => {
  test.use(phone)

  test('links to every section and closes by its button or a tap outside', async ({ page }) => {
    await page.goto(paths.home)
    const menu = page.getByRole('dialog')
    await menuButton(page).tap()
    expect(await menu.boundingBox()).toMatchObject({ width: 300, height: 740 })
    await expectAccessible(page, 'open menu')
    const { x = 0 } = (await menu.boundingBox()) ?? {}
    await page.touchscreen.tap(x > 0 ? x / 2 : 340, 400)
    await expect(menu).toBeHidden()
    await menuButton(page).tap()
    await menu.getByRole('button', { name: /close/i }).tap()
    await expect(menu).toBeHidden()
    await page.setViewportSize({ width: 640, height: 740 })
    await menuButton(page).tap()
    await expect.poll(async () => (await menu.boundingBox())?.width).toBe(400)
    for (const [name, path] of Object.entries(TOP_LINKS))
      await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    await menu.getByRole('link', { name: 'About' }).tap()
    await expect(page).toHaveURL(paths.about)
    await expect(menu).toBeHidden()
  })

  test('opens by keyboard, traps the focus and returns it to the menu button', async ({ page }) => {
    await page.goto(paths.about)
    await menuButton(page).focus()
    await page.keyboard.press('Space')
    const menu = page.getByRole('dialog')
    await expect(menu).toBeVisible()
    await expectFocusInside(menu, 25)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(menuButton(page)).toBeFocused()
  })
})

function menuButton(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: /menu/i })
}

const SCRIPTS = '**/_astro/*.js'

test.describe('Before the scripts are loaded', () => {
  test.use(phone)

  test('the product list replays clicks and keeps a chosen sort order', async ({ page }) => {
    const release = await delayRequests(page, SCRIPTS)
    await page.goto(paths.products, { waitUntil: 'commit' })
    const add = addButton(page)
    await add.click()
    await add.click()
    await page.getByLabel('Sort').selectOption('price-high')
    release()
    await expect(page.getByText('In Cart: 2').first()).toBeAttached()
    await expect(page).toHaveURL(/sort=price-high/)
    await expect(page.getByLabel('Sort')).toHaveValue('price-high')
  })

  test('the product list shows what a search or a category has found', async ({ page }) => {
    const shown = page.locator('.card-grid > li').filter({ visible: true })
    await page.goto(paths.about)
    await page.getByRole('banner').getByRole('button', { name: 'Search products' }).click()
    await page.keyboard.type('muruku')
    await expect(page.getByRole('option', { name: /Murukku/ }).first()).toBeVisible()
    await delayRequests(page, SCRIPTS)
    await page.keyboard.press('Enter')
    await expect(shown.first()).toContainText('Murukku')
    await page.goto(paths.category('pickles'), { waitUntil: 'commit' })
    await expect(shown).toHaveCount(6)
    await expect(page.locator('astro-island[ssr]')).not.toHaveCount(0)
  })

  test('the product page shows its stepper and replays clicks in their order', async ({ page }) => {
    const release = await delayRequests(page, SCRIPTS)
    await page.goto(MYSORE_PAK, { waitUntil: 'commit' })
    const icons = page.locator('quantity-stepper use')
    await expect(icons).toHaveCount(2)
    for (const icon of await icons.all())
      await expect
        .poll(() => icon.evaluate(use => (use as SVGUseElement).getBBox().width))
        .toBeGreaterThan(0)
    const more = page.getByRole('button', { name: 'Increase quantity' })
    await more.click()
    await more.click()
    await addButton(page).click()
    const thumbnail = page.locator('[data-thumbnail]').nth(1)
    await thumbnail.click()
    await page.locator('side-menu a[aria-haspopup]').click()
    release()
    await expect(page.getByText('In Cart: 3').first()).toBeAttached()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(thumbnail).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL(MYSORE_PAK)
  })

  test("one click on 'Add to Cart' adds only one item while some scripts are still loading", async ({
    page
  }) => {
    const release = await delayRequests(page, '**/_astro/Island*')
    await page.goto(paths.products, { waitUntil: 'commit' })
    await addButton(page).click()
    release()
    await page.waitForFunction(() => customElements.get('cart-badge'))
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    await expect(page.getByText('In Cart: 1')).toBeVisible()
  })
})

test.describe('While the main picture is loading', () => {
  test.use(phone)

  for (const path of [MYSORE_PAK, paths.category('sweets')]) {
    test(`${path} comes alive`, async ({ page }) => {
      await page.route('**/assets/**', () => undefined)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await expect(page.locator('account-menu:not(:defined), astro-island[ssr]')).toHaveCount(0)
    })
  }
})

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`First visit (${width})`, () => {
    test.use(device)

    test('causes no layout shift when the web fonts load', async ({ page }) => {
      const layoutShift = await recordLayoutShifts(page)
      for (const path of [paths.home, MYSORE_PAK, paths.products, paths.blogs]) {
        const release = await delayRequests(page, '**/*.woff2')
        await page.goto(path, { waitUntil: 'domcontentloaded' })
        await expect(page.locator('h1').first()).toHaveCSS('font-family', /^"?Fraunces"?,/)
        await expect(page.locator('body')).toHaveCSS('font-family', /^"?Anek"?,/)
        release()
        await waitForScriptsAndFonts(page)
        expect(await layoutShift(), path).toBeLessThan(0.01)
      }
    })
  })
}
