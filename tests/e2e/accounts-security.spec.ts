import { readFileSync } from 'node:fs'
import { otherThan, type Shopper } from '../support/browser-accounts.ts'
import { desktop, shopUrl } from '../support/browser.ts'
import { HANDS } from '../support/browser-hands.ts'
import { loginLink, stored, toast } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, hands] of Object.entries(HANDS)) {
  test(`by ${name} the password is changed, and other devices are logged out`, async ({
    page,
    accounts,
    shopper,
    profile,
    forgiven
  }) => {
    forgiven.push(/status of 400/)
    const { token: elsewhere } = await accounts.enter(page, shopper)
    await profile.open()
    const part = profile.part('Change password')
    await hands.press(part.locator('summary'))
    await hands.type(part.getByLabel('New password', { exact: true }), 'three warm dosas')
    await hands.type(part.getByLabel('Current password', { exact: true }), 'not-the-one')
    await hands.press(part.getByRole('button', { name: 'Save the password' }))
    await expect(part.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
      'Invalid credentials'
    )
    await hands.type(part.getByLabel('Current password', { exact: true }), shopper.password)
    await hands.press(part.getByRole('button', { name: 'Save the password' }))
    await expect(toast(page, 'Password changed')).toContainText('You have been logged out everywhere else.')
    await expect(part).not.toHaveAttribute('open')
    await expect(part.locator('summary')).toBeFocused()
    expect(await meOf(elsewhere)).toBe(401)
    expect(await meOf((await stored(page)).token)).toBe(200)
    expect(await loginOf({ ...shopper, password: 'three warm dosas' })).toBe(200)
  })

  test(`by ${name} somebody logs out everywhere`, async ({ page, accounts, shopper, profile }) => {
    const { token: elsewhere } = await accounts.enter(page, shopper)
    await profile.open()
    const part = profile.part('Log out on all devices')
    await hands.press(part.locator('summary'))
    await hands.press(part.getByRole('button', { name: 'Log out everywhere' }))
    await expect(toast(page, 'Logged out')).toContainText('You have been logged out on all devices.')
    await expect(page.getByText('Please login to view your profile.')).toBeVisible()
    await expect(loginLink(page)).toBeVisible()
    expect(await meOf(elsewhere)).toBe(401)
  })

  test(`by ${name} somebody takes the data home`, async ({ page, shopper, profile }) => {
    await profile.open()
    const part = profile.part('Download my data')
    await hands.press(part.locator('summary'))
    const coming = page.waitForEvent('download')
    await hands.press(part.getByRole('button', { name: 'Download' }))
    const download = await coming
    expect(download.suggestedFilename()).toBe('my-data.json')
    const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as unknown
    expect(data).toMatchObject({ account: { email: shopper.email, name: 'Anita Kumar' }, messages: [] })
    expect(JSON.stringify(data)).not.toMatch(/argon2|token/)
  })

  test(`by ${name} an account is deleted with its password`, async ({ page, shopper, profile }) => {
    await profile.open()
    const part = profile.part('Delete my account')
    await hands.press(part.locator('summary'))
    await hands.press(part.getByRole('button', { name: 'Delete my account' }))
    const proof = part.getByLabel('Current password', { exact: true })
    await expect(proof).toHaveAccessibleDescription('Please confirm with your password or with a code')
    await hands.type(proof, shopper.password)
    await hands.press(part.getByRole('button', { name: 'Delete my account' }))
    await expect(toast(page, 'Your account has been deleted.')).toBeVisible()
    await expect(loginLink(page)).toBeVisible()
    expect(await stored(page)).toEqual({ token: null, user: null })
    expect(await loginOf(shopper)).toBe(400)
  })
}

test('without a password the account is proved by a code, and can be given one', async ({
  page,
  accounts,
  profile,
  forgiven
}) => {
  forgiven.push(/status of 400/)
  const ravi = await accounts.add({ name: 'Ravi', password: '' })
  await profile.open(ravi)
  const part = profile.part('Set a password')
  await part.locator('summary').click()
  await part.getByLabel('New password', { exact: true }).fill('three warm dosas')
  await part.getByRole('button', { name: 'Save the password' }).click()
  await expect(part).toContainText('Please enter the 6-digit code')
  await part.getByRole('button', { name: 'E-mail me a code' }).click()
  await expect(part.getByLabel('One-time code')).toBeFocused()
  const code = await accounts.mailed(ravi.email)
  await part.getByLabel('One-time code').fill(otherThan(code))
  await part.getByRole('button', { name: 'Save the password' }).click()
  await expect(part.getByLabel('One-time code')).toHaveAccessibleDescription(/This code is not right/)
  await part.getByLabel('One-time code').fill(code)
  await part.getByRole('button', { name: 'Save the password' }).click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  expect(await loginOf({ ...ravi, password: 'three warm dosas' })).toBe(200)
})

async function meOf(token: string | null): Promise<number> {
  return (await fetch(`${shopUrl()}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status
}

async function loginOf({ email, password }: Pick<Shopper, 'email' | 'password'>): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  return (await fetch(`${shopUrl()}/api/auth/login`, { method: 'POST', headers, body })).status
}
