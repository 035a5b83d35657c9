import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import {
  addButton,
  cartBadge,
  loginLink,
  LoginPage,
  MYSORE_PAK,
  toast,
  userMenu
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

/** In real browsers, both areas have a quota of their own. */
async function fillStorage(page: Page) {
  await page.evaluate(() => {
    for (const area of [localStorage, sessionStorage])
      for (let size = 2 ** 22; size >= 1; size /= 2)
        try {
          for (;;) area.setItem(`filler-${size}-${area.length}`, 'x'.repeat(size))
        } catch {
          // This size has no room any more.
        }
  })
}

async function expectNoPromise(page: Page, notice: string, remedy: string) {
  await page.goto(MYSORE_PAK)
  await addButton(page).click()
  await addButton(page).click()
  await expect(toast(page, notice)).toHaveCount(1)
  await expect(toast(page, notice)).toContainText(remedy)
  await expect(toast(page, 'Only on this page')).toContainText('This change is lost')
  for (const title of ['Item added to cart', 'Item quantity updated'])
    await expect(toast(page, title)).toHaveCount(0)
  await expect(cartBadge(page)).toHaveText('2')
  await expectAccessible(page, notice)
  await page.goto(paths.cart)
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await expect(toast(page, notice)).toBeVisible()
}

async function expectLoginOnOnePage(page: Page, shopper: Parameters<LoginPage['logIn']>[0]) {
  const login = new LoginPage(page)
  await login.open(`?return=${encodeURIComponent(paths.profile)}`)
  await login.logIn(shopper)
  await expect(page.getByText('You are logged in on this page only.')).toBeVisible()
  await expect(toast(page, 'Login successful')).toHaveCount(0)
  await expect(page).toHaveURL(/\/login/)
}

test.describe('A shop whose site data is blocked', () => {
  test.use(phone)

  test('promises nothing, and its pages have no errors', async ({ page, shopper }) => {
    // What Chromium does. Its headless shell has no such setting.
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const area of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, area, { get })
    })
    const notice = 'Your browser blocks this shop’s storage'
    await expectNoPromise(page, notice, 'Allow site data for this shop')
    await expectLoginOnOnePage(page, shopper)
    for (const path of [paths.home, paths.products, paths.deals, paths.contact, paths.admin])
      await page.goto(path, { waitUntil: 'load' })
    await expect(page).toHaveURL(/\/login/)
  })
})

test.describe('A full storage', () => {
  test.use(phone)

  test('promises nothing until there is room again', async ({ page, shopper }) => {
    await page.goto('/robots.txt')
    await fillStorage(page)
    await expectNoPromise(page, 'Your browser’s storage is full', 'Free space on this device')
    await expectLoginOnOnePage(page, shopper)
    await page.evaluate(() => localStorage.clear())
    await page.goto(MYSORE_PAK)
    await addButton(page).click()
    await expect(toast(page, 'Item added to cart')).toBeVisible()
    await page.goto(paths.cart)
    await expect(page.getByRole('link', { name: 'Mysore Pak' })).toBeVisible()
  })
})

test.describe('A storage that is cleared while two pages are open', () => {
  // Both may save the cart of the account at the same time.
  test.use({ ...desktop, allowedErrors: [/409 .*api\/cart/] })

  test('ends the session and empties the cart in both', async ({
    page,
    context,
    accounts,
    shopper,
    shop
  }) => {
    await accounts.logIn(page, shopper)
    await page.goto(MYSORE_PAK)
    await addButton(page).click()
    const other = await context.newPage()
    await other.goto(paths.profile)
    const pages = [page, other]
    for (const each of pages) {
      await expect(cartBadge(each)).toHaveText('1')
      await expect(userMenu(each)).toBeVisible()
    }
    const browser = await context.newCDPSession(page)
    await browser.send('Storage.clearDataForOrigin', { origin: shop.url, storageTypes: 'all' })
    for (const each of pages) {
      await expect(cartBadge(each)).toBeHidden()
      await expect(loginLink(each)).toBeVisible()
    }
    await addButton(page).click()
    await expect(cartBadge(other)).toHaveText('1')
  })
})
