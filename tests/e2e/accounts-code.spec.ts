import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { CODE_LIFE, CODE_RESEND, HOUR, MINUTE } from '#lib/time.ts'
import { newAddress, otherThan } from '../support/browser-accounts.ts'
import { desktop } from '../support/browser.ts'
import { answerCodes, CODE_CALL, refuseCalls } from '../support/browser-calls.ts'
import { HANDS } from '../support/browser-hands.ts'
import { expect, LoginPage, stored, test as base, toast, userMenu } from '../support/browser-login.ts'

const REFUSED = /status of 4\d\d/

const test = base.extend<{ email: string }>({
  email: async ({}, use) => use(newAddress())
})
test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, hands] of Object.entries(HANDS)) {
  test(`by ${name} a new address gets a code by mail, and with it an account`, async ({
    page,
    login,
    email,
    accounts
  }) => {
    await login.open('?return=%2Fmy-profile')
    await hands.type(login.field('Email'), email)
    await hands.press(login.button('Login with OTP'))
    await expect(toast(page, 'Code sent')).toContainText(MESSAGES.codeSent)
    await expect(login.field('Password')).toBeHidden()
    await expect(login.panel).toContainText(`We have sent a 6-digit code to ${email}.`)
    await expect(login.field('One-time code')).toBeFocused()
    await hands.type(login.field('One-time code'), await accounts.mailed(email))
    await hands.press(login.button('Verify & Login'))
    await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
    await expect(page).toHaveURL(paths.profile)
    await expect(userMenu(page)).toHaveText(new RegExp(email.split('@')[0] ?? ''))
    expect((await stored(page)).user).toMatchObject({ email })
  })

  test(`by ${name} one goes back to the password, to the address, and to the code again without another mail`, async ({
    page,
    login,
    email
  }) => {
    await answerCodes(page)
    await login.open()
    await hands.type(login.field('Email'), email)
    await hands.type(login.field('Password'), 'kesari')
    await hands.press(login.button('Login with OTP'))
    await hands.press(login.button('Back to Password Login'))
    await expect(login.field('One-time code')).toHaveCount(0)
    await expect(login.field('Password')).toBeFocused()
    await expect(login.field('Password')).toHaveValue('kesari')
    await page.unroute(CODE_CALL)
    await refuseCalls(page, CODE_CALL)
    await hands.press(login.button('Login with OTP'))
    await expect(login.field('One-time code')).toBeFocused()
    await hands.press(login.button('Change the email'))
    await expect(login.field('Email')).toBeFocused()
    await expect(login.field('Email')).toHaveValue(email)
  })
}

test("without an address asks for it: 'Please enter your email'", async ({ page, login }) => {
  await refuseCalls(page, CODE_CALL)
  await login.open()
  await login.button('Login with OTP').click()
  await expect(login.field('Email')).toHaveAccessibleDescription('Please enter your email')
  await expect(login.field('Email')).toBeFocused()
})

test("a code that can't be sent says 'Failed to send OTP', and the password form stays", async ({
  page,
  login,
  email,
  forgiven
}) => {
  forgiven.push(/net::ERR|status of 500/)
  for (const [failing, words] of [
    [{ status: 500, json: {} }, 'Something went wrong on our side. Please try again.'],
    [undefined, 'We cannot reach the shop.']
  ] as const) {
    await page.unroute(CODE_CALL)
    await page.route(CODE_CALL, route => (failing ? route.fulfill(failing) : route.abort()))
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(toast(page, 'Failed to send OTP')).toContainText(words)
    await expect(login.field('Password')).toBeVisible()
    await expect(login.field('Email')).toHaveValue(email)
  }
})

test.describe('a code that is', () => {
  const enter = async (login: LoginPage, code: string): Promise<void> => {
    await login.field('One-time code').fill(code)
    await login.button('Verify & Login').click()
  }

  test.beforeEach(async ({ login, email, forgiven }) => {
    forgiven.push(REFUSED)
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
  })

  test('wrong is told beside the field, and five times is enough', async ({ page, login, email, accounts }) => {
    const code = await accounts.mailed(email)
    for (let tries = 1; tries < 5; tries++) {
      await enter(login, otherThan(code))
      await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeInvalid)
      await expect(login.field('One-time code')).toBeFocused()
    }
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeInvalid)
    await enter(login, otherThan(code))
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeUsedUp)
    await enter(login, code)
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeUsedUp)
    expect((await stored(page)).token).toBeNull()
  })

  test('too old is told in other words', async ({ page, login, email, accounts }) => {
    const code = await accounts.mailed(email)
    await accounts.age(email, CODE_LIFE)
    await enter(login, code)
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeExpired)
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeExpired)
  })

  test('still on its way is waited for after the phone has dropped the tab', async ({
    page,
    login,
    email,
    accounts
  }) => {
    await page.reload()
    await expect(login.panel).toContainText(email)
    await expect(login.panel).toContainText(/You can ask for another code in \d+ seconds?\./)
    await enter(login, await accounts.mailed(email))
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(page).toHaveURL(paths.home)
  })

  test('asked for too soon by another browser is not sent, and says when it can be', async ({ browser, email }) => {
    const context = await browser.newContext()
    const other = new LoginPage(await context.newPage())
    await other.open()
    await other.field('Email').fill(email)
    await other.button('Login with OTP').click()
    await expect(toast(other.page, 'Failed to send OTP')).toContainText(/another code in \d+ seconds?\./)
    await context.close()
  })
})

test('another code can be asked for when a visible count has ended, and the first still works', async ({
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
  await expect(login.panel).toContainText('You can ask for another code in 60 seconds.')
  await page.clock.runFor(MINUTE / 2)
  await expect(login.panel).toContainText('You can ask for another code in 30 seconds.')
  await expect(login.button('Send another code')).toHaveCount(0)
  await page.clock.runFor(MINUTE / 2)
  const first = await accounts.mailed(email)
  await accounts.age(email, CODE_RESEND)
  await login.button('Send another code').click()
  await expect(login.panel).toContainText('You can ask for another code in 60 seconds.')
  await expect(login.field('One-time code')).toBeFocused()
  expect(await accounts.mailed(email, 2)).not.toBe(first)
  await login.field('One-time code').fill(first)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Login successful')).toBeVisible()
})
