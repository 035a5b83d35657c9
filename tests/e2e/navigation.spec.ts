import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { expectFocusInside } from '../support/browser-input.ts'
import { waitForHydration } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

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

  test('links to every section, stays in view, marks the current page and searches', async ({
    page
  }) => {
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
    await page.goto(paths.about)
    await bar.getByLabel('Search products').fill('halwa')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${paths.products}?q=halwa`)
    await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue('halwa')
  })

  test('each new page starts at its top, and the back link of the list returns to the previous page', async ({
    page
  }) => {
    await page.goto(paths.home)
    for (const path of [paths.contact, paths.about, paths.products]) {
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      await page.getByRole('contentinfo').locator(`a[href="${path}"]`).first().click()
      await page.waitForURL(`**${path}`)
      expect(await page.evaluate(() => scrollY)).toBe(0)
    }
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

function menuButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /menu/i })
}
