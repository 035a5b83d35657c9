import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { HOUR } from '#lib/time.ts'
import { expect, test, type Shopper } from '../support/browser-accounts.ts'
import { desktop, phone, shopUrl } from '../support/browser.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { waitForHydration, LoginPage, loginLink, storedSession, toast, userMenu } from '../support/browser-login.ts'

const UNAUTHORIZED = /status of 401/
const PROFILE_URL = '**/api/auth/me'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Session', () => {
  test('continues after navigation and reload, and is checked once per page', async ({ page, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    let checks = 0
    page.on('request', request => void (checks += request.url().endsWith('/api/auth/me') ? 1 : 0))
    for (const path of [paths.home, paths.products, paths.profile, paths.contact]) {
      await page.goto(path)
      await expect(userMenu(page), path).toHaveText(/Anita Kumar/)
      await expect(loginLink(page), path).toBeHidden()
    }
    await page.reload()
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await page.waitForLoadState('networkidle')
    expect(checks).toBe(5)
  })

  test('takes name and role from the server, not from localStorage', async ({ page, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
      localStorage.setItem('user', JSON.stringify({ ...user, name: 'Somebody Else', role: 'admin' }))
    })
    await page.goto(paths.home)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    expect((await storedSession(page)).user).toMatchObject({ name: 'Anita Kumar', role: 'user' })
  })

  for (const [name, response] of Object.entries({ 'is offline': undefined, 'answers 503': { status: 503 } })) {
    test(`continues on the next page even if the server ${name}`, async ({
      page,
      accounts,
      shopper,
      allowedErrors
    }) => {
      allowedErrors.push(/net::ERR|status of 503/)
      const { token } = await accounts.logIn(page, shopper)
      await page.route(PROFILE_URL, route => (response ? route.fulfill({ ...response, json: {} }) : route.abort()))
      await page.goto(paths.orders)
      await expect(page.getByText('No orders found.')).toBeVisible()
      await expect(userMenu(page)).toHaveText(/Anita Kumar/)
      expect((await storedSession(page)).token).toBe(token)
    })
  }

  test('ends without a message on the next page if it is no longer valid on the server', async ({
    page,
    accounts,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(UNAUTHORIZED)
    await accounts.logIn(page, shopper)
    await accounts.endSessions(shopper)
    await page.goto(paths.products)
    await expect(loginLink(page)).toBeVisible()
    expect(await storedSession(page)).toEqual({ token: null, user: null })
    await expect(toast(page, '')).toHaveCount(0)
  })

  for (const [content, stored] of Object.entries({
    'a token without a user': { token: 'x'.repeat(43) },
    'a user without a token': { user: '{"_id":"1","email":"a@b.c","name":"A","role":"admin"}' },
    'broken JSON': { token: 'x'.repeat(43), user: '{"_id":' },
    'a token that no header can contain': { token: 'ü\n', user: 'null' }
  })) {
    test(`does not start if localStorage contains ${content}`, async ({ page, allowedErrors }) => {
      allowedErrors.push(UNAUTHORIZED)
      await page.goto('/robots.txt')
      await page.evaluate(items => Object.assign(localStorage, items), stored)
      await page.goto(paths.profile)
      await expect(page.getByText('Please login to view your profile.')).toBeVisible()
      await expect(loginLink(page)).toBeVisible()
    })
  }
})

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test.describe(`Account menu (${name})`, () => {
    test('shows name and email and links to the account pages', async ({ page, accounts, shopper }) => {
      await accounts.logIn(page, shopper)
      await page.goto(paths.about)
      await input.click(userMenu(page))
      const menu = page.getByRole('navigation', { name: 'Account' })
      await expect(menu).toContainText(shopper.name)
      await expect(menu).toContainText(shopper.email)
      await expect(menu.getByRole('link', { name: 'Admin Dashboard' })).toBeHidden()
      await expect(menu.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', paths.orders)
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(userMenu(page)).toBeFocused()
      await input.click(userMenu(page))
      await input.click(menu.getByRole('link', { name: 'My Profile' }))
      await expect(page).toHaveURL(paths.profile)
    })

    test('Logout ends the session on the server and empties the cart', async ({ page, accounts, shopper }) => {
      const { token } = await accounts.logIn(page, shopper)
      await page.evaluate(() => localStorage.setItem('cart', '[{"_id":"mysore-pak","name":"Mysore Pak","price":180}]'))
      await page.goto(paths.products)
      await input.click(userMenu(page))
      const response = page.waitForResponse('**/api/auth/logout')
      await input.click(page.getByRole('button', { name: 'Logout' }).filter({ visible: true }))
      await expect(toast(page, 'Logged out')).toContainText('You have been successfully logged out.')
      await expect(loginLink(page)).toBeVisible()
      await expect(loginLink(page)).toBeFocused()
      await expect(page.getByRole('banner').locator('cart-badge').first()).toBeHidden()
      expect(await storedSession(page)).toEqual({ token: null, user: null })
      await response
      expect(await fetchProfileStatus(token)).toBe(401)
    })
  })
}

