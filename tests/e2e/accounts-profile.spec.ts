import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { forbidRequests, delayRequests } from '../support/browser-calls.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { toast, userMenu } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'

const PROFILE_URL = '**/api/auth/me'
const SAVE_URL = '**/api/auth/profile'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Profile', () => {
  test("shows 'Loading...' until the profile is loaded", async ({ page, accounts, shopper, profile }) => {
    await accounts.logIn(page, shopper)
    const calls = await delayRequests(page, PROFILE_URL)
    await page.goto(paths.profile)
    await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
    calls.release()
    await expect(profile.detail('Name')).toHaveText('Anita Kumar')
    await expect(profile.detail('Email')).toHaveText(shopper.email)
    await expect(profile.detail('Phone number')).toHaveText('Not added yet')
    await expect(profile.detail('Shipping address')).toHaveText('Not added yet')
  })

  test('shows an error and a retry button when loading fails', async ({
    page,
    accounts,
    shopper,
    profile,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 500/)
    await accounts.logIn(page, shopper)
    await page.route(PROFILE_URL, route => route.fulfill({ status: 500, json: {} }))
    await page.goto(paths.profile)
    await expect(page.getByRole('alert')).toContainText('Failed to load profile.')
    await page.unroute(PROFILE_URL)
    await profile.button('Try again').click()
    await expect(profile.detail('Name')).toHaveText('Anita Kumar')
  })

  test('shows only the email when the profile does not exist yet', async ({
    page,
    accounts,
    shopper,
    profile,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 404/)
    await accounts.logIn(page, shopper)
    await page.route(PROFILE_URL, route => route.fulfill({ status: 404, json: {} }))
    await page.goto(paths.profile)
    await expect(profile.detail('Name')).toHaveText('Not added yet')
    await expect(profile.detail('Email')).toHaveText(shopper.email)
  })

  test('shows an address that is stored as a JSON string', async ({ page, accounts, shopper, profile }) => {
    const { user } = await accounts.logIn(page, shopper)
    const address = JSON.stringify({ street: '4 Rockfort Road', city: 'Tiruchirappalli', pincode: '620002' })
    await page.route(PROFILE_URL, route => route.fulfill({ json: { ...user, address } }))
    await page.goto(paths.profile)
    await expect(profile.detail('Shipping address')).toHaveText('4 Rockfort RoadTiruchirappalli 620002India')
  })
})

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test(`Profile: changes are saved (${name})`, async ({ page, profile }) => {
    await profile.open()
    await input.click(profile.button('Edit'))
    await expect(profile.field('Name')).toBeFocused()
    await input.fill(profile.field('Name'), '  Anita K  ')
    await input.fill(profile.field('Phone number'), '+91 98765-43210')
    await input.fill(profile.field('Apartment, suite'), '3B')
    await input.fill(profile.field('Street'), '4 Rockfort Road')
    await input.fill(profile.field('Pincode'), '620 002')
    await input.fill(profile.field('City'), 'Tiruchirappalli')
    await input.fill(profile.field('State'), 'Tamil Nadu')
    await input.click(profile.button('Save'))
    await expect(toast(page, 'Profile saved')).toBeVisible()
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await expect(profile.detail('Name')).toHaveText('Anita K')
    await expect(profile.detail('Phone number')).toHaveText('+91 98765 43210')
    await expect(profile.detail('Shipping address')).toHaveText(
      '3B4 Rockfort RoadTiruchirappalli 620002Tamil NaduIndia'
    )
    await expect(userMenu(page)).toHaveText(/Anita K\s*$/)
  })

  test(`Profile: Cancel shows the saved values, and the next Edit shows the draft again (${name})`, async ({
    page,
    profile
  }) => {
    await forbidRequests(page, SAVE_URL)
    await profile.open()
    await input.click(profile.button('Edit'))
    await input.fill(profile.field('Name'), 'Somebody')
    await input.click(profile.button('Cancel'))
    await expect(profile.detail('Name')).toHaveText('Anita Kumar')
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await expect(profile.detail('Name')).toHaveText('Anita Kumar')
    await input.click(profile.button('Edit'))
    await expect(profile.field('Name')).toHaveValue('Somebody')
  })
}

test.describe('Profile form', () => {
  test.beforeEach(async ({ profile }) => {
    await profile.open()
    await profile.button('Edit').click()
  })

  test('has a read-only email, the prefix +91 and the country India, and marks optional fields', async ({
    shopper,
    profile
  }) => {
    await expect(profile.field('Email')).toHaveValue(shopper.email)
    await expect(profile.field('Email')).not.toBeEditable()
    await expect(profile.field('Phone number')).toHaveAccessibleDescription(/\+91/)
    await expect(profile.form).toContainText('Country India')
    await expect(profile.field('Apartment, suite')).toHaveAttribute('placeholder', /optional/)
    await expect(profile.field('District')).toHaveAttribute('placeholder', /optional/)
    await expect(profile.field('Street')).not.toHaveAttribute('placeholder')
  })

  test('shows an error and sends nothing if the name is empty', async ({ page, profile }) => {
    await forbidRequests(page, SAVE_URL)
    await profile.field('Name').fill('   ')
    await profile.button('Save').click()
    await expect(profile.field('Name')).toHaveAccessibleDescription('Name is required.')
    await expect(profile.field('Name')).toBeFocused()
    await profile.field('Name').fill('A')
    await expect(profile.form.getByText('Name is required.')).toHaveCount(0)
  })

  test('shows errors for an invalid phone number and pincode at the fields', async ({ page, profile }) => {
    await forbidRequests(page, SAVE_URL)
    await profile.field('Phone number').fill('98765')
    await profile.field('Pincode').fill('62000')
    await profile.button('Save').click()
    await expect(profile.field('Phone number')).toHaveAccessibleDescription(
      /Please enter a valid 10-digit phone number/
    )
    await expect(profile.field('Pincode')).toHaveAccessibleDescription('Please enter a valid 6-digit pincode')
  })

  test('is disabled while saving', async ({ page, profile }) => {
    const calls = await delayRequests(page, SAVE_URL)
    await profile.button('Save').click()
    await expect(profile.button('Saving…')).toBeDisabled()
    await expect(profile.button('Cancel')).toBeDisabled()
    for (const field of await profile.form.getByRole('textbox').all()) await expect(field).toBeDisabled()
    calls.release()
    await expect(profile.button('Edit')).toBeFocused()
  })

  for (const [messageName, response, text] of [
    ['the server’s message', { status: 503, json: { code: 'UNAVAILABLE', message: 'Back at six.' } }, 'Back at six.'],
    ['a default message', { status: 400, json: {} }, 'Failed to update profile.'],
    ['a network error', undefined, 'We cannot reach the shop.']
  ] as const) {
    test(`shows ${messageName} and keeps the input when saving fails`, async ({ page, profile, allowedErrors }) => {
      allowedErrors.push(/status of (400|503)|net::ERR/)
      await page.route(SAVE_URL, route => (response ? route.fulfill(response) : route.abort()))
      await profile.field('Name').fill('Anita K')
      await profile.button('Save').click()
      await expect(page.getByRole('alert')).toContainText(text)
      await expect(profile.field('Name')).toHaveValue('Anita K')
      await expect(profile.button('Save')).toBeFocused()
    })
  }

  test('is open and contains the draft after a reload', async ({ page, profile }) => {
    await profile.field('Street').fill('7 Temple Street')
    await page.reload()
    await expect(profile.field('Street')).toHaveValue('7 Temple Street')
    await expect(profile.field('Name')).toHaveValue('Anita Kumar')
  })
})
