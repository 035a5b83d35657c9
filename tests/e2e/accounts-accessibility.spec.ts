import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { LOGIN_REDIRECT, MINUTE } from '#lib/time.ts'
import { desktop, phone } from '../support/browser.ts'
import { answerCodes, withhold } from '../support/browser-calls.ts'
import { LoginPage, toast, userMenu } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'
import { isWellMade } from '../support/browser-well-made.ts'

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`at ${width} px nothing is found wrong with`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })
    // Axe takes a second or more for each state.
    test.describe.configure({ timeout: 90_000 })
    test.beforeEach(({ forgiven }) => void forgiven.push(/status of [45]\d\d|net::ERR/))

    test('the login by password: empty, accused, refused, on its way', async ({ page, shopper }) => {
      const login = new LoginPage(page)
      await login.open()
      await isWellMade(page, 'empty')
      await login.button('Login').click()
      await isWellMade(page, 'accused')
      await login.logIn({ ...shopper, password: 'not-the-one' })
      await expect(toast(page, 'Login failed')).toBeVisible()
      await isWellMade(page, 'refused')
      const calls = await withhold(page, '**/api/auth/login')
      await login.logIn(shopper)
      await expect(login.button('Logging in…')).toBeVisible()
      await isWellMade(page, 'on its way')
      calls.release()
      await expect(toast(page, 'Login successful')).toBeVisible()
    })

    test('the registration: empty, accused, advised, refused', async ({ page, shopper }) => {
      const login = new LoginPage(page)
      await login.open()
      await login.tab('Register').click()
      await isWellMade(page, 'empty')
      await login.button('Register').click()
      await isWellMade(page, 'accused')
      for (const [password, word] of Object.entries({ password: 'Weak.', 'kolam-9-lamp': 'Strong.' })) {
        await login.field('Password').fill(password)
        await expect(login.panel.getByText(word, { exact: true })).toBeVisible()
        await isWellMade(page, word)
      }
      await login.field('Name').fill('Anita')
      await login.field('Email').fill(shopper.email)
      await login.button('Register').click()
      await expect(toast(page, 'Signup failed')).toBeVisible()
      await isWellMade(page, 'refused')
    })

    test('the login by code: sent, wrong, to be sent again', async ({ page }) => {
      await answerCodes(page)
      await page.clock.install()
      const login = new LoginPage(page)
      await login.open()
      await login.field('Email').fill('a.rather.long.address.of.somebody.in.tiruchirappalli@mail.example.com')
      await login.button('Login with OTP').click()
      await expect(toast(page, 'Code sent')).toBeVisible()
      await isWellMade(page, 'sent')
      await login.field('One-time code').fill('000000')
      await page.route('**/api/auth/verify-otp', route => route.fulfill({ status: 400, json: { code: 'INVALID_OTP' } }))
      await login.button('Verify & Login').click()
      await expect(toast(page, 'Invalid OTP')).toBeVisible()
      await isWellMade(page, 'wrong')
      await page.clock.fastForward(MINUTE)
      await expect(login.button('Send another code')).toBeVisible()
      await isWellMade(page, 'to be sent again')
    })

    test('the profile: of a visitor, loading, failed, shown, edited, accused, refused', async ({
      page,
      accounts,
      shopper,
      profile
    }) => {
      await page.goto(paths.profile)
      await expect(page.getByText('Please login to view your profile.')).toBeVisible()
      await isWellMade(page, 'of a visitor')
      await accounts.enter(page, shopper)
      const calls = await withhold(page, '**/api/auth/me')
      await page.goto(paths.profile)
      await expect(page.getByText('Loading...')).toBeVisible()
      await isWellMade(page, 'loading')
      calls.release()
      await page.unrouteAll({ behavior: 'wait' })
      await page.route('**/api/auth/me', route => route.fulfill({ status: 500, json: {} }), { times: 1 })
      await page.reload()
      await expect(page.getByText('Failed to load profile.')).toBeVisible()
      await isWellMade(page, 'failed')
      await profile.button('Try again').click()
      await expect(profile.button('Edit')).toBeVisible()
      await isWellMade(page, 'shown')
      await profile.button('Edit').click()
      await isWellMade(page, 'edited')
      for (const label of ['Name', 'Phone number', 'Pincode'])
        await profile.field(label).fill(label === 'Name' ? '' : '1')
      await profile.button('Save').click()
      await isWellMade(page, 'accused')
      for (const label of ['Name', 'Phone number', 'Pincode'])
        await profile.field(label).fill(label === 'Name' ? 'Anita' : '')
      await page.route('**/api/auth/profile', route => route.abort(), { times: 1 })
      await profile.button('Save').click()
      await expect(page.getByRole('alert')).toContainText('Failed to update profile.')
      await isWellMade(page, 'refused')
      await profile.button('Save').click()
      await expect(toast(page, 'Profile saved')).toBeVisible()
      await isWellMade(page, 'saved')
    })

    test('the parts of the profile: password, all devices, data, deletion, by password and by code', async ({
      page,
      profile
    }) => {
      await answerCodes(page)
      await profile.open()
      for (const title of ['Change password', 'Log out on all devices', 'Download my data', 'Delete my account'])
        await profile.part(title).locator('summary').click()
      await isWellMade(page, 'open')
      await profile.button('Save the password').click()
      await profile.button('Delete my account').click()
      await isWellMade(page, 'accused')
      const part = profile.part('Change password')
      await part.getByLabel('With a code by e-mail').check()
      await isWellMade(page, 'before the code')
      await part.getByRole('button', { name: 'E-mail me a code' }).click()
      await expect(part.getByLabel('One-time code')).toBeFocused()
      await isWellMade(page, 'after the code')
    })

    test('the orders of a visitor and of a shopper, and the administration', async ({ page, accounts, shopper }) => {
      await withoutTimers(page, LOGIN_REDIRECT)
      await page.goto(paths.orders)
      await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
      await isWellMade(page, 'of a visitor')
      await accounts.enter(page, shopper)
      await page.goto(paths.orders)
      await expect(page.getByText('No orders found.')).toBeVisible()
      await isWellMade(page, 'of a shopper')
      await accounts.enter(page, await accounts.add({ name: 'Meena', role: 'admin' }))
      await page.goto(paths.admin)
      await expect(page.getByText('Vanakkam, Meena!')).toBeVisible()
      await isWellMade(page, 'administration')
    })

    test('the menu of who is logged in', async ({ page, accounts }) => {
      await accounts.enter(page, await accounts.add({ name: 'Meenakshi Sundaram', role: 'admin' }))
      await page.goto(paths.about)
      const opener = width === '360' ? page.getByRole('banner').getByRole('button', { name: /menu/i }) : userMenu(page)
      await opener.click()
      await expect(page.getByRole('button', { name: 'Logout' }).filter({ visible: true })).toBeVisible()
      await isWellMade(page, 'open')
    })
  })
}

/** The page never does what it would have done after so long; axe needs a clock that goes. */
async function withoutTimers(page: Page, after: number): Promise<void> {
  await page.addInitScript(ms => {
    const set = window.setTimeout.bind(window)
    const others = (action: () => void, delay?: number): number => (delay === ms ? 0 : set(action, delay))
    window.setTimeout = others as typeof setTimeout
  }, after)
}
