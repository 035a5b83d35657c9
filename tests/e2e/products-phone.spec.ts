import { expect, phone, test as base } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Product list on a phone', () => {
  test("the filter drawer changes the list on 'Apply Filters'", async ({ page, list, products }) => {
    await list.open()
    const allIds = await list.shownIds()
    expect(allIds).toHaveLength(products.length)
    await page.getByRole('button', { name: /^Filters/ }).tap()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    await expect(drawer).toBeVisible()
    await list.option('Category', 'Powders').check()
    await list.option('Dietary', 'Vegan').check()
    const powders = products.filter(({ category, dietary }) => category === 'powders' && dietary === 'vegan')
    await expect(drawer).toContainText(String(powders.length))
    await drawer.getByRole('button', { name: 'Apply Filters' }).tap()
    await expect(drawer).toBeHidden()
    await expect.poll(async () => (await list.shownIds()).toSorted()).toEqual(powders.map(({ _id }) => _id).toSorted())
  })

  test('the filter drawer changes nothing if it is closed without applying', async ({ page, list }) => {
    await list.open()
    const allIds = await list.shownIds()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await list.option('Category', 'Pickles').check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await list.expectShown(allIds)
    await expect(page.getByRole('button', { name: /^Filters/ })).toBeFocused()
  })

  test('Back closes the filter drawer and does not leave the list', async ({ page, list }) => {
    await list.open('sort=rating')
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await list.option('Category', 'Pickles').check()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL('/products?sort=rating')
  })

  test('opening and closing the filter drawer adds no history entries', async ({ page, list }) => {
    await page.goto('/about')
    await list.open()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await list.option('Category', 'Pickles').check()
    await page.getByRole('button', { name: 'Apply Filters' }).tap()
    await expect(page).toHaveURL('/products?category=pickles')
    await page.goBack()
    await expect(page).toHaveURL('/products')
    await page.goBack()
    await expect(page).toHaveURL('/about')
  })

  test('the filter drawer traps the focus', async ({ page, list }) => {
    await list.open()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab')
      const isInside = await drawer.evaluate(dialog => {
        const active = document.activeElement
        return active === document.body || dialog.contains(active)
      })
      expect(isInside).toBe(true)
    }
  })

  test('the selected sort order is fully visible when the filter button shows a count', async ({ page, list }) => {
    await list.open('category=pickles')
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
    const freeWidth = await list.sort.evaluate((select: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      const context = document.createElement('canvas').getContext('2d')
      if (!context) throw new Error('No canvas')
      context.font = font
      const text = context.measureText(select.selectedOptions[0]?.text ?? '').width
      const arrow = 20
      return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow - text
    })
    expect(freeWidth).toBeGreaterThanOrEqual(0)
  })

  test('shows two columns of cards', async ({ page, list }) => {
    await list.open()
    const tops = await page
      .getByRole('article')
      .evaluateAll(cards => cards.slice(0, 3).map(card => card.getBoundingClientRect().top))
    expect(tops[1]).toBe(tops[0])
    expect(tops[2]).toBeGreaterThan(tops[0] ?? Infinity)
  })
})
