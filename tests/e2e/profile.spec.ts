import { readFileSync } from 'node:fs'
import type { Shopper } from '../support/browser-accounts.ts'
import { mockSendCode } from '../support/browser-calls.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { shopUrl } from '../support/browser-data.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { storedSession, toast, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const { click, fill } = INPUT_METHODS.keyboard

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
    await expect(profile.field('Name')).toHaveAccessibleDescription('Name is required.')
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

test.describe('Profile by keyboard', () => {
  test.use(desktop)

  test('can be edited; Cancel keeps the draft and Save changes the account menu', async ({
    page,
    profile
  }) => {
    await profile.open()
    await click(profile.button('Edit'))
    await expect(profile.field('Name')).toBeFocused()
    await expect(profile.field('Email')).not.toBeEditable()
    await fill(profile.field('Name'), '  Anita K  ')
    await click(profile.button('Cancel'))
    await expect(profile.detail('Name')).toHaveText('Anita Kumar')
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await click(profile.button('Edit'))
    await expect(profile.field('Name')).toHaveValue('Anita K')
    await fill(profile.field('Phone number'), '+91 98765-43210')
    await fill(profile.field('Flat, house no., building (optional)'), '3B')
    await fill(profile.field('Street and area'), '4 Rockfort Road')
    await fill(profile.field('Pincode'), '620 002')
    await expect(profile.field('State')).toHaveValue('Tamil Nadu')
    await fill(profile.field('City or town'), 'Tiruchirappalli')
    await click(profile.button('Save'))
    await expect(toast(page, 'Profile saved')).toBeVisible()
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await expect(profile.detail('Name')).toHaveText('Anita K')
    await expect(profile.detail('Phone number')).toHaveText('+91 98765 43210')
    await expect(profile.detail('Shipping address')).toHaveText(
      '3B4 Rockfort RoadTiruchirappalli 620002Tiruchirappalli, Tamil NaduIndia'
    )
    await expect(userMenu(page)).toHaveText(/Anita K\s*$/)
  })

  test('allows to change the password, which logs out other devices, and to download the data', async ({
    page,
    accounts,
    shopper,
    profile,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 400/)
    const { token: otherToken } = await accounts.logIn(page, shopper)
    await profile.open()
    const section = profile.section('Change password')
    const currentPassword = section.getByLabel('Current password', { exact: true })
    await click(section.locator('summary'))
    await fill(section.getByLabel('New password', { exact: true }), 'three warm dosas')
    await fill(currentPassword, 'not-the-one')
    await click(section.getByRole('button', { name: 'Save password' }))
    await expect(currentPassword).toHaveAccessibleDescription('Invalid credentials')
    await fill(currentPassword, shopper.password)
    await click(section.getByRole('button', { name: 'Save password' }))
    await expect(toast(page, 'Password changed')).toContainText(
      'You have been logged out on all other devices.'
    )
    await expect(section).not.toHaveAttribute('open')
    await expect(section.locator('summary')).toBeFocused()
    expect(await fetchProfileStatus(otherToken)).toBe(401)
    expect(await fetchProfileStatus((await storedSession(page)).token)).toBe(200)
    expect(await logInStatus({ ...shopper, password: 'three warm dosas' })).toBe(200)

    const data = profile.section('Download my data')
    await click(data.locator('summary'))
    const downloadEvent = page.waitForEvent('download')
    await click(data.getByRole('button', { name: 'Download' }))
    const download = await downloadEvent
    expect(download.suggestedFilename()).toBe('my-data.json')
    const content = readFileSync(await download.path(), 'utf8')
    expect(JSON.parse(content)).toMatchObject({
      account: { email: shopper.email, name: 'Anita Kumar' }
    })
    expect(content).not.toMatch(/argon2|token/)
  })
})

async function fetchProfileStatus(token: string | null): Promise<number> {
  return (
    await fetch(`${shopUrl()}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  ).status
}

async function logInStatus({
  email,
  password
}: Pick<Shopper, 'email' | 'password'>): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  return (await fetch(`${shopUrl()}/api/auth/login`, { method: 'POST', headers, body })).status
}
