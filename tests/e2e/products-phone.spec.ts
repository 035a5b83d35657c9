import { expect, phone, test as base } from '../support/browser.ts'
import { ProductList } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

test.describe('filter drawer on a phone', () => {
  test("is titled 'Filters' and changes the list by 'Apply Filters'", async ({ page, list, products }) => {
    await list.open()
    const all = await list.shown()
    expect(all).toHaveLength(products.length)
    await page.getByRole('button', { name: /^Filters/ }).tap()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    await expect(drawer).toBeVisible()
    await list.choice('Category', 'Powders').check()
    await list.choice('Dietary', 'Vegan').check()
    const powders = products.filter(({ category, dietary }) => category === 'powders' && dietary === 'vegan')
    await expect(drawer).toContainText(String(powders.length))
    await drawer.getByRole('button', { name: 'Apply Filters' }).tap()
    await expect(drawer).toBeHidden()
    await expect.poll(async () => (await list.shown()).toSorted()).toEqual(powders.map(({ _id }) => _id).toSorted())
  })

  test('closed without applying it changes nothing', async ({ page, list }) => {
    await list.open()
    const all = await list.shown()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    await list.choice('Category', 'Pickles').check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await list.shows(all)
    await expect(page.getByRole('button', { name: /^Filters/ })).toBeFocused()
  })

  test('keeps the focus inside', async ({ page, list }) => {
    await list.open()
    await page.getByRole('button', { name: /^Filters/ }).tap()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab')
      const place = await drawer.evaluate(dialog => {
        const active = document.activeElement
        return active === document.body || dialog.contains(active)
      })
      expect(place).toBe(true)
    }
  })

  test('two columns of cards', async ({ page, list }) => {
    await list.open()
    const tops = await page
      .getByRole('article')
      .evaluateAll(cards => cards.slice(0, 3).map(card => card.getBoundingClientRect().top))
    expect(tops[1]).toBe(tops[0])
    expect(tops[2]).toBeGreaterThan(tops[0] ?? Infinity)
  })
})
