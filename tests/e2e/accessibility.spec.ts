import { paths } from '#lib/paths.ts'
import { axeFindings, desktop, expect, phone, scrollThrough, test } from '../support/browser.ts'
import { NOT_FOUND_STATUS, PUBLIC_PAGES } from '../support/browser-pages.ts'

for (const [width, device] of Object.entries({ phone, desktop })) {
  test.describe(`accessibility at ${width} width`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })

    for (const [name, path] of Object.entries(PUBLIC_PAGES)) {
      test(`axe finds nothing on ${name}`, async ({ page, forgiven }) => {
        forgiven.push(NOT_FOUND_STATUS)
        await page.goto(path)
        await scrollThrough(page)
        await page.waitForLoadState('networkidle')
        expect(await axeFindings(page)).toEqual([])
      })
    }

    test('axe finds nothing on a blog post', async ({ page }) => {
      await page.goto(paths.blogs)
      await page.getByRole('main').getByRole('link').filter({ hasText: /\S/ }).first().click()
      await page.waitForURL('**/blogs/*')
      expect(await axeFindings(page)).toEqual([])
    })

    test('axe finds nothing while toasts are shown', async ({ page }) => {
      await page.goto(paths.products)
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Add to Cart/ })
        .first()
        .click()
      await expect(page.getByText('Item added to cart')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })

    test('every page has one main heading, one main region and a way past the header', async ({ page, forgiven }) => {
      forgiven.push(NOT_FOUND_STATUS)
      for (const path of Object.values(PUBLIC_PAGES)) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
        await expect(page.getByRole('main'), path).toHaveCount(1)
        await page.keyboard.press('Tab')
        const first = page.locator(':focus')
        await expect(first, path).toHaveAttribute('href', /^#/)
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        const inHeader = await page.evaluate(() => document.activeElement?.closest('header') !== null)
        expect(inHeader, `${path}: the skip link leads past the header`).toBe(false)
      }
    })
  })
}

test.describe('accessibility of what opens on a phone', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

  test('axe finds nothing in the opened side menu', async ({ page }) => {
    await page.goto(paths.home)
    await page.getByRole('button', { name: /menu/i }).tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  test('axe finds nothing in the opened filter drawer', async ({ page }) => {
    await page.goto(paths.products)
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})
