import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { toYearInIndia } from '#lib/time.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'
import { CONTENT_PAGES, MYSORE_PAK, POLICIES } from '../support/browser-pages.ts'

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

  test('links to every section', async ({ page }) => {
    await page.goto(paths.home)
    const bar = page.getByRole('banner')
    for (const [name, path] of Object.entries(TOP_LINKS)) {
      await expect(bar.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', path)
    }
    await expect(bar.locator(`a[href="${paths.cart}"]`).first()).toBeVisible()
    await expect(bar.locator(`a[href="${paths.login}"]`).first()).toBeVisible()
  })

  test('stays in view and marks the current page', async ({ page }) => {
    await page.goto(paths.products)
    await page.mouse.wheel(0, 3000)
    await expect(page.getByRole('banner')).toBeInViewport()
    const current = page.getByRole('banner').locator('[aria-current="page"]').filter({ visible: true })
    await expect(current).toHaveText('Products')
  })

  test('searches the products', async ({ page }) => {
    await page.goto(paths.about)
    await page.getByRole('banner').getByRole('searchbox', { name: 'Search products' }).fill('halwa')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${paths.products}?q=halwa`)
    await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('halwa')
  })

  test('shows the cart quantity only when it is above 0', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    const cart = page.getByRole('banner').locator(`a[href="${paths.cart}"]`).first()
    await expect(cart.locator('cart-badge')).toBeHidden()
    await page.getByRole('button', { name: /increase/i }).click()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await expect(cart).toHaveAccessibleName(/2/)
    await expect(cart.locator('cart-badge')).toBeVisible()
  })
})

test.describe('Side menu', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('links to every section', async ({ page }) => {
    const menu = await openMenu(page)
    for (const [name, path] of Object.entries(TOP_LINKS)) {
      await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    }
    await menu.getByRole('link', { name: 'About' }).tap()
    await expect(page).toHaveURL(paths.about)
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('is 300 px wide on phones', async ({ page }) => {
    const box = await (await openMenu(page)).boundingBox()
    expect(box).toMatchObject({ width: 300, height: 740 })
  })

  test('is 400 px wide from the sm breakpoint', async ({ page }) => {
    await page.setViewportSize({ width: 640, height: 740 })
    const box = await (await openMenu(page)).boundingBox()
    expect(box?.width).toBe(400)
  })

  test('traps the focus and returns it to the menu button on close', async ({ page }) => {
    const menu = await openMenu(page)
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press('Tab')
      // The body counts as inside, because it is the active element when the browser’s toolbar has the focus.
      const isInside = await menu.evaluate(dialog => {
        const active = document.activeElement
        return active === document.body || dialog.contains(active)
      })
      expect(isInside).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(menuButton(page)).toBeFocused()
  })

  test('closes on a tap outside and by its button', async ({ page }) => {
    const menu = await openMenu(page)
    const { x = 0 } = (await menu.boundingBox()) ?? {}
    await page.touchscreen.tap(x > 0 ? x / 2 : 340, 400)
    await expect(menu).toBeHidden()
    await menuButton(page).tap()
    await menu.getByRole('button', { name: /close/i }).tap()
    await expect(menu).toBeHidden()
  })

  test('opens by keyboard', async ({ page }) => {
    await page.goto(paths.home)
    await menuButton(page).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})

test.describe('Footer', () => {
  test.use(desktop)

  test('links to the main pages and the four policies', async ({ page }) => {
    await page.goto(paths.home)
    const footer = page.getByRole('contentinfo')
    for (const path of [paths.home, paths.products, paths.about, paths.contact, ...Object.values(POLICIES)]) {
      await expect(footer.locator(`a[href="${path}"]`).first()).toBeVisible()
    }
  })

  test('shows address, phone, email, two social links and the current year', async ({ page }) => {
    await page.goto(paths.home)
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('Tiruchirappalli')
    await expect(footer).toContainText(/620 ?\d{3}/)
    await expect(footer.locator('a[href^="tel:+"]')).toBeVisible()
    await expect(footer.locator('a[href^="mailto:"]')).toBeVisible()
    await expect(footer.locator('a[href^="https://"]')).toHaveCount(2)
    await expect(footer).toContainText(String(toYearInIndia(Date.now())))
  })
})

test('GET /favicon.ico returns the icon', async ({ request }) => {
  const icon = await request.get('/favicon.ico')
  expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/x-icon'])
})

test.describe('Page navigation', () => {
  test.use(desktop)

  test('shows each new page from its top', async ({ page }) => {
    await page.goto(paths.home)
    for (const path of [paths.about, paths.products, paths.contact, paths.privacy]) {
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      await page.getByRole('contentinfo').locator(`a[href="${path}"]`).first().click()
      await page.waitForURL(`**${path}`)
      expect(await page.evaluate(() => scrollY)).toBe(0)
    }
  })

  test('has no dead links', async ({ page, request }) => {
    test.setTimeout(60_000)
    const links = new Set<string>()
    for (const path of [...Object.values(CONTENT_PAGES), paths.products]) {
      await page.goto(path)
      const hrefs = await page
        .locator('a[href^="/"]')
        .evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
      for (const link of hrefs) links.add(link.replace(/[?#].*/, ''))
    }
    const ignored: string[] = [paths.deals]
    const deadLinks: string[] = []
    for (const link of links) {
      if (!ignored.includes(link) && !(await request.get(link)).ok()) deadLinks.push(link)
    }
    expect(deadLinks).toEqual([])
  })
})

async function openMenu(page: Page): Promise<Locator> {
  await page.goto(paths.home)
  await menuButton(page).tap()
  const menu = page.getByRole('dialog')
  await expect(menu).toBeVisible()
  return menu
}

function menuButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /menu/i })
}
