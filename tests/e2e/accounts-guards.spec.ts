import { paths } from '#lib/paths.ts'
import { HOUR } from '#lib/time.ts'
import { expect, test } from '../support/browser-accounts.ts'
import { desktop } from '../support/browser.ts'
import { delayRequests } from '../support/browser-calls.ts'
import { LoginPage, userMenu } from '../support/browser-login.ts'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Protected pages', () => {
  test('My Orders redirects visitors to the login after 2 s and opens again after the login', async ({
    page,
    shopper
  }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    const scripts = await delayRequests(page, '**/_astro/*.js')
    await page.goto(paths.orders, { waitUntil: 'commit' })
    await page.clock.pauseAt(start + HOUR)
    scripts.release()
    await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
    await page.clock.runFor(1999)
    await expect(page).toHaveURL(paths.orders)
    await page.clock.runFor(1)
    await expect(page).toHaveURL(`${paths.login}?return=%2Forders`)
    await page.clock.resume()
    await new LoginPage(page).logIn(shopper)
    await expect(page).toHaveURL(paths.orders)
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test('My Profile shows visitors only a login link', async ({ page }) => {
    await page.goto(paths.profile)
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Your details' })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL(`${paths.login}?return=%2Fmy-profile`)
  })

  test('the admin area redirects visitors to the login and opens again after the login', async ({ page, accounts }) => {
    const meena = await accounts.add({ name: 'Meena', role: 'admin' })
    await page.goto(paths.admin)
    await expect(page).toHaveURL(`${paths.login}?return=%2Fadmin`)
    await new LoginPage(page).logIn(meena)
    await expect(page).toHaveURL(paths.admin)
    await expect(page.getByRole('main')).toContainText('Vanakkam, Meena!')
    await userMenu(page).click()
    await expect(page.getByRole('link', { name: 'Admin Dashboard' }).filter({ visible: true })).toHaveCount(1)
  })

  test('the admin area redirects shoppers to the home page even if localStorage contains the admin role', async ({
    page,
    accounts,
    shopper
  }) => {
    await accounts.logIn(page, shopper)
    for (const role of ['user', 'admin']) {
      await page.evaluate(stored => {
        const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
        localStorage.setItem('user', JSON.stringify({ ...user, role: stored }))
      }, role)
      await page.goto(paths.admin)
      await expect(page, role).toHaveURL(paths.home)
    }
  })
})