test.describe('Account links on a phone', () => {
  test.use(phone)

  test('are in the side menu, and Logout closes the menu', async ({ page, accounts }) => {
    const meena = await accounts.add({ name: 'Meena', role: 'admin' })
    await accounts.logIn(page, meena)
    await page.goto(paths.home)
    await page.getByRole('banner').getByRole('button', { name: /menu/i }).tap()
    const menu = page.getByRole('dialog')
    await expect(menu).toContainText(meena.email)
    for (const [link, path] of Object.entries({
      'Admin Dashboard': paths.admin,
      'My Orders': paths.orders,
      'My Profile': paths.profile
    }))
      await expect(menu.getByRole('link', { name: link })).toHaveAttribute('href', path)
    await expect(menu.getByRole('link', { name: 'Login' })).toBeHidden()
    await menu.getByRole('button', { name: 'Logout' }).tap()
    await expect(menu).toBeHidden()
    await expect(toast(page, 'Logged out')).toBeVisible()
    await page.getByRole('banner').getByRole('button', { name: /menu/i }).tap()
    await expect(menu.getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'My Profile' })).toBeHidden()
  })
})

test.describe('Session in several tabs', () => {
  test('starts and ends in all tabs at the same time', async ({ page, context, shopper }) => {
    await page.goto(paths.profile)
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
    const other = await context.newPage()
    await logIn(other, shopper)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()

    await userMenu(page).click()
    await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click()
    await expect(loginLink(other)).toBeVisible()
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
  })

  test('redirects an open login page when the shopper logs in on another tab', async ({ page, context, shopper }) => {
    await page.goto(`${paths.login}?return=%2Fabout`)
    await waitForHydration(page)
    await logIn(await context.newPage(), shopper)
    await expect(page).toHaveURL(paths.about)
  })
})

test.describe('Session that expires while a page is open', () => {
  test.beforeEach(({ allowedErrors }) => void allowedErrors.push(UNAUTHORIZED))

  test('redirects to the login after 1.5 s and restores the form after the login', async ({
    page,
    accounts,
    shopper
  }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    await accounts.logIn(page, shopper)
    await page.goto(`${paths.profile}?from=mail#security`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Street').fill('7 Temple Street')
    await accounts.endSessions(shopper)
    await page.clock.pauseAt(start + HOUR)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Session expired')).toContainText('Please login again to continue')
    await expect(toast(page, 'Session expired')).toHaveRole('alert')
    expect(await storedSession(page)).toEqual({ token: null, user: null })
    await page.clock.runFor(1499)
    await expect(page).toHaveURL(/my-profile/)
    await page.clock.runFor(1)
    await expect(page).toHaveURL(`${paths.login}?return=%2Fmy-profile%3Ffrom%3Dmail%23security`)
    await page.clock.resume()
    await expect(toast(page, 'Session expired')).toBeVisible()

    await new LoginPage(page).logIn(shopper)
    await expect(page).toHaveURL(`${paths.profile}?from=mail#security`)
    await expect(page.getByLabel('Street')).toHaveValue('7 Temple Street')
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(toast(page, 'Session expired')).toHaveCount(0)
  })

  test('does not redirect if another tab has logged in again', async ({ page, context, accounts, shopper }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    await accounts.logIn(page, shopper)
    await page.goto(paths.profile)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Street').fill('7 Temple Street')
    await accounts.endSessions(shopper)
    await page.clock.pauseAt(start + HOUR)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Session expired')).toBeVisible()
    await logIn(await context.newPage(), shopper)
    await expect(userMenu(page)).toBeVisible()
    await page.clock.runFor(3000)
    await expect(page).toHaveURL(paths.profile)
    await expect(page.getByLabel('Street')).toHaveValue('7 Temple Street')
  })
})

async function logIn(page: Page, shopper: Shopper): Promise<void> {
  await page.goto(paths.login)
  await new LoginPage(page).logIn(shopper)
  await expect(userMenu(page)).toBeVisible()
}

async function fetchProfileStatus(token: string): Promise<number> {
  const reply = await fetch(`${shopUrl()}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  return reply.status
}
