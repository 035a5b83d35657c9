import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { yearInIndia } from '#lib/time.ts'
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

test.describe('navigation bar', () => {
  test.use(desktop)

  test('links to every part of the shop', async ({ page }) => {
    await page.goto(paths.home)
    const bar = page.getByRole('banner')
    for (const [name, path] of Object.entries(TOP_LINKS)) {
      await expect(bar.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', path)
    }
    await expect(bar.locator(`a[href="${paths.cart}"]`).first()).toBeVisible()
    await expect(bar.locator(`a[href="${paths.login}"]`).first()).toBeVisible()
  })

  test('stays in view and says where one is', async ({ page }) => {
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

  test('the cart shows the total quantity only when it is above 0', async ({ page }) => {
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

test.describe('side menu', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('has the same links and leads to them', async ({ page }) => {
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

  test('is 400 px wide from the sm breakpoint on', async ({ page }) => {
    await page.setViewportSize({ width: 640, height: 740 })
    const box = await (await openMenu(page)).boundingBox()
    expect(box?.width).toBe(400)
  })

  test('keeps the focus inside and gives it back', async ({ page }) => {
    const menu = await openMenu(page)
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press('Tab')
      // The browser's own bars take a turn too; the page behind the menu never does.
      const place = await menu.evaluate(dialog => {
        const active = document.activeElement
        return active === document.body || dialog.contains(active)
      })
      expect(place).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(opener(page)).toBeFocused()
  })

  test('closes by a tap outside and by its own button', async ({ page }) => {
    const menu = await openMenu(page)
    const { x = 0 } = (await menu.boundingBox()) ?? {}
    await page.touchscreen.tap(x > 0 ? x / 2 : 340, 400)
    await expect(menu).toBeHidden()
    await opener(page).tap()
    await menu.getByRole('button', { name: /close/i }).tap()
    await expect(menu).toBeHidden()
  })

  test('opens by keyboard', async ({ page }) => {
    await page.goto(paths.home)
    await opener(page).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})

test.describe('footer', () => {
  test.use(desktop)

  test('links to the shop’s pages and the four policies', async ({ page }) => {
    await page.goto(paths.home)
    const footer = page.getByRole('contentinfo')
    for (const path of [paths.home, paths.products, paths.about, paths.contact, ...Object.values(POLICIES)]) {
      await expect(footer.locator(`a[href="${path}"]`).first()).toBeVisible()
    }
  })

  test('has tagline, postal address, phone, e-mail, two social pages and the current year', async ({ page }) => {
    await page.goto(paths.home)
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('Tiruchirappalli')
    await expect(footer).toContainText(/620 ?\d{3}/)
    await expect(footer.locator('a[href^="tel:+"]')).toBeVisible()
    await expect(footer.locator('a[href^="mailto:"]')).toBeVisible()
    await expect(footer.locator('a[href^="https://"]')).toHaveCount(2)
    await expect(footer).toContainText(String(yearInIndia(Date.now())))
  })
})

test('the icon that browsers ask for unasked is there', async ({ request }) => {
  const icon = await request.get('/favicon.ico')
  expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/x-icon'])
})

test.describe('moving between pages', () => {
  test.use(desktop)

  test('the page scrolls to the top on every path change', async ({ page }) => {
    await page.goto(paths.home)
    for (const path of [paths.about, paths.products, paths.contact, paths.privacy]) {
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      await page.getByRole('contentinfo').locator(`a[href="${path}"]`).first().click()
      await page.waitForURL(`**${path}`)
      expect(await page.evaluate(() => scrollY)).toBe(0)
    }
  })

  test('every link of every page leads somewhere', async ({ page, request }) => {
    test.setTimeout(60_000)
    const found = new Set<string>()
    for (const path of [...Object.values(CONTENT_PAGES), paths.products]) {
      await page.goto(path)
      const links = await page
        .locator('a[href^="/"]')
        .evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
      for (const link of links) found.add(link.replace(/[?#].*/, ''))
    }
    // This page comes with the deals; links to it are there from the first day on.
    const coming: string[] = [paths.deals]
    const dead: string[] = []
    for (const link of found) {
      if (!coming.includes(link) && !(await request.get(link)).ok()) dead.push(link)
    }
    expect(dead).toEqual([])
  })
})

async function openMenu(page: Page): Promise<Locator> {
  await page.goto(paths.home)
  await opener(page).tap()
  const menu = page.getByRole('dialog')
  await expect(menu).toBeVisible()
  return menu
}

function opener(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /menu/i })
}
