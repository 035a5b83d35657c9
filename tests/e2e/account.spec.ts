import { FIELD_TEXTS } from '#lib/contract/formats.ts'
import { paths } from '#lib/paths.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { delayRequests, mockSendCode } from '../support/browser-calls.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { waitForCode } from '../support/browser-data.ts'
import { press, typeInto } from '../support/browser-input.ts'
import { loginLink, MYSORE_PAK, storedSession, toast, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

test.describe('Login', () => {
  test.use(desktop)

  test('works by keyboard, returns to the previous page and leaves no entry in the history', async ({
    page,
    login,
    shopper
  }) => {
    await page.goto(paths.about)
    await page.goto(MYSORE_PAK)
    await press(loginLink(page))
    await typeInto(login.field('Email'), ` ${shopper.email} `)
    await typeInto(login.field('Password'), shopper.password)
    await press(login.button('Login'))
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(page).toHaveURL(MYSORE_PAK)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await page.goBack()
    await expect(page).not.toHaveURL(/login/)
    await page.goto(`${paths.login}?return=%2Fabout`)
    await expect(page, 'a logged-in shopper is redirected at once').toHaveURL(paths.about)
  })

  test('keeps the text that was typed before hydration', async ({ page, login }) => {
    const release = await delayRequests(page, '**/_astro/*.js')
    await page.goto(paths.login, { waitUntil: 'commit' })
    await login.field('Email').fill('anita@example.test')
    await expect(login.button('Login')).toBeDisabled()
    release()
    await expect(login.button('Login')).toBeEnabled()
    await expect(login.field('Email')).toHaveValue('anita@example.test')
    await expect(login.field('Email')).toHaveAttribute('autocomplete', 'username')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'current-password')
    await login.tab('Register').click()
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'new-password')
  })
})

test.describe('Login by code', () => {
  test.use(desktop)

  test('works by keyboard, creates an account for a new email and returns to the requested page', async ({
    page,
    login,
    shop
  }) => {
    const email = newEmail()
    await login.open('?return=%2Fmy-profile')
    await typeInto(login.field('Email'), email)
    await press(login.button('Login with OTP'))
    await expect(login.field('Password')).toBeHidden()
    await expect(login.panel).toContainText('so no code was sent. Use a password')
    await expect(login.field('One-time code')).toBeFocused()
    await page.reload()
    await expect(login.panel).toContainText(/You can request another code in \d+ seconds?\./)
    await typeInto(login.field('One-time code'), await waitForCode(shop.dataDir, email))
    await expect(toast(page, 'Login successful')).toContainText('You are logged in.')
    await expect(page).toHaveURL(paths.profile)
    await expect(userMenu(page)).toHaveText(new RegExp(email.split('@')[0] ?? ''))
    expect((await storedSession(page)).user).toMatchObject({ email })
  })
})

test.describe('One-time code field', () => {
  test.use(desktop)

  test('takes typed, edited and pasted digits', async ({ page, login, allowedErrors }) => {
    await mockSendCode(page)
    // Each complete code is sent, and refused.
    allowedErrors.push(/400 \(Bad Request\)/)
    const wrongCode = { status: 400, json: { code: 'INVALID_OTP', message: 'This code is wrong.' } }
    await page.route('**/api/auth/verify-otp', route => route.fulfill(wrongCode))
    await login.open()
    await login.field('Email').fill(newEmail())
    await login.button('Login with OTP').click()
    const field = login.field('One-time code')
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await page.keyboard.type('12345')
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleDescription(FIELD_TEXTS.codeRequired)
    await expectAccessible(page, 'incomplete code')
    await page.keyboard.type('67a')
    await expect(field).toHaveValue('123456')
    await expect(login.panel.getByText(FIELD_TEXTS.codeRequired)).toHaveCount(0)
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Backspace']) await page.keyboard.press(key)
    await expect(field).toHaveValue('12356')
    await page.keyboard.type('9')
    await expect(field).toHaveValue('123956')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(() => navigator.clipboard.writeText(' 765-432\n'))
    await page.keyboard.press('ControlOrMeta+v')
    await expect(field).toHaveValue('765432')
  })
})

test.describe('Profile on a phone', () => {
  test.use(phone)

  test('is accessible with invalid fields, open account settings and a requested code', async ({
    page,
    profile
  }) => {
    await mockSendCode(page)
    await profile.open()
    await profile.button('Edit').click()
    for (const label of ['Name', 'Phone number', 'Pincode'])
      await profile.field(label).fill(label === 'Name' ? '' : '1')
    await profile.button('Save').click()
    await expect(profile.field('Name')).toBeFocused()
    for (const title of [
      'Change password',
      'Log out on all devices',
      'Download my data',
      'Delete my account'
    ])
      await profile.section(title).locator('summary').click()
    await profile.button('Save password').click()
    await profile.button('Delete my account').click()
    const section = profile.section('Change password')
    await section.getByLabel('Use a code by email').check()
    await section.getByRole('button', { name: 'Send me a code' }).click()
    await expect(section.getByLabel('One-time code')).toBeFocused()
    await expectAccessible(page, 'all forms')
  })
})
