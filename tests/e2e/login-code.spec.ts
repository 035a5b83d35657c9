import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { mockSendCode } from '../support/browser-calls.ts'
import { expectAccessible, expectNoHorizontalScroll } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { storedSession, toast, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, test } from '../support/browser.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const { click, fill } = INPUT_METHODS.keyboard

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
    await expect(login.field('Password')).toBeHidden()
    await expect(login.panel).toContainText(`We’ve sent a 6-digit code to ${email}.`)
    await expect(login.field('One-time code')).toBeFocused()
    await page.reload()
    await expect(login.panel).toContainText(/You can request another code in \d+ seconds?\./)
    await fill(login.field('One-time code'), await accounts.waitForCode(email))
    await expect(toast(page, 'Login successful')).toContainText('You are logged in.')
    await expect(page).toHaveURL(paths.profile)
    await expect(userMenu(page)).toHaveText(new RegExp(email.split('@')[0] ?? ''))
    expect((await storedSession(page)).user).toMatchObject({ email })
  })
})

test.describe('One-time code field', () => {
  test.use(desktop)

  test('takes typed, edited and pasted digits and shows each centred in its slot', async ({
    page,
    login,
    allowedErrors
  }) => {
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
    await expect(field).toHaveAttribute('inputmode', 'numeric')
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
        expect(
          await field.evaluate(input => [input.scrollLeft, input.parentElement?.scrollLeft])
        ).toEqual([0, 0])
        const slots = await login.panel.locator('[aria-hidden] > span').evaluateAll(centresOf)
        expect(slots).toHaveLength(6)
        expect(await field.evaluate(digitCentres)).toEqual(
          slots.map(slot => expect.closeTo(slot, -0.5))
        )
      }).toPass()
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
  return Array.from(
    { length: 6 },
    (_, index) => first + index * (digit + parseFloat(style.letterSpacing))
  )
}
