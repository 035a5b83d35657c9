import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { CODE_RESEND_DELAY, HOUR, MINUTE } from '#lib/time.ts'
import { newEmail, wrongCode } from '../support/browser-accounts.ts'
import { delayRequests, mockSendCode, SEND_CODE_URL } from '../support/browser-calls.ts'
import { expectAccessible, expectNoHorizontalScroll } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { LoginPage, storedSession, toast, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const { click, fill } = INPUT_METHODS.keyboard
const VERIFY_URL = '**/api/auth/verify-otp'

test.describe('Login by code', () => {
  test.use(desktop)

  test('works by keyboard, creates an account for a new email and returns to the requested page', async ({
    page,
    login,
    accounts
  }) => {
    const email = newEmail()
    await login.open('?return=%2Fmy-profile')
    await fill(login.field('Email'), email)
    await click(login.button('Login with OTP'))
    await expect(toast(page, 'Code sent')).toContainText(MESSAGES.codeSent)
    await expect(login.field('Password')).toBeHidden()
    await expect(login.panel).toContainText(`We’ve sent a 6-digit code to ${email}.`)
    await expect(login.field('One-time code')).toBeFocused()
    await page.reload()
    await expect(login.panel).toContainText(/You can request another code in \d+ seconds?\./)
    await fill(login.field('One-time code'), await accounts.waitForCode(email))
    await click(login.button('Verify & Login'))
    await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
    await expect(page).toHaveURL(paths.profile)
    await expect(userMenu(page)).toHaveText(new RegExp(email.split('@')[0] ?? ''))
    expect((await storedSession(page)).user).toMatchObject({ email })
  })

  test('refuses the correct code after five wrong ones, and another code that is requested too soon', async ({
    page,
    browser,
    login,
    accounts,
    baseURL,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 4\d\d/)
    const email = newEmail()
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    const code = await accounts.waitForCode(email)
    const enter = async (text: string): Promise<void> => {
      await login.field('One-time code').fill(text)
      await login.button('Verify & Login').click()
    }
    for (let tries = 1; tries <= 5; tries++) {
      await enter(wrongCode(code))
      await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeInvalid)
      await expect(login.field('One-time code')).toBeFocused()
    }
    await enter(code)
    await expect(toast(page, 'Invalid OTP')).toContainText(MESSAGES.codeUsedUp)
    expect((await storedSession(page)).token).toBeNull()

    const other = await browser.newContext({ ...(baseURL && { baseURL }) })
    const secondBrowser = new LoginPage(await other.newPage())
    await secondBrowser.open()
    await secondBrowser.field('Email').fill(email)
    await secondBrowser.button('Login with OTP').click()
    await expect(toast(secondBrowser.page, 'Failed to send OTP')).toContainText(/another code in \d+ seconds?\./)
    await other.close()
  })

  test('sends a second code after the countdown, and both codes work', async ({ page, login, accounts }) => {
    const email = newEmail()
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
    await expect(login.field('One-time code')).toBeFocused()
    expect(await accounts.waitForCode(email, 2)).not.toBe(first)
    await login.field('One-time code').fill(first)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Login successful')).toBeVisible()
  })
})

test.describe('Login by code on a phone', () => {
  test.use(phone)

  test('reports a failure, then asks for the code and remembers it when the password form was opened', async ({
    page,
    login,
    allowedErrors
  }) => {
    allowedErrors.push(/net::ERR|status of 400/)
    await page.route(SEND_CODE_URL, route => route.abort())
    await login.open()
    await login.field('Email').fill('a.rather.long.address.of.somebody.in.tiruchirappalli@mail.example.com')
    await login.field('Password').fill('kesari')
    await login.button('Login with OTP').click()
    await expect(toast(page, 'Failed to send OTP')).toContainText('We cannot reach the shop.')
    await page.unroute(SEND_CODE_URL)
    await mockSendCode(page)
    const calls = await delayRequests(page, SEND_CODE_URL)
    calls.release()
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
    await expectAccessible(page, 'code sent')
    await login.button('Back to Password Login').click()
    await expect(login.field('Password')).toHaveValue('kesari')
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
    expect(calls.count(), 'no second code').toBe(1)
    await login.button('Change the email').click()
    await expect(login.field('Email')).toBeFocused()
    await login.button('Login with OTP').click()
    await page.route(VERIFY_URL, route => route.fulfill({ status: 400, json: { code: 'INVALID_OTP' } }))
    await login.field('One-time code').fill('000000')
    await login.button('Verify & Login').click()
    await expect(toast(page, 'Invalid OTP')).toBeVisible()
    await expectAccessible(page, 'wrong code')
  })
})

test.describe('One-time code field', () => {
  test.use(desktop)

  test('takes typed, edited and pasted digits and shows each centred in its slot', async ({ page, login }) => {
    await mockSendCode(page)
    await login.open()
    await login.field('Email').fill(newEmail())
    await login.button('Login with OTP').click()
    const field = login.field('One-time code')
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await page.keyboard.type('12345')
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleDescription(MESSAGES.codeRequired)
    await page.keyboard.type('67a')
    await expect(field).toHaveValue('123456')
    await expect(login.panel.getByText(MESSAGES.codeRequired)).toHaveCount(0)
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Backspace']) await page.keyboard.press(key)
    await expect(field).toHaveValue('12356')
    await page.keyboard.type('9')
    await expect(field).toHaveValue('123956')
    for (const key of ['Home', 'Delete']) await page.keyboard.press(key)
    await page.keyboard.type('0')
    await expect(field).toHaveValue('023956')
    for (const pasted of ['123 456', '765-432', ' 888888\n']) {
      await page.keyboard.press('ArrowLeft')
      await paste(page, pasted)
      await expect(field).toHaveValue(pasted.replace(/\D/g, ''))
    }
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 640 })
      await expect(async () => {
        expect(await field.evaluate(input => [input.scrollLeft, input.parentElement?.scrollLeft])).toEqual([0, 0])
        const slots = await login.panel.locator('[aria-hidden] > span').evaluateAll(centresOf)
        expect(slots).toHaveLength(6)
        expect(await field.evaluate(digitCentres)).toEqual(slots.map(slot => expect.closeTo(slot, -0.5)))
      }).toPass({ timeout: 5000 })
      await expectNoHorizontalScroll(page, `${width} px`)
    }
  })
})

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(content => navigator.clipboard.writeText(content), text)
  await page.keyboard.press('ControlOrMeta+v')
}

function centresOf(elements: Element[]): number[] {
  return elements.map(element => {
    const { left, right } = element.getBoundingClientRect()
    return (left + right) / 2
  })
}

/** Returns the centre of each digit, computed from the padding and letter spacing. */
function digitCentres(input: Element): number[] {
  const style = getComputedStyle(input)
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return []
  context.font = `${style.fontSize} ${style.fontFamily}`
  const digit = context.measureText('8').width
  const first = input.getBoundingClientRect().left + parseFloat(style.paddingLeft) + digit / 2
  return Array.from({ length: 6 }, (_, index) => first + index * (digit + parseFloat(style.letterSpacing)))
}
