import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible, recordLayoutShifts } from '../support/browser-checks.ts'
import { expectFocusInside, press } from '../support/browser-input.ts'
import { desktop, expect, phone, test, waitForScriptsAndFonts } from '../support/browser.ts'

test.describe('Product list', () => {
  test.use(desktop)

  test('is restored with its scroll position by Back from a product opened by its picture', async ({
    page,
    list
  }) => {
    await list.open('category=sweets&sort=rating')
    await expect(page.getByRole('article').last()).toBeVisible()
    const shownIds = await list.shownIds()
    const onPicture = { position: { x: 60, y: 60 } }
    await page.getByRole('article').last().click(onPicture)
    await page.waitForURL(`**${paths.product(shownIds.at(-1) ?? '')}`)
    await page.goBack()
    await list.expectShown(shownIds)
    await expect(page.getByRole('article').last()).toBeInViewport()
  })

  test('can be filtered by keyboard without a network, and a product can be added to the cart', async ({
    page,
    list,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await list.open()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await list.search.focus()
    await page.keyboard.type('pickle')
    await list.option('Dietary', 'All').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(list.option('Dietary', 'Vegan')).toBeChecked()
    await expect
      .poll(async () => (await list.shownIds()).every(id => /pickle|avakkai|thokku/.test(id)))
      .toBe(true)
    const add = page
      .getByRole('article')
      .filter({ hasNotText: 'Out of Stock' })
      .first()
      .getByRole('button')
    await add.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Item added to cart')).toBeVisible()
    await expect(add).toBeFocused()
    await expectAccessible(page, 'toast')
  })
})

test.describe('Product list on a phone', () => {
  test.use(phone)

  test('shows two columns, and the filter drawer changes the list only when applied', async ({
    page,
    list,
    products
  }) => {
    await list.open()
    const tops = await page
      .getByRole('article')
      .evaluateAll(cards => cards.slice(0, 3).map(card => card.getBoundingClientRect().top))
    expect(tops[1]).toBe(tops[0])
    expect(tops[2]).toBeGreaterThan(tops[0] ?? Infinity)

    const filters = page.getByRole('button', { name: /^Filters/ })
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    await filters.tap()
    await list.option('Category', 'Powders').check()
    await expectAccessible(page, 'open drawer')
    await expectFocusInside(drawer, 12)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(filters).toBeFocused()
    expect(await list.shownIds()).toHaveLength(products.length)

    await filters.tap()
    await expect(list.option('Category', 'Powders')).not.toBeChecked()
    await list.option('Category', 'Powders').check()
    await list.option('Dietary', 'Vegan').check()
    const powders = products.filter(
      ({ category, dietary }) => category === 'powders' && dietary === 'vegan'
    )
    await expect(drawer).toContainText(String(powders.length))
    await drawer.getByRole('button', { name: 'Apply Filters' }).tap()
    await expect(drawer).toBeHidden()
    await expect
      .poll(async () => (await list.shownIds()).toSorted())
      .toEqual(powders.map(({ _id }) => _id).toSorted())

    await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeVisible()
    await press(page.getByRole('button', { name: 'Remove filter: Powders' }))
    const lastFilter = page.getByRole('button', { name: 'Remove filter: Vegan' })
    await expect(lastFilter).toBeFocused()
    await press(lastFilter)
    await expect(page.getByRole('article').getByRole('link').first()).toBeFocused()
  })

  test('Back closes the filter drawer, which adds no entries to the history', async ({
    page,
    list
  }) => {
    await page.goto(paths.about)
    await list.open('sort=rating')
    const filters = page.getByRole('button', { name: /^Filters/ })
    await filters.tap()
    await list.option('Category', 'Pickles').check()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL(`${paths.products}?sort=rating`)
    await filters.tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull()
    await page.goBack()
    await expect(page).toHaveURL(paths.about)
  })
})

const field = (page: Page) => page.getByLabel('Search products')
const suggestions = (page: Page) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const opener = (page: Page) => page.getByRole('button', { name: 'Search products' })

test.describe('Search in the header', () => {
  test.use(desktop)

  test('loads nothing before the focus, and suggests products by keyboard', async ({ page }) => {
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    const layoutShifts = await recordLayoutShifts(page)
    await page.goto(paths.about)
    await page.waitForLoadState('networkidle')
    expect(requested.filter(path => /search|api\/products/.test(path))).toEqual([])
    const shiftsOfFonts = await layoutShifts()
    await field(page).click()
    await page.keyboard.type('mysore')
    await expect(suggestions(page).first()).toContainText('Mysore Pak')
    await page.keyboard.press('ArrowDown')
    await expect(field(page)).toHaveAttribute('aria-activedescendant', 'suggestion-0')
    await expectAccessible(page, 'active suggestion')
    await page.keyboard.press('Escape')
    await expect(suggestions(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('mysore')
    expect(await layoutShifts()).toBe(shiftsOfFonts)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(paths.product('mysore-pak'))
  })

  test('leads to the field of the product list, where the header has none and its links stay in place', async ({
    page,
    list
  }) => {
    await page.goto(paths.about)
    await waitForScriptsAndFonts(page)
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
    await expect(list.search).toHaveCount(1)
    await expect(list.search).toHaveValue('laddu')
    await list.search.fill('mysore')
    await expect.poll(async () => (await list.shownIds())[0]).toBe('mysore-pak')
    await expect(suggestions(page)).toHaveCount(0)
  })
})

test.describe('Search in the header of a phone', () => {
  test.use(phone)

  test('opens over the header, suggests by touch and closes', async ({ page }) => {
    await page.goto(paths.about)
    await opener(page).tap()
    await expect(field(page)).toBeFocused()
    const box = page.locator('search-box').filter({ has: field(page) })
    expect(await box.boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 64 })
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
    await page.keyboard.press('Escape')
    await expect(opener(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('banner').getByRole('link', { name: 'தமிழ்' })).toBeFocused()
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
