import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { press } from '../support/browser-input.ts'
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

test.describe('Session', () => {
  test.use(desktop)

  test('starts and ends in all tabs at the same time', async ({ page, context, shopper }) => {
    await page.goto(paths.profile)
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
    const other = await context.newPage()
    await other.goto(paths.login)
    await new LoginPage(other).logIn(shopper)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    await userMenu(page).click()
    await logoutButton(page).click()
    await expect(loginLink(other)).toBeVisible()
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
  })
})

test.describe('Account menu', () => {
  test.describe('by keyboard', () => {
    test.use(desktop)

    test('links to the account pages, and Logout ends the session and empties the cart', async ({
      page,
      accounts,
      shopper
    }) => {
      await accounts.logIn(page, shopper)
      await page.goto(MYSORE_PAK)
      await addButton(page).click()
      await expect(cartBadge(page)).toHaveText('1')
      await press(userMenu(page))
      const menu = page.getByRole('navigation', { name: 'Account' })
      for (const text of [shopper.name, shopper.email]) await expect(menu).toContainText(text)
      await expect(menu.getByRole('link', { name: 'Admin Dashboard' })).toBeHidden()
      await expect(menu.getByRole('link', { name: 'My Orders' })).toHaveAttribute(
        'href',
        paths.orders
      )
      await expectAccessible(page, 'open menu')
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(userMenu(page)).toBeFocused()
      await press(userMenu(page))
      await press(menu.getByRole('link', { name: 'My Profile' }))
      await expect(page).toHaveURL(paths.profile)
      await press(userMenu(page))
      await press(logoutButton(page))
      await expect(toast(page, 'Logged out')).toContainText(
        'You have been successfully logged out.'
      )
      await expect(loginLink(page)).toBeFocused()
      await expect(cartBadge(page)).toBeHidden()
    })
  })

  test.describe('on a phone', () => {
    test.use(phone)

    test('is in the side menu, which Logout closes', async ({ page, admin }) => {
      await admin.open(paths.about)
      const menuButton = page.getByRole('banner').getByRole('button', { name: /menu/i })
      await menuButton.tap()
      const menu = page.getByRole('dialog')
      const links = {
        'Admin Dashboard': paths.admin,
        'My Orders': paths.orders,
        'My Profile': paths.profile
      }
      for (const [link, path] of Object.entries(links))
        await expect(menu.getByRole('link', { name: link })).toHaveAttribute('href', path)
      await expect(menu.getByRole('link', { name: 'Login' })).toBeHidden()
      await expectAccessible(page, 'open menu')
      await menu.getByRole('button', { name: 'Logout' }).tap()
      await expect(menu).toBeHidden()
      await expect(toast(page, 'Logged out')).toBeVisible()
      await menuButton.tap()
      await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible()
      await expect(menu.getByRole('link', { name: 'My Profile' })).toBeHidden()
    })
  })
})

test.describe('Session that expires while a page is open', () => {
  test.use({ ...desktop, allowedErrors: async ({}, use) => use([/status of 401/]) })

  test('redirects to the login and restores the form after the login', async ({
    page,
    accounts,
    shopper,
    login
  }) => {
    await accounts.logIn(page, shopper)
    await page.goto(`${paths.profile}?from=mail#security`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Street and area').fill('7 Temple Street')
    await accounts.endSessions(shopper)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Session expired')).toContainText('Please login again to continue')
    await expect(page).toHaveURL(`${paths.login}?return=%2Fmy-profile%3Ffrom%3Dmail%23security`)
    await expect(toast(page, 'Session expired')).toBeVisible()
    await login.logIn(shopper)
    await expect(page).toHaveURL(`${paths.profile}?from=mail#security`)
    await expect(page.getByLabel('Street and area')).toHaveValue('7 Temple Street')
    await expect(toast(page, 'Session expired')).toHaveCount(0)
  })
})

function logoutButton(page: Page) {
  return page.getByRole('button', { name: 'Logout' }).filter({ visible: true })
}
