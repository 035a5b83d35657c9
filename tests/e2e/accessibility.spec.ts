import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, expect, phone, scrollThrough, test } from '../support/browser.ts'
import { NOT_FOUND_STATUS, PUBLIC_PAGES } from '../support/browser-pages.ts'

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`Accessibility (${width})`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    for (const [name, path] of Object.entries(PUBLIC_PAGES)) {
      test(`${name} page has no axe violations`, async ({ page, allowedErrors }) => {
        allowedErrors.push(NOT_FOUND_STATUS)
        await page.goto(path)
        await scrollThrough(page)
        await page.waitForLoadState('networkidle')
        expect(await axeFindings(page)).toEqual([])
      })
    }

    test('a blog post has no axe violations', async ({ page }) => {
      await page.goto(paths.blogs)
      await page.getByRole('main').getByRole('link').filter({ hasText: /\S/ }).first().click()
      await page.waitForURL('**/blogs/*')
      expect(await axeFindings(page)).toEqual([])
    })

    test('a page with toasts has no axe violations', async ({ page }) => {
      await page.goto(paths.products)
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
        .click()
      await expect(page.getByText('Item added to cart')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })

    test('every page has one h1, one main region and a skip link', async ({ page, allowedErrors }) => {
      allowedErrors.push(NOT_FOUND_STATUS)
      for (const path of Object.values(PUBLIC_PAGES)) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
        await expect(page.getByRole('main'), path).toHaveCount(1)
        await page.keyboard.press('Tab')
        const skipLink = page.locator(':focus')
        await expect(skipLink, path).toHaveAttribute('href', /^#/)
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        const inHeader = await page.evaluate(() => document.activeElement?.closest('header') !== null)
        expect(inHeader, `${path}: focus is still in the header`).toBe(false)
      }
    })
  })
}

test.describe('Accessibility: phone overlays', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('the open side menu has no axe violations', async ({ page }) => {
    await page.goto(paths.home)
    await page.getByRole('button', { name: /menu/i }).tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  test('the open filter drawer has no axe violations', async ({ page }) => {
    await page.goto(paths.products)
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})
