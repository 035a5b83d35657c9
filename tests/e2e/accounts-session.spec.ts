import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { HOUR } from '#lib/time.ts'
import { expect, test, type Shopper } from '../support/browser-accounts.ts'
import { desktop, phone, shopUrl } from '../support/browser.ts'
import { HANDS } from '../support/browser-hands.ts'
import { alive, LoginPage, loginLink, stored, toast, userMenu } from '../support/browser-login.ts'

const EXPIRED = /status of 401/
const ME = '**/api/auth/me'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('who is logged in', () => {
  test('stays so on every page and after a reload, and is asked about once a page', async ({
    page,
    accounts,
    shopper
  }) => {
    await accounts.enter(page, shopper)
    let asked = 0
    page.on('request', request => void (asked += request.url().endsWith('/api/auth/me') ? 1 : 0))
    for (const path of [paths.home, paths.products, paths.profile, paths.contact]) {
      await page.goto(path)
      await expect(userMenu(page), path).toHaveText(/Anita Kumar/)
      await expect(loginLink(page), path).toBeHidden()
    }
    await page.reload()
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await page.waitForLoadState('networkidle')
    expect(asked).toBe(5)
  })

  test('is told by the shop, not by storage: a name that has changed is shown', async ({ page, accounts, shopper }) => {
    await accounts.enter(page, shopper)
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
      localStorage.setItem('user', JSON.stringify({ ...user, name: 'Somebody Else', role: 'admin' }))
    })
    await page.goto(paths.home)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    expect((await stored(page)).user).toMatchObject({ name: 'Anita Kumar', role: 'user' })
  })

  for (const [name, answer] of Object.entries({ 'no network': undefined, 'a shop in trouble': { status: 503 } })) {
    test(`stays so through a start with ${name}`, async ({ page, accounts, shopper, forgiven }) => {
      forgiven.push(/net::ERR|status of 503/)
      const { token } = await accounts.enter(page, shopper)
      await page.route(ME, route => (answer ? route.fulfill({ ...answer, json: {} }) : route.abort()))
      await page.goto(paths.orders)
      await expect(page.getByText('No orders found.')).toBeVisible()
      await expect(userMenu(page)).toHaveText(/Anita Kumar/)
      expect((await stored(page)).token).toBe(token)
    })
  }

  test('whose session has ended meanwhile is a visitor at the next start, without a word', async ({
    page,
    accounts,
    shopper,
    forgiven
  }) => {
    forgiven.push(EXPIRED)
    await accounts.enter(page, shopper)
    await accounts.endSessions(shopper)
    await page.goto(paths.products)
    await expect(loginLink(page)).toBeVisible()
    expect(await stored(page)).toEqual({ token: null, user: null })
    await expect(toast(page, '')).toHaveCount(0)
  })

  for (const [what, planted] of Object.entries({
    'a token without a user': { token: 'x'.repeat(43) },
    'a user without a token': { user: '{"_id":"1","email":"a@b.c","name":"A","role":"admin"}' },
    'broken JSON': { token: 'x'.repeat(43), user: '{"_id":' },
    'what no header can carry': { token: 'ü\n', user: 'null' }
  })) {
    test(`is nobody when storage holds ${what}`, async ({ page, forgiven }) => {
      forgiven.push(EXPIRED)
      await page.goto('/robots.txt')
      await page.evaluate(items => Object.assign(localStorage, items), planted)
      await page.goto(paths.profile)
      await expect(page.getByText('Please login to view your profile.')).toBeVisible()
      await expect(loginLink(page)).toBeVisible()
    })
  }
})

for (const [name, hands] of Object.entries(HANDS)) {
  test.describe(`by ${name}`, () => {
    test('the user menu shows who it is and leads to the own pages', async ({ page, accounts, shopper }) => {
      await accounts.enter(page, shopper)
      await page.goto(paths.about)
      await hands.press(userMenu(page))
      const menu = page.getByRole('navigation', { name: 'Account' })
      await expect(menu).toContainText(shopper.name)
      await expect(menu).toContainText(shopper.email)
      await expect(menu.getByRole('link', { name: 'Admin Dashboard' })).toBeHidden()
      await expect(menu.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', paths.orders)
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(userMenu(page)).toBeFocused()
      await hands.press(userMenu(page))
      await hands.press(menu.getByRole('link', { name: 'My Profile' }))
      await expect(page).toHaveURL(paths.profile)
    })

    test('Logout ends the session here and in the shop, and empties the cart', async ({ page, accounts, shopper }) => {
      const { token } = await accounts.enter(page, shopper)
      await page.evaluate(() => localStorage.setItem('cart', '[{"_id":"mysore-pak","name":"Mysore Pak","price":180}]'))
      await page.goto(paths.products)
      await hands.press(userMenu(page))
      const told = page.waitForResponse('**/api/auth/logout')
      await hands.press(page.getByRole('button', { name: 'Logout' }).filter({ visible: true }))
      await expect(toast(page, 'Logged out')).toContainText('You have been successfully logged out.')
      await expect(loginLink(page)).toBeVisible()
      await expect(loginLink(page)).toBeFocused()
      await expect(page.getByRole('banner').locator('cart-badge').first()).toBeHidden()
      expect(await stored(page)).toEqual({ token: null, user: null })
      await told
      expect(await statusOf(token)).toBe(401)
    })
  })
}

test.describe('on a phone', () => {
  test.use(phone)

  test('the side menu has the same links, and Logout closes it', async ({ page, accounts }) => {
    const meena = await accounts.add({ name: 'Meena', role: 'admin' })
    await accounts.enter(page, meena)
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

test.describe('several tabs', () => {
  test('learn of a login and of a logout at once', async ({ page, context, shopper }) => {
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

  test('at the login page go on when another has logged in', async ({ page, context, shopper }) => {
    await page.goto(`${paths.login}?return=%2Fabout`)
    await alive(page)
    await logIn(await context.newPage(), shopper)
    await expect(page).toHaveURL(paths.about)
  })
})

test.describe('a session that ends while a page is open', () => {
  test.beforeEach(({ forgiven }) => void forgiven.push(EXPIRED))

  test("says 'Session expired', goes to login after 1.5 s, and comes back with nothing typed lost", async ({
    page,
    accounts,
    shopper
  }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    await accounts.enter(page, shopper)
    await page.goto(`${paths.profile}?from=mail#security`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Street').fill('7 Temple Street')
    await accounts.endSessions(shopper)
    await page.clock.pauseAt(start + HOUR)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Session expired')).toContainText('Please login again to continue')
    await expect(toast(page, 'Session expired')).toHaveRole('alert')
    expect(await stored(page)).toEqual({ token: null, user: null })
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

  test('does not lead away who has logged in again in another tab', async ({ page, context, accounts, shopper }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    await accounts.enter(page, shopper)
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

async function statusOf(token: string): Promise<number> {
  const reply = await fetch(`${shopUrl()}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  return reply.status
}
