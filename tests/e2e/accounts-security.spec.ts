import { readFileSync } from 'node:fs'
import { wrongCode, type Shopper } from '../support/browser-accounts.ts'
import { desktop, shopUrl } from '../support/browser.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { loginLink, storedSession, toast } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test(`Profile: changing the password logs out other devices (${name})`, async ({
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
    await input.click(section.locator('summary'))
    await input.fill(section.getByLabel('New password', { exact: true }), 'three warm dosas')
    await input.fill(section.getByLabel('Current password', { exact: true }), 'not-the-one')
    await input.click(section.getByRole('button', { name: 'Save password' }))
    await expect(section.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
      'Invalid credentials'
    )
    await input.fill(section.getByLabel('Current password', { exact: true }), shopper.password)
    await input.click(section.getByRole('button', { name: 'Save password' }))
    await expect(toast(page, 'Password changed')).toContainText('You have been logged out on all other devices.')
    await expect(section).not.toHaveAttribute('open')
    await expect(section.locator('summary')).toBeFocused()
    expect(await fetchProfileStatus(otherToken)).toBe(401)
    expect(await fetchProfileStatus((await storedSession(page)).token)).toBe(200)
    expect(await logInStatus({ ...shopper, password: 'three warm dosas' })).toBe(200)
  })

  test(`Profile: logging out everywhere ends all sessions (${name})`, async ({ page, accounts, shopper, profile }) => {
    const { token: otherToken } = await accounts.logIn(page, shopper)
    await profile.open()
    const section = profile.section('Log out on all devices')
    await input.click(section.locator('summary'))
    await input.click(section.getByRole('button', { name: 'Log out everywhere' }))
    await expect(toast(page, 'Logged out')).toContainText('You have been logged out on all devices.')
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
    await expect(loginLink(page)).toBeVisible()
    expect(await fetchProfileStatus(otherToken)).toBe(401)
  })

  test(`Profile: personal data can be downloaded as JSON (${name})`, async ({ page, shopper, profile }) => {
    await profile.open()
    const section = profile.section('Download my data')
    await input.click(section.locator('summary'))
    const downloadEvent = page.waitForEvent('download')
    await input.click(section.getByRole('button', { name: 'Download' }))
    const download = await downloadEvent
    expect(download.suggestedFilename()).toBe('my-data.json')
    const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as unknown
    expect(data).toMatchObject({ account: { email: shopper.email, name: 'Anita Kumar' }, messages: [] })
    expect(JSON.stringify(data)).not.toMatch(/argon2|token/)
  })

  test(`Profile: the account is deleted after password confirmation (${name})`, async ({ page, shopper, profile }) => {
    await profile.open()
    const section = profile.section('Delete my account')
    await input.click(section.locator('summary'))
    await input.click(section.getByRole('button', { name: 'Delete my account' }))
    const password = section.getByLabel('Current password', { exact: true })
    await expect(password).toHaveAccessibleDescription('Please enter your password or a code')
    await input.fill(password, shopper.password)
    await input.click(section.getByRole('button', { name: 'Delete my account' }))
    await expect(toast(page, 'Your account has been deleted.')).toBeVisible()
    await expect(loginLink(page)).toBeVisible()
    expect(await storedSession(page)).toEqual({ token: null, user: null })
    expect(await logInStatus(shopper)).toBe(400)
  })
}

test('Profile: a shopper without a password can set one after entering a code', async ({
  page,
  accounts,
  profile,
  allowedErrors
}) => {
  allowedErrors.push(/status of 400/)
  const ravi = await accounts.add({ name: 'Ravi', password: '' })
  await profile.open(ravi)
  const section = profile.section('Set a password')
  await section.locator('summary').click()
  await section.getByLabel('New password', { exact: true }).fill('three warm dosas')
  await section.getByRole('button', { name: 'Save password' }).click()
  await expect(section).toContainText('Please enter the 6-digit code')
  await section.getByRole('button', { name: 'Send me a code' }).click()
  await expect(section.getByLabel('One-time code')).toBeFocused()
  const code = await accounts.waitForCode(ravi.email)
  await section.getByLabel('One-time code').fill(wrongCode(code))
  await section.getByRole('button', { name: 'Save password' }).click()
  await expect(section.getByLabel('One-time code')).toHaveAccessibleDescription(/This code is wrong/)
  await section.getByLabel('One-time code').fill(code)
  await section.getByRole('button', { name: 'Save password' }).click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  expect(await logInStatus({ ...ravi, password: 'three warm dosas' })).toBe(200)
})

async function fetchProfileStatus(token: string | null): Promise<number> {
  return (await fetch(`${shopUrl()}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
}

async function logInStatus({ email, password }: Pick<Shopper, 'email' | 'password'>): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  return (await fetch(`${shopUrl()}/api/auth/login`, { method: 'POST', headers, body })).status
}
