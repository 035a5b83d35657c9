import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { desktop, expect, test as base } from '../support/browser.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const LINE = {
  _id: 'mysore-pak',
  name: 'Mysore Pak',
  price: 180,
  image: 'mysore-pak.jpg',
  quantity: { value: 2, unit: 'g', type: 'weight' }
}

const test = base.extend<{ badge: Locator }>({
  badge: async ({ page }, use) => use(badgeOf(page))
})
test.use(desktop)

test.describe('Cart', () => {
  test('shows a toast when an item is added and when its quantity changes', async ({ page, badge }) => {
    await page.goto(paths.products)
    const card = mysorePakCard(page)
    const add = card.getByRole('button', { name: /^Add to Cart/ })
    await expect(badge).toBeHidden()
    await add.click()
    await expect(toast(page, 'Item added to cart')).toContainText('Mysore Pak has been added to your cart.')
    await expect(card).toContainText('In Cart: 1')
    await expect(badge).toHaveText(/1/)
    await add.click()
    await expect(toast(page, 'Item quantity updated')).toContainText('Mysore Pak quantity has been updated.')
    await expect(card).toContainText('In Cart: 2')
    await expect(badge).toHaveText(/2/)
  })

  test('shows the total quantity in the badge on every page', async ({ page, badge, seedCart }) => {
    await seedCart(LINE, {
      ...LINE,
      _id: 'thattai',
      name: 'Thattai',
      quantity: { value: 3, unit: 'g', type: 'weight' }
    })
    for (const path of [paths.home, paths.products, MYSORE_PAK, paths.blogs, paths.contact, paths.terms]) {
      await page.goto(path)
      await expect(badge, path).toHaveText(/5/)
    }
  })

  test('can be filled from the home page', async ({ page, badge }) => {
    await page.goto(paths.home)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Add to Cart/ })
      .and(page.locator(':enabled'))
      .first()
      .click()
    await expect(toast(page, 'Item added to cart')).toBeVisible()
    await expect(badge).toHaveText(/1/)
  })

  test('is stored in localStorage under `cart` and restored after a reload', async ({ page, badge }) => {
    await page.goto(MYSORE_PAK)
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await expect(badge).toHaveText(/1/)
    const stored = (await page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? 'null'))) as unknown
    expect(stored).toMatchObject([{ _id: 'mysore-pak', name: 'Mysore Pak', quantity: { value: 1 } }])
    await page.reload()
    await expect(badge).toHaveText(/1/)
    await expect(page.getByText('In Cart: 1').first()).toBeVisible()
  })

  test('is synchronised across tabs', async ({ page, badge, context }) => {
    await page.goto(MYSORE_PAK)
    const other = await context.newPage()
    await other.goto(paths.products)
    await mysorePakCard(other).getByRole('button').click()
    await expect(badge).toHaveText(/1/)
    await expect(page.getByText('In Cart: 1').first()).toBeVisible()
    await page
      .getByRole('button', { name: /^Add to Cart/ })
      .first()
      .click()
    await expect(badgeOf(other)).toHaveText(/2/)
    await expect(mysorePakCard(other)).toContainText('In Cart: 2')
  })

  for (const [content, stored] of Object.entries({
    'broken JSON': '{"_id":',
    'a string': '"hello"',
    'a line in an old format': '[{"id":7,"qty":"two"}]',
    'a negative quantity': JSON.stringify([{ ...LINE, quantity: { value: -3 } }]),
    null: 'null'
  })) {
    test(`works even if localStorage contains ${content}`, async ({ page, badge }) => {
      await page.addInitScript(text => {
        if (!sessionStorage.getItem('seeded')) localStorage.setItem('cart', text)
        sessionStorage.setItem('seeded', 'yes')
      }, stored)
      await page.goto(paths.products)
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
      await expect(badge).toBeHidden()
      await mysorePakCard(page).getByRole('button').click()
      await expect(badge).toHaveText(/1/)
      await page.reload()
      await expect(badge).toHaveText(/1/)
    })
  }

  test('keeps the valid lines of a damaged cart', async ({ page, badge, seedCart }) => {
    await seedCart(LINE, { id: 7 })
    await page.goto(paths.products)
    await expect(badge).toHaveText(/2/)
    await expect(page.getByText('Some items could not be restored')).toBeVisible()
  })
})

test.describe('Toasts', () => {
  test('appear in one live region and close after 7 s or when their button is clicked', async ({ page }) => {
    await page.clock.install()
    await page.goto(MYSORE_PAK)
    const add = page.getByRole('button', { name: /^Add to Cart/ }).first()
    await add.click()
    const added = toast(page, 'Item added to cart')
    await expect(added).toBeVisible()
    await expect(add).toBeFocused()
    await expect(page.locator('[aria-live]').filter({ has: added })).toHaveCount(1)
    await page.clock.runFor(7000)
    await expect(added).toBeHidden()
    await add.click()
    await toast(page, 'Item quantity updated').getByRole('button').click()
    await expect(toast(page, 'Item quantity updated')).toBeHidden()
  })
})

function toast(page: Page, title: string): Locator {
  return page.getByRole('status').filter({ hasText: title }).last()
}

function mysorePakCard(page: Page): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Mysore Pak', exact: true }) })
}

function badgeOf(page: Page): Locator {
  return page.getByRole('banner').locator('cart-badge').first()
}
