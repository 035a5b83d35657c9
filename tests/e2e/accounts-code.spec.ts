import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, HOUR, MINUTE } from '#lib/time.ts'
import { newEmail, wrongCode } from '../support/browser-accounts.ts'
import { desktop } from '../support/browser.ts'
import { mockSendCode, SEND_CODE_URL, forbidRequests } from '../support/browser-calls.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { expect, LoginPage, storedSession, test as base, toast, userMenu } from '../support/browser-login.ts'

const CLIENT_ERROR = /status of 4\d\d/

const test = base.extend<{ email: string }>({
  email: async ({}, use) => use(newEmail())
})
test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test(`Login by code: creates an account for a new email (${name})`, async ({ page, login, email, accounts }) => {
    await login.open('?return=%2Fmy-profile')
    await input.fill(login.field('Email'), email)
    await input.click(login.button('Login with OTP'))
    await expect(toast(page, 'Code sent')).toContainText(MESSAGES.codeSent)
    await expect(login.field('Password')).toBeHidden()
    await expect(login.panel).toContainText(`We’ve sent a 6-digit code to ${email}.`)
    await expect(login.field('One-time code')).toBeFocused()
    await input.fill(login.field('One-time code'), await accounts.waitForCode(email))
    await input.click(login.button('Verify & Login'))
    await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
    await expect(page).toHaveURL(paths.profile)
    await expect(userMenu(page)).toHaveText(new RegExp(email.split('@')[0] ?? ''))
    expect((await storedSession(page)).user).toMatchObject({ email })
  })

  test(`Login by code: switching to the password form and back sends no second code (${name})`, async ({
    page,
    login,
    email
  }) => {
    await mockSendCode(page)
    await login.open()
    await input.fill(login.field('Email'), email)
    await input.fill(login.field('Password'), 'kesari')
    await input.click(login.button('Login with OTP'))
    await input.click(login.button('Back to Password Login'))
    await expect(login.field('One-time code')).toHaveCount(0)
    await expect(login.field('Password')).toBeFocused()
    await expect(login.field('Password')).toHaveValue('kesari')
    await page.unroute(SEND_CODE_URL)
    await forbidRequests(page, SEND_CODE_URL)
    await input.click(login.button('Login with OTP'))
    await expect(login.field('One-time code')).toBeFocused()
    await input.click(login.button('Change the email'))
    await expect(login.field('Email')).toBeFocused()
    await expect(login.field('Email')).toHaveValue(email)
  })
}

test('Login by code: requires an email', async ({ page, login }) => {
  await forbidRequests(page, SEND_CODE_URL)
  await login.open()
  await login.button('Login with OTP').click()
  await expect(login.field('Email')).toHaveAccessibleDescription('Please enter your email')
  await expect(login.field('Email')).toBeFocused()
})

test('Login by code: still shows the password form if the code cannot be sent', async ({
  page,
  login,
  email,
  allowedErrors
}) => {
  allowedErrors.push(/net::ERR|status of 500/)
  for (const [failing, text] of [
    [{ status: 500, json: {} }, 'Something went wrong on our side. Please try again.'],
    [undefined, 'We cannot reach the shop.']
  ] as const) {
    await page.unroute(SEND_CODE_URL)
    await page.route(SEND_CODE_URL, route => (failing ? route.fulfill(failing) : route.abort()))
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(toast(page, 'Failed to send OTP')).toContainText(text)
    await expect(login.field('Password')).toBeVisible()
    await expect(login.field('Email')).toHaveValue(email)
  }
})

test.describe('Login by code', () => {
  const enterCode = async (login: LoginPage, code: string): Promise<void> => {
    await login.field('One-time code').fill(code)
    await login.button('Verify & Login').click()
  }

  test.beforeEach(async ({ login, email, allowedErrors }) => {
    allowedErrors.push(CLIENT_ERROR)
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
  })

  test('shows an error for a wrong code and refuses the correct code after five wrong tries', async ({
    page,
    login,
    email,
    accounts
  }) => {
    const code = await accounts.waitForCode(email)
    for (let tries = 1; tries < 5; tries++) {
      await enterCode(login, wrongCode(code))
      await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeInvalid)
      await expect(login.field('One-time code')).toBeFocused()
    }
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeInvalid)
    await enterCode(login, wrongCode(code))
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeUsedUp)
    await enterCode(login, code)
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeUsedUp)
    expect((await storedSession(page)).token).toBeNull()
  })

  test('shows a message if the code has expired', async ({ page, login, email, accounts }) => {
    const code = await accounts.waitForCode(email)
    await accounts.backdateCodes(email, CODE_LIFETIME)
    await enterCode(login, code)
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeExpired)
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeExpired)
  })

  test('still asks for the code after a reload', async ({ page, login, email, accounts }) => {
    await page.reload()
    await expect(login.panel).toContainText(email)
    await expect(login.panel).toContainText(/You can request another code in \d+ seconds?\./)
    await enterCode(login, await accounts.waitForCode(email))
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(page).toHaveURL(paths.home)
  })

  test('shows the waiting time in a second browser that requests another code too soon', async ({ browser, email }) => {
    const context = await browser.newContext()
    const other = new LoginPage(await context.newPage())
    await other.open()
    await other.field('Email').fill(email)
    await other.button('Login with OTP').click()
    await expect(toast(other.page, 'Failed to send OTP')).toContainText(/another code in \d+ seconds?\./)
    await context.close()
  })
})

test('Login by code: a second code can be requested after the countdown, and both codes work', async ({
  page,
  login,
  email,
  accounts
}) => {
  const start = Date.now()
  await page.clock.install({ time: start })
  await login.open()
  await login.field('Email').fill(email)
  await page.clock.pauseAt(start + HOUR)
  await login.button('Login with OTP').click()
  await expect(login.panel).toContainText('You can request another code in 60 seconds.')
  await page.clock.runFor(MINUTE / 2)
  await expect(login.panel).toContainText('You can request another code in 30 seconds.')
  await expect(login.button('Send a new code')).toHaveCount(0)
  await page.clock.runFor(MINUTE / 2)
  const first = await accounts.waitForCode(email)
  await accounts.backdateCodes(email, CODE_RESEND_DELAY)
  await login.button('Send a new code').click()
  await expect(login.panel).toContainText('You can request another code in 60 seconds.')
  await expect(login.field('One-time code')).toBeFocused()
  expect(await accounts.waitForCode(email, 2)).not.toBe(first)
  await login.field('One-time code').fill(first)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Login successful')).toBeVisible()
})
