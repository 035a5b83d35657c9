import type { Locator, Page } from 'playwright/test'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { SAMBAR } from '../support/browser-checkout.ts'
import { MYSORE_PAK, ProductList, toast } from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'

test.use(desktop)

test.describe('Cart', () => {
  test('shows each change in a toast, on the card and in the badge of every page, and survives a reload', async ({
    page,
    list
  }) => {
    await list.open()
    const card = list.card('Mysore Pak')
    const add = card.getByRole('button', { name: /^Add to Cart/ })
    await expect(badgeOf(page)).toBeHidden()
    await add.click()
    await expect(toast(page, 'Item added to cart')).toContainText(
      'Mysore Pak has been added to your cart.'
    )
    await add.click()
    await expect(toast(page, 'Item quantity updated')).toContainText(
      'Mysore Pak quantity has been updated.'
    )
    await expect(card).toContainText('In Cart: 2')
    await expect(badgeOf(page)).toHaveText(/2/)
    const stored = (await page.evaluate(() =>
      JSON.parse(localStorage.getItem('cart') ?? 'null')
    )) as unknown
    expect(stored).toMatchObject([
      { _id: 'mysore-pak', name: 'Mysore Pak', quantity: { value: 2 } }
    ])
    await page.goto(MYSORE_PAK)
    await expect(page.getByText('In Cart: 2').first()).toBeVisible()
    await page.goto(paths.home)
    await expect(badgeOf(page)).toHaveText(/2/)
    const addFromHome = page.getByRole('main').getByRole('button', { name: /^Add to Cart/ })
    await addFromHome.and(page.locator(':enabled')).first().click()
    await expect(badgeOf(page)).toHaveText(/3/)
    await expect(
      page.getByRole('banner').locator(`a[href="${paths.cart}"]`).first()
    ).toHaveAccessibleName(/3/)
  })

  test('is synchronised across tabs', async ({ page, context }) => {
    await page.goto(MYSORE_PAK)
    const other = await context.newPage()
    await other.goto(paths.products)
    const card = new ProductList(other).card('Mysore Pak')
    await card.getByRole('button').click()
    await expect(badgeOf(page)).toHaveText(/1/)
    await expect(page.getByText('In Cart: 1').first()).toBeVisible()
    await addButton(page).click()
    await expect(badgeOf(other)).toHaveText(/2/)
    await expect(card).toContainText('In Cart: 2')
  })

  test('shows its lines and total before the server has answered', async ({ page, checkout }) => {
    await page.route('**/api/**', () => undefined)
    await checkout.open({ ...SAMBAR, quantity: { ...SAMBAR.quantity, value: 2 } })
    await expect(page.getByRole('link', { name: SAMBAR.name })).toBeVisible()
    await expect(page.getByLabel('Cart total')).toHaveText(formatRupees(SAMBAR.price * 2))
  })
})

test.describe('Toasts', () => {
  test('appear in one live region and close after 7 s or by their button', async ({ page }) => {
    await page.clock.install()
    await page.goto(MYSORE_PAK)
    await addButton(page).click()
    const added = toast(page, 'Item added to cart')
    await expect(added).toBeVisible()
    await expect(addButton(page)).toBeFocused()
    await expect(page.locator('[aria-live]').filter({ hasText: 'Item added to cart' })).toHaveCount(
      1
    )
    await page.clock.runFor(7000)
    await expect(added).toBeHidden()
    await addButton(page).click()
    await toast(page, 'Item quantity updated').getByRole('button').click()
    await expect(toast(page, 'Item quantity updated')).toBeHidden()
  })
})

function addButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Add to Cart/ }).first()
}

function badgeOf(page: Page): Locator {
  return page.getByRole('banner').locator('cart-badge').first()
}
