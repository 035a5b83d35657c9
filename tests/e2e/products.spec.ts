import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { expectFocusInside } from '../support/browser-input.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.describe('Product list', () => {
  test.use(desktop)

  test('keeps search, filters and sorting in the URL; a reload and Back restore them', async ({
    page,
    list,
    products
  }) => {
    await list.open('category=pizza&price=%00&x[]=1')
    const all = products.toSorted((a, b) => a.price - b.price || a.name.localeCompare(b.name, 'en'))
    await list.expectShown(all.map(({ _id }) => _id))
    await list.option('Category', 'Sweets').check()
    await list.option('Dietary', 'Vegetarian').check()
    await list.option('Price', '₹101 - ₹200').check()
    const filtered = all.filter(
      ({ category, dietary, price }) =>
        category === 'sweets' && dietary === 'vegetarian' && price > 100 && price <= 200
    )
    await list.expectShown(filtered.map(({ _id }) => _id))
    await expect(
      page.getByRole('status').filter({ hasText: `${filtered.length} products` })
    ).toBeVisible()
    await list.search.fill('ghee')
    await list.sort.selectOption('rating')
    await expect(page).toHaveURL(/category=sweets.*sort=rating/)
    const shownIds = filtered
      .filter(({ name, description, ingredients }) =>
        /ghee/i.test(`${name} ${description} ${ingredients.join()}`)
      )
      .toSorted((a, b) => b.rating - a.rating || a.name.localeCompare(b.name, 'en'))
      .map(({ _id }) => _id)
    await list.expectShown(shownIds)
    await page.reload()
    await list.expectShown(shownIds)
    await expect(list.search).toHaveValue('ghee')
    await expect(list.option('Category', 'Sweets')).toBeChecked()
    await list.option('Category', 'Pickles').check()
    await expect(page).toHaveURL(/category=pickles/)
    await page.goBack()
    await list.expectShown(shownIds)
  })

  test('is restored with its scroll position by Back from a product', async ({ page, list }) => {
    await list.open('category=sweets&sort=rating')
    await expect(page.getByRole('article').last()).toBeVisible()
    const shownIds = await list.shownIds()
    await page.getByRole('article').last().getByRole('link').click()
    await page.waitForURL(`**${paths.product(shownIds.at(-1) ?? '')}`)
    await page.goBack()
    await list.expectShown(shownIds)
    await expect(page.getByRole('article').last()).toBeInViewport()
  })

  test('can be filtered by keyboard, and a product can be added to the cart', async ({
    page,
    list
  }) => {
    await list.open()
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

  test('can be filtered when the network is down', async ({
    page,
    list,
    products,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR/)
    await list.open()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await list.search.fill('pickle')
    const matches = products.filter(({ name, description }) => /pickle/i.test(name + description))
    await expect.poll(async () => (await list.shownIds()).length).toBe(matches.length)
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
    const freeWidth = await list.sort.evaluate((select: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      const context = document.createElement('canvas').getContext('2d')
      if (!context) throw new Error('No canvas')
      context.font = font
      const text = context.measureText(select.selectedOptions[0]?.text ?? '').width
      const arrow = 20
      return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow - text
    })
    expect(freeWidth, 'the selected order is fully visible').toBeGreaterThanOrEqual(0)
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
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull()
    await filters.tap()
    await list.option('Category', 'Pickles').check()
    await page.getByRole('button', { name: 'Apply Filters' }).tap()
    await expect(page).toHaveURL(/category=pickles/)
    await page.goBack()
    await expect(page).toHaveURL(`${paths.products}?sort=rating`)
    await page.goBack()
    await expect(page).toHaveURL(paths.about)
  })
})
