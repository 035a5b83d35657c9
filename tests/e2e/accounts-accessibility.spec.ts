import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { LOGIN_REDIRECT_DELAY, MINUTE } from '#lib/time.ts'
import { desktop, phone } from '../support/browser.ts'
import { mockSendCode, delayRequests } from '../support/browser-calls.ts'
import { LoginPage, toast, userMenu } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'
import { expectAccessible } from '../support/browser-checks.ts'

for (const [width, device] of Object.entries({ '360': phone, '1280': desktop })) {
  test.describe(`Accounts: accessibility at ${width} px`, () => {
    test.use({ ...device, contextOptions: { reducedMotion: 'reduce' } })
    test.describe.configure({ timeout: 90_000 })
    test.beforeEach(({ allowedErrors }) => void allowedErrors.push(/status of [45]\d\d|net::ERR/))

    test('the password login is accessible in every state', async ({ page, shopper }) => {
      const login = new LoginPage(page)
      await login.open()
      await expectAccessible(page, 'empty')
      await login.button('Login').click()
      await expectAccessible(page, 'validation errors')
      await login.logIn({ ...shopper, password: 'not-the-one' })
      await expect(toast(page, 'Login failed')).toBeVisible()
      await expectAccessible(page, 'server error')
      const calls = await delayRequests(page, '**/api/auth/login')
      await login.logIn(shopper)
      await expect(login.button('Logging in…')).toBeVisible()
      await expectAccessible(page, 'submitting')
      calls.release()
      await expect(toast(page, 'Login successful')).toBeVisible()
    })

    test('the registration form is accessible in every state', async ({ page, shopper }) => {
      const login = new LoginPage(page)
      await login.open()
      await login.tab('Register').click()
      await expectAccessible(page, 'empty')
      await login.button('Register').click()
      await expectAccessible(page, 'validation errors')
      for (const [password, rating] of Object.entries({ password: 'Weak.', 'kolam-9-lamp': 'Strong.' })) {
        await login.field('Password').fill(password)
        await expect(login.panel.getByText(rating, { exact: true })).toBeVisible()
        await expectAccessible(page, rating)
      }
      await login.field('Name').fill('Anita')
      await login.field('Email').fill(shopper.email)
      await login.button('Register').click()
      await expect(toast(page, 'Signup failed')).toBeVisible()
      await expectAccessible(page, 'server error')
    })

    test('the code login is accessible in every state', async ({ page }) => {
      await mockSendCode(page)
      await page.clock.install()
      const login = new LoginPage(page)
      await login.open()
      await login.field('Email').fill('a.rather.long.address.of.somebody.in.tiruchirappalli@mail.example.com')
      await login.button('Login with OTP').click()
      await expect(toast(page, 'Code sent')).toBeVisible()
      await expectAccessible(page, 'code sent')
      await login.field('One-time code').fill('000000')
      await page.route('**/api/auth/verify-otp', route => route.fulfill({ status: 400, json: { code: 'INVALID_OTP' } }))
      await login.button('Verify & Login').click()
      await expect(toast(page, 'Invalid OTP')).toBeVisible()
      await expectAccessible(page, 'wrong code')
      await page.clock.fastForward(MINUTE)
      await expect(login.button('Send a new code')).toBeVisible()
      await expectAccessible(page, 'resend available')
    })

    test('the profile is accessible in every state', async ({ page, accounts, shopper, profile }) => {
      await page.goto(paths.profile)
      await expect(page.getByText('Please login to view your profile.')).toBeVisible()
      await expectAccessible(page, 'logged out')
      await accounts.logIn(page, shopper)
      const calls = await delayRequests(page, '**/api/auth/me')
      await page.goto(paths.profile)
      await expect(page.getByText('Loading...')).toBeVisible()
      await expectAccessible(page, 'loading')
      calls.release()
      await page.unrouteAll({ behavior: 'wait' })
      await page.route('**/api/auth/me', route => route.fulfill({ status: 500, json: {} }), { times: 1 })
      await page.reload()
      await expect(page.getByText('Failed to load profile.')).toBeVisible()
      await expectAccessible(page, 'loading failed')
      await profile.button('Try again').click()
      await expect(profile.button('Edit')).toBeVisible()
      await expectAccessible(page, 'loaded')
      await profile.button('Edit').click()
      await expectAccessible(page, 'editing')
      for (const label of ['Name', 'Phone number', 'Pincode'])
        await profile.field(label).fill(label === 'Name' ? '' : '1')
      await profile.button('Save').click()
      await expectAccessible(page, 'validation errors')
      for (const label of ['Name', 'Phone number', 'Pincode'])
        await profile.field(label).fill(label === 'Name' ? 'Anita' : '')
      await page.route('**/api/auth/profile', route => route.abort(), { times: 1 })
      await profile.button('Save').click()
      await expect(page.getByRole('alert')).toContainText('Failed to update profile.')
      await expectAccessible(page, 'server error')
      await profile.button('Save').click()
      await expect(toast(page, 'Profile saved')).toBeVisible()
      await expectAccessible(page, 'saved')
    })

    test('the account settings of the profile are accessible', async ({ page, profile }) => {
      await mockSendCode(page)
      await profile.open()
      for (const title of ['Change password', 'Log out on all devices', 'Download my data', 'Delete my account'])
        await profile.section(title).locator('summary').click()
      await expectAccessible(page, 'open')
      await profile.button('Save password').click()
      await profile.button('Delete my account').click()
      await expectAccessible(page, 'validation errors')
      const section = profile.section('Change password')
      await section.getByLabel('Use a code by e-mail').check()
      await expectAccessible(page, 'before the code')
      await section.getByRole('button', { name: 'Send me a code' }).click()
      await expect(section.getByLabel('One-time code')).toBeFocused()
      await expectAccessible(page, 'after the code')
    })

    test('My Orders without orders and the admin dashboard are accessible', async ({ page, accounts, shopper }) => {
      await disableTimers(page, LOGIN_REDIRECT_DELAY)
      await page.goto(paths.orders)
      await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
      await expectAccessible(page, 'logged out')
      await accounts.logIn(page, shopper)
      await page.goto(paths.orders)
      await expect(page.getByText('No orders found.')).toBeVisible()
      await expectAccessible(page, 'no orders')
      await accounts.logIn(page, await accounts.add({ name: 'Meena', role: 'admin' }))
      await page.goto(paths.admin)
      await expect(page.getByText('Vanakkam, Meena!')).toBeVisible()
      await expectAccessible(page, 'admin dashboard')
    })

    test('the open account menu is accessible', async ({ page, accounts }) => {
      await accounts.logIn(page, await accounts.add({ name: 'Meenakshi Sundaram', role: 'admin' }))
      await page.goto(paths.about)
      const opener = width === '360' ? page.getByRole('banner').getByRole('button', { name: /menu/i }) : userMenu(page)
      await opener.click()
      await expect(page.getByRole('button', { name: 'Logout' }).filter({ visible: true })).toBeVisible()
      await expectAccessible(page, 'open')
    })
  })
}

/** Disables timers with exactly this delay, in ms. A fake clock is not used, because it would also stop axe. */
async function disableTimers(page: Page, disabledDelay: number): Promise<void> {
  await page.addInitScript(ms => {
    const originalSetTimeout = window.setTimeout.bind(window)
    const setOtherTimeouts = (action: () => void, delay?: number): number =>
      delay === ms ? 0 : originalSetTimeout(action, delay)
    window.setTimeout = setOtherTimeouts as typeof setTimeout
  }, disabledDelay)
}
