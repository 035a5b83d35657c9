import { desktop, expect, test as base } from '../support/browser.ts'
import { cheapest, ProductList, sorted } from '../support/browser-list.ts'

const test = base.extend<{ list: ProductList }>({
  list: async ({ page }, use) => use(new ProductList(page))
})
test.use(desktop)

test.describe('the address', () => {
  test('preselects a category that exists, and no other', async ({ list, products }) => {
    await list.open('category=pickles')
    await expect(list.choice('Category', 'Pickles')).toBeChecked()
    await list.shows(cheapest(products, ({ category }) => category === 'pickles'))
    await list.open('category=pizza')
    await expect(list.choice('Category', 'All')).toBeChecked()
    await list.shows(cheapest(products))
  })

  test('holds every choice, so that a shared link and a reload show the same', async ({ page, list }) => {
    await list.open()
    await list.choice('Category', 'Sweets').check()
    await list.choice('Dietary', 'Vegetarian').check()
    await list.choice('Price', '₹101 - ₹200').check()
    await list.search.fill('ghee')
    await list.sort.selectOption('rating')
    await expect(page).toHaveURL(/category=sweets/)
    const before = await list.shown()
    expect(before).not.toEqual([])
    await page.reload()
    await list.alive()
    await list.shows(before)
    await expect(list.search).toHaveValue('ghee')
    await expect(list.sort).toHaveValue('rating')
    await expect(list.choice('Category', 'Sweets')).toBeChecked()
  })

  test('Back takes the last choice back', async ({ page, list, products }) => {
    await list.open()
    await list.choice('Category', 'Sweets').check()
    await list.choice('Category', 'Pickles').check()
    await list.shows(cheapest(products, ({ category }) => category === 'pickles'))
    await page.goBack()
    await list.shows(cheapest(products, ({ category }) => category === 'sweets'))
    await page.goBack()
    await list.shows(cheapest(products))
  })

  test('Back from a product shows the list as it was left', async ({ page, list, products }) => {
    await list.open('category=sweets&sort=rating')
    const chosen = sorted(
      products,
      (a, b) => b.rating - a.rating,
      ({ category }) => category === 'sweets'
    )
    await list.shows(chosen)
    await page.getByRole('article').last().getByRole('link').click()
    await page.waitForURL(`**/products/${chosen.at(-1)}`)
    await page.goBack()
    await list.shows(chosen)
    await expect(page.getByRole('article').last()).toBeInViewport()
  })

  test('with nonsense in it shows the whole list', async ({ list, products }) => {
    await list.open('price=%00&sort=%F0%9F&diet=meat&category=__proto__&x[]=1')
    await list.shows(cheapest(products))
  })
})

test.describe('by keyboard alone', () => {
  test('filters are reached, changed and heard', async ({ page, list, products }) => {
    await list.open()
    await list.search.focus()
    await page.keyboard.type('pickle')
    await list.choice('Dietary', 'All').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(list.choice('Dietary', 'Vegan')).toBeChecked()
    const left = cheapest(
      products,
      ({ name, description, dietary }) => dietary === 'vegan' && /pickle/i.test(`${name} ${description}`)
    )
    await list.shows(left)
    const add = page.getByRole('article').filter({ hasNotText: 'Out of Stock' }).first().getByRole('button')
    await add.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Item added to cart')).toBeVisible()
    await expect(add).toBeFocused()
  })
})
