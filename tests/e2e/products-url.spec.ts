import { desktop, expect, test as base } from '../support/browser.ts'
import { idsByPrice, ProductList, sortedIds } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use(desktop)

test.describe('Product list URL', () => {
  test('preselects a known category and ignores an unknown one', async ({ list, products }) => {
    await list.open('category=pickles')
    await expect(list.option('Category', 'Pickles')).toBeChecked()
    await list.expectShown(idsByPrice(products, ({ category }) => category === 'pickles'))
    await list.open('category=pizza')
    await expect(list.option('Category', 'All')).toBeChecked()
    await list.expectShown(idsByPrice(products))
  })

  test('contains all filters, and a reload shows the same list', async ({ page, list }) => {
    await list.open()
    await list.option('Category', 'Sweets').check()
    await list.option('Dietary', 'Vegetarian').check()
    await list.option('Price', '₹101 - ₹200').check()
    await list.search.fill('ghee')
    await list.sort.selectOption('rating')
    await expect(page).toHaveURL(/category=sweets/)
    const shownIds = await list.shownIds()
    expect(shownIds).not.toEqual([])
    await page.reload()
    await list.waitForHydration()
    await list.expectShown(shownIds)
    await expect(list.search).toHaveValue('ghee')
    await expect(list.sort).toHaveValue('rating')
    await expect(list.option('Category', 'Sweets')).toBeChecked()
  })

  test('Back undoes the last filter', async ({ page, list, products }) => {
    await list.open()
    await list.option('Category', 'Sweets').check()
    await list.option('Category', 'Pickles').check()
    await list.expectShown(idsByPrice(products, ({ category }) => category === 'pickles'))
    await page.goBack()
    await list.expectShown(idsByPrice(products, ({ category }) => category === 'sweets'))
    await page.goBack()
    await list.expectShown(idsByPrice(products))
  })

  test('Back from a product restores the list and the scroll position', async ({ page, list, products }) => {
    await list.open('category=sweets&sort=rating')
    const expectedIds = sortedIds(
      products,
      (a, b) => b.rating - a.rating,
      ({ category }) => category === 'sweets'
    )
    await list.expectShown(expectedIds)
    await page.getByRole('article').last().getByRole('link').click()
    await page.waitForURL(`**/products/${expectedIds.at(-1)}`)
    await page.goBack()
    await list.expectShown(expectedIds)
    await expect(page.getByRole('article').last()).toBeInViewport()
  })

  test('shows the full list if its parameters are invalid', async ({ list, products }) => {
    await list.open('price=%00&sort=%F0%9F&diet=meat&category=__proto__&x[]=1')
    await list.expectShown(idsByPrice(products))
  })
})

test.describe('Product list by keyboard', () => {
  test('the list can be filtered and a product can be added to the cart', async ({ page, list, products }) => {
    await list.open()
    await list.search.focus()
    await page.keyboard.type('pickle')
    await list.option('Dietary', 'All').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(list.option('Dietary', 'Vegan')).toBeChecked()
    const expected = idsByPrice(
      products,
      ({ name, description, dietary }) => dietary === 'vegan' && /pickle/i.test(`${name} ${description}`)
    )
    await list.expectShown(expected)
    const add = page.getByRole('article').filter({ hasNotText: 'Out of Stock' }).first().getByRole('button')
    await add.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Item added to cart')).toBeVisible()
    await expect(add).toBeFocused()
  })
})
