import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible, recordLayoutShifts } from '../support/browser-checks.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const field = (page: Page): Locator => page.getByLabel('Search products')
const suggestions = (page: Page): Locator =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const opener = (page: Page): Locator => page.getByRole('button', { name: 'Search products' })

test.describe('Search in the header', () => {
  test.use(desktop)

  test('loads nothing before the focus, and suggests products by keyboard', async ({ page }) => {
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    const layoutShifts = await recordLayoutShifts(page)
    await page.goto(paths.about)
    await page.waitForLoadState('networkidle')
    expect(requested.filter(path => /search|api\/products/.test(path))).toEqual([])
    await field(page).click()
    await page.keyboard.type('mysore')
    await expect(suggestions(page).first()).toContainText('Mysore Pak')
    await expect(suggestions(page).first()).toContainText('₹')
    await expect(page.getByRole('status').filter({ hasText: /^\d+ suggestions$/ })).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await expect(field(page)).toHaveAttribute('aria-activedescendant', 'suggestion-0')
    await expectAccessible(page, 'active suggestion')
    await page.keyboard.press('Escape')
    await expect(suggestions(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('mysore')
    expect(await layoutShifts()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(paths.product('mysore-pak'))
  })

  test('leads to the field of the product list, where the header has none and its links stay in place', async ({
    page,
    list
  }) => {
    await page.goto(paths.about)
    const places = () =>
      page
        .getByRole('banner')
        .locator('a:visible, account-menu')
        .evaluateAll(parts => parts.map(part => part.getBoundingClientRect().toJSON() as object))
    const before = await places()
    await field(page).fill('laddu')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${paths.products}?q=laddu`)
    expect(await places()).toEqual(before)
    await expect(page.getByRole('banner').getByLabel('Search products')).toHaveCount(0)
    await expect(page.getByRole('banner').locator('label')).toBeHidden()
    await expect(page.getByRole('main').getByRole('search')).toBeVisible()
    await expect(list.search).toHaveCount(1)
    await expect(list.search).toHaveValue('laddu')
    await list.search.fill('mysore')
    await expect.poll(async () => (await list.shownIds())[0]).toBe('mysore-pak')
    await expect(suggestions(page)).toHaveCount(0)
    await expect(page).toHaveURL(`${paths.products}?q=mysore`)
  })
})

test.describe('Search in the header of a phone', () => {
  test.use(phone)

  test('opens over the header, suggests by touch and closes', async ({ page }) => {
    await page.goto(paths.about)
    await opener(page).tap()
    await expect(field(page)).toBeFocused()
    expect(
      await field(page).evaluate(input => input.closest('search-box')?.getBoundingClientRect())
    ).toMatchObject({
      ...{ top: 0, left: 0, width: 360, height: 64 }
    })
    await page.keyboard.type('mysore')
    await expect(suggestions(page).first()).toBeVisible()
    await expectAccessible(page, 'suggestions on a phone')
    await page.getByRole('button', { name: 'Close search' }).tap()
    await expect(field(page)).toBeHidden()
    await expect(opener(page)).toBeFocused()
    await opener(page).tap()
    await page.touchscreen.tap(180, 700)
    await expect(field(page)).toBeHidden()
    await opener(page).tap()
    await field(page).tap()
    await suggestions(page).first().tap()
    await expect(page).toHaveURL(paths.product('mysore-pak'))
  })

  test('closes by Escape, and when the focus moves on', async ({ page }) => {
    await page.goto(paths.about)
    await opener(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('laddu')
    await expect(suggestions(page).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Cart' })).toBeFocused()
    await expect(field(page)).toBeHidden()
  })

  test('leads to the field of the product list', async ({ page, list }) => {
    await list.open()
    await page.mouse.wheel(0, 2000)
    await page.getByRole('banner').locator('label[for="product-search"]').tap()
    await expect(list.search).toHaveCount(1)
    await expect(list.search).toBeFocused()
    await expect(list.search).toBeInViewport()
  })
})

test.describe('Search without scripts', () => {
  test.use({ ...phone, javaScriptEnabled: false })

  test('leads to the product list', async ({ page }) => {
    await page.goto(paths.about)
    await opener(page).tap()
    await field(page).fill('mysore')
    await field(page).press('Enter')
    await expect(page).toHaveURL(`${paths.products}?q=mysore`)
  })
})

for (const [name, device] of Object.entries({ phone, desktop })) {
  test.describe(`Search on the product list (${name})`, () => {
    test.use(device)

    test('lists the best match first, and helps if nothing is found', async ({ page, list }) => {
      await list.open('q=chakli')
      await expect.poll(async () => (await list.shownIds())[0]).toBe('manapparai-murukku')
      await expect(list.sort).toHaveValue('best')
      await list.search.fill('birthday halwa')
      await expect(page.getByRole('heading', { name: 'Bestsellers' })).toBeVisible()
      await expectAccessible(page, 'no result')
      await page.getByRole('link', { name: 'halwa', exact: true }).click()
      await expect(page).toHaveURL(`${paths.products}?q=halwa`)
      await expect.poll(async () => (await list.shownIds())[0]).toBe('tirunelveli-halwa')
    })
  })
}
