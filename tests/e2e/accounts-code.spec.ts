import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { CODE_LIFE, CODE_RESEND, HOUR, MINUTE } from '#lib/time.ts'
import { expect, newAddress, otherThan, test as base } from '../support/browser-accounts.ts'
import { desktop, narrowest } from '../support/browser.ts'
import { refuseCalls } from '../support/browser-calls.ts'
import { HANDS } from '../support/browser-hands.ts'
import { LoginPage, stored, toast, userMenu } from '../support/browser-login.ts'

const REFUSED = /status of 4\d\d/
const SENT = { message: MESSAGES.codeSent, resendAfter: CODE_RESEND / 1000, expiresIn: CODE_LIFE / 1000 }

const test = base.extend<{ login: LoginPage; email: string }>({
  login: async ({ page }, use) => use(new LoginPage(page)),
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
    await page.unroute(SEND)
    await refuseCalls(page, SEND)
    await hands.press(login.button('Login with OTP'))
    await expect(login.field('One-time code')).toBeFocused()
    await hands.press(login.button('Change the email'))
    await expect(login.field('Email')).toBeFocused()
    await expect(login.field('Email')).toHaveValue(email)
  })
}

test("without an address asks for it: 'Please enter your email'", async ({ page, login }) => {
  await refuseCalls(page, SEND)
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
    await page.unroute(SEND)
    await page.route(SEND, route => (failing ? route.fulfill(failing) : route.abort()))
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(toast(page, 'Failed to send OTP')).toContainText(words)
    await expect(login.field('Password')).toBeVisible()
    await expect(login.field('Email')).toHaveValue(email)
  }
})

test.describe('the field of the code', () => {
  test.beforeEach(async ({ page, login, email }) => {
    await answerCodes(page)
    await login.open()
    await login.field('Email').fill(email)
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
  })

  test('is one field with one name, six slots, and what phones need to fill it in', async ({ login }) => {
    const field = login.panel.getByRole('textbox', { name: 'One-time code', exact: true })
    await expect(field).toHaveCount(1)
    await expect(login.panel.getByRole('textbox')).toHaveCount(1)
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expect(login.panel.locator('[aria-hidden] > span')).toHaveCount(6)
  })

  for (const pasted of ['123 456', '123-456', ' 123456\n']) {
    test(`takes a pasted ${JSON.stringify(pasted)} for 123456, whatever stood there`, async ({ page, login }) => {
      await page.keyboard.type('98')
      await page.keyboard.press('ArrowLeft')
      await paste(page, pasted)
      await expect(login.field('One-time code')).toHaveValue('123456')
    })
  }

  test('takes digits only, and no more than six', async ({ page, login }) => {
    await page.keyboard.type('1a2-3 4567')
    await expect(login.field('One-time code')).toHaveValue('123456')
  })

  test('is mended with the arrow keys, Backspace and Home', async ({ page, login }) => {
    const field = login.field('One-time code')
    await page.keyboard.type('123456')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await expect(field).toHaveValue('12356')
    await page.keyboard.type('9')
    await expect(field).toHaveValue('123956')
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await page.keyboard.type('0')
    await expect(field).toHaveValue('023956')
  })

  test("is not sent before it is full: 'Please enter the 6-digit code'", async ({ page, login }) => {
    await refuseCalls(page, '**/api/auth/verify-otp')
    await page.keyboard.type('12345')
    await page.keyboard.press('Enter')
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeRequired)
    await expect(login.field('One-time code')).toBeFocused()
    await page.keyboard.type('6')
    await expect(login.panel.getByText(MESSAGES.codeRequired)).toHaveCount(0)
  })

  for (const [width, device] of Object.entries({ desktop, narrowest })) {
    test(`shows each digit in its slot (${width})`, async ({ page, login }) => {
      await page.setViewportSize(device.viewport)
      await page.keyboard.type('888888')
      const field = login.field('One-time code')
      expect(await field.evaluate(input => [input.scrollLeft, input.parentElement?.scrollLeft])).toEqual([0, 0])
      const slots = await login.panel.locator('[aria-hidden] > span').evaluateAll(middlesOf)
      expect(await field.evaluate(middlesOfDigits)).toEqual(slots.map(slot => expect.closeTo(slot, -0.5)))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(device.viewport.width)
    })
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
    await expect(login.field('One-time code')).toBeFocused()
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

const SEND = '**/api/auth/send-otp'

/** Every code is as good as sent. */
async function answerCodes(page: Page): Promise<void> {
  await page.route(SEND, route => route.fulfill({ json: SENT }))
}

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(words => navigator.clipboard.writeText(words), text)
  await page.keyboard.press('ControlOrMeta+v')
}

function middlesOf(elements: Element[]): number[] {
  return elements.map(element => {
    const { left, right } = element.getBoundingClientRect()
    return (left + right) / 2
  })
}

/** Where the digits of a field are drawn: by its padding and the distance that its letters keep. */
function middlesOfDigits(input: Element): number[] {
  const style = getComputedStyle(input)
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return []
  context.font = `${style.fontSize} ${style.fontFamily}`
  const digit = context.measureText('8').width
  const first = input.getBoundingClientRect().left + parseFloat(style.paddingLeft) + digit / 2
  return Array.from({ length: 6 }, (_, at) => first + at * (digit + parseFloat(style.letterSpacing)))
}
