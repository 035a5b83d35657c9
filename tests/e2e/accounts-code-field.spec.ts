import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { desktop, narrowest } from '../support/browser.ts'
import { mockSendCode, forbidRequests } from '../support/browser-calls.ts'
import { expect, test } from '../support/browser-login.ts'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('One-time code field', () => {
  test.beforeEach(async ({ page, login }) => {
    await mockSendCode(page)
    await login.open()
    await login.field('Email').fill(newEmail())
    await login.button('Login with OTP').click()
    await expect(login.field('One-time code')).toBeFocused()
  })

  test('is one labelled input with six slots and autofill attributes', async ({ login }) => {
    const field = login.panel.getByRole('textbox', { name: 'One-time code', exact: true })
    await expect(field).toHaveCount(1)
    await expect(login.panel.getByRole('textbox')).toHaveCount(1)
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await expect(login.panel.locator('[aria-hidden] > span')).toHaveCount(6)
  })

  for (const pasted of ['123 456', '123-456', ' 123456\n']) {
    test(`replaces its content with 123456 when ${JSON.stringify(pasted)} is pasted`, async ({ page, login }) => {
      await page.keyboard.type('98')
      await page.keyboard.press('ArrowLeft')
      await paste(page, pasted)
      await expect(login.field('One-time code')).toHaveValue('123456')
    })
  }

  test('accepts at most six digits and no other characters', async ({ page, login }) => {
    await page.keyboard.type('1a2-3 4567')
    await expect(login.field('One-time code')).toHaveValue('123456')
  })

  test('can be edited with the arrow keys, Backspace, Delete and Home', async ({ page, login }) => {
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

  test('shows an error and sends nothing if digits are missing', async ({ page, login }) => {
    await forbidRequests(page, '**/api/auth/verify-otp')
    await page.keyboard.type('12345')
    await page.keyboard.press('Enter')
    await expect(login.field('One-time code')).toHaveAccessibleDescription(MESSAGES.codeRequired)
    await expect(login.field('One-time code')).toBeFocused()
    await page.keyboard.type('6')
    await expect(login.panel.getByText(MESSAGES.codeRequired)).toHaveCount(0)
  })

  for (const [width, device] of Object.entries({ desktop, narrowest })) {
    test(`shows each digit centred in its slot (${width})`, async ({ page, login }) => {
      await page.setViewportSize(device.viewport)
      await page.keyboard.type('888888')
      const field = login.field('One-time code')
      expect(await field.evaluate(input => [input.scrollLeft, input.parentElement?.scrollLeft])).toEqual([0, 0])
      const slots = await login.panel.locator('[aria-hidden] > span').evaluateAll(centresOf)
      expect(await field.evaluate(digitCentres)).toEqual(slots.map(slot => expect.closeTo(slot, -0.5)))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(device.viewport.width)
    })
  }
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
