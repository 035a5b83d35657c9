import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const addButton = { name: /^Add to Cart/ }

test.describe('Product page', () => {
  test.use(desktop)

  test('shows name, price, pack size, description, ingredients, shelf life and diet', async ({ page, products }) => {
    for (const id of ['mysore-pak', 'mango-avakkai']) {
      const product = products.find(({ _id }) => _id === id)
      await page.goto(paths.product(id))
      const main = page.getByRole('main')
      await expect(page.getByRole('heading', { level: 1 })).toContainText(product?.name ?? '?')
      await expect(main.getByText(product?.nameTamil ?? '?').first()).toBeVisible()
      await expect(main.getByText(`₹${product?.price.toFixed(2)}`).first()).toBeVisible()
      await expect(main).toContainText(`${product?.quantity.value} ${product?.quantity.unit}`)
      await expect(main).toContainText(product?.description ?? '?')
      await expect(main).toContainText(product?.shelfLife ?? '?')
      await expect(main).toContainText(product?.dietary === 'vegan' ? 'Vegan' : 'Vegetarian')
      for (const ingredient of product?.ingredients ?? []) await expect(main).toContainText(ingredient)
    }
  })

  test('shows at most four thumbnails, and a click on a thumbnail switches the picture', async ({ page, products }) => {
    const product = products.find(({ _id }) => _id === 'mysore-pak')
    await page.goto(MYSORE_PAK)
    const thumbnails = page.locator('product-gallery [data-thumbnail]')
    await expect(thumbnails).toHaveCount(Math.min(product?.pictures.length ?? 0, 4))
    const pictures = page.locator('product-gallery [data-strip] img')
    await expect(pictures.nth(0)).toBeInViewport()
    await thumbnails.nth(1).click()
    await expect(pictures.nth(1)).toBeInViewport({ ratio: 0.9 })
    await expect(pictures.nth(0)).not.toBeInViewport({ ratio: 0.1 })
    await expect(thumbnails.nth(1)).toHaveAttribute('aria-current', 'true')
  })

  test('does not allow a quantity below 1', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    const minus = page.getByRole('button', { name: /decrease/i })
    const plus = page.getByRole('button', { name: /increase/i })
    const quantity = page.getByRole('spinbutton')
    await expect(quantity).toHaveValue('1')
    await expect(minus).toBeDisabled()
    await plus.click()
    await plus.click()
    await expect(quantity).toHaveValue('3')
    await minus.click()
    await expect(quantity).toHaveValue('2')
    for (const typed of ['0', '-4', '']) {
      await quantity.fill(typed)
      await quantity.blur()
      await expect(quantity).toHaveValue('1')
    }
  })

  test('adds the chosen quantity to the cart', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    await page.getByRole('button', { name: /increase/i }).click()
    await page.getByRole('button', addButton).first().click()
    await expect(page.getByText('Mysore Pak has been added to your cart.')).toBeVisible()
    await expect(page.getByText('In Cart: 2').first()).toBeVisible()
    const cart = (await page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]'))) as object[]
    expect(cart).toMatchObject([{ _id: 'mysore-pak', price: 180, quantity: { value: 2, unit: 'g', type: 'weight' } }])
  })

  test('disables the controls of a sold-out product', async ({ page, products }) => {
    const soldOut = products.find(({ stock }) => stock === 0)
    await page.goto(paths.product(soldOut?._id ?? ''))
    await expectSoldOut(page)
  })

  test('limits the quantity to the stock left and explains why', async ({ page, products }) => {
    const { _id: id = '', stock: left = 0 } = products.find(({ stock }) => stock > 0 && stock <= 5) ?? {}
    await page.goto(paths.product(id))
    await expect(page.getByText(/only \d left/i).first()).toBeVisible()
    const quantity = page.getByRole('spinbutton')
    const plus = page.getByRole('button', { name: /increase/i })
    const add = page.getByRole('button', addButton).first()
    await quantity.fill('50')
    await quantity.blur()
    await expect(quantity).toHaveValue(String(left))
    await expect(plus).toBeDisabled()
    await add.click()
    await expect(page.getByText(`In Cart: ${left}`).first()).toBeVisible()
    await expect(quantity).toHaveValue('1')
    await expect(plus).toBeDisabled()
    await add.click()
    await expect(page.getByRole('alert')).toContainText(`Only ${left} left, ${left} in your cart.`)
  })

  test('updates price and stock from the live catalogue', async ({ page }) => {
    await page.route('**/api/catalog/live*', route =>
      route.fulfill({ json: { products: [{ id: 'mysore-pak', price: 199.5, stock: 'out' }] } })
    )
    await page.goto(MYSORE_PAK)
    await expect(page.getByText('₹199.50').first()).toBeVisible()
    await expectSoldOut(page)
  })
})

test.describe('Product page on a phone', () => {
  test.use(phone)

  test('keeps Add to Cart in view while scrolling', async ({ page }) => {
    await page.goto(MYSORE_PAK)
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight / 2, behavior: 'instant' }))
    const buttons = page
      .getByRole('button', addButton)
      .and(page.locator('add-to-cart[data-product*="\\"mysore-pak\\""] *'))
    await expect
      .poll(async () => {
        const inView = await Promise.all((await buttons.all()).map(button => button.evaluate(isInView)))
        return inView.includes(true)
      })
      .toBe(true)
  })

  test('shows without scrolling that a product is sold out', async ({ page, products }) => {
    const soldOut = products.find(({ stock }) => stock === 0)
    await page.goto(paths.product(soldOut?._id ?? ''))
    await expect(page.locator('product-gallery').getByText('Out of Stock')).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeInViewport()
  })
})

async function expectSoldOut(page: Page): Promise<void> {
  await expect(page.locator('product-gallery').getByText('Out of Stock')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Out of Stock' })).toBeDisabled()
  await expect(page.getByRole('spinbutton')).toBeDisabled()
  for (const name of [/decrease/i, /increase/i]) await expect(page.getByRole('button', { name })).toBeDisabled()
}

function isInView(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect()
  return height > 0 && top >= 0 && bottom <= innerHeight
}
