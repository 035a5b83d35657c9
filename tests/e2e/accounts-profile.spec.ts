import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { refuseCalls, withhold } from '../support/browser-calls.ts'
import { HANDS } from '../support/browser-hands.ts'
import { toast, userMenu } from '../support/browser-login.ts'
import { expect, test } from '../support/browser-profile.ts'

const ME = '**/api/auth/me'
const SAVE = '**/api/auth/profile'

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

test.describe('the profile', () => {
  test("says 'Loading...' until the shop has answered, then shows what it knows", async ({
    page,
    accounts,
    shopper,
    profile
  }) => {
    await accounts.enter(page, shopper)
    const calls = await withhold(page, ME)
    await page.goto(paths.profile)
    await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
    calls.release()
    await expect(profile.fact('Name')).toHaveText('Anita Kumar')
    await expect(profile.fact('Email')).toHaveText(shopper.email)
    await expect(profile.fact('Phone number')).toHaveText('+91 Not given yet')
    await expect(profile.fact('Shipping address')).toHaveText('Not given yet')
  })

  test("that can't be loaded says 'Failed to load profile.', and can be asked for again", async ({
    page,
    accounts,
    shopper,
    profile,
    forgiven
  }) => {
    forgiven.push(/status of 500/)
    await accounts.enter(page, shopper)
    await page.route(ME, route => route.fulfill({ status: 500, json: {} }))
    await page.goto(paths.profile)
    await expect(page.getByRole('alert')).toContainText('Failed to load profile.')
    await page.unroute(ME)
    await profile.button('Try again').click()
    await expect(profile.fact('Name')).toHaveText('Anita Kumar')
  })

  test('that is not there yet is empty, with the known e-mail', async ({
    page,
    accounts,
    shopper,
    profile,
    forgiven
  }) => {
    forgiven.push(/status of 404/)
    await accounts.enter(page, shopper)
    await page.route(ME, route => route.fulfill({ status: 404, json: {} }))
    await page.goto(paths.profile)
    await expect(profile.fact('Name')).toHaveText('Not given yet')
    await expect(profile.fact('Email')).toHaveText(shopper.email)
  })

  test('takes an address as JSON text too', async ({ page, accounts, shopper, profile }) => {
    const { user } = await accounts.enter(page, shopper)
    const address = JSON.stringify({ street: '4 Rockfort Road', city: 'Tiruchirappalli', pincode: '620002' })
    await page.route(ME, route => route.fulfill({ json: { ...user, address } }))
    await page.goto(paths.profile)
    await expect(profile.fact('Shipping address')).toHaveText('4 Rockfort RoadTiruchirappalli 620002India')
  })
})

for (const [name, hands] of Object.entries(HANDS)) {
  test(`by ${name} somebody edits and saves the profile`, async ({ page, profile }) => {
    await profile.open()
    await hands.press(profile.button('Edit'))
    await expect(profile.field('Name')).toBeFocused()
    await hands.type(profile.field('Name'), '  Anita K  ')
    await hands.type(profile.field('Phone number'), '+91 98765-43210')
    await hands.type(profile.field('Apartment, suite'), '3B')
    await hands.type(profile.field('Street'), '4 Rockfort Road')
    await hands.type(profile.field('Pincode'), '620 002')
    await hands.type(profile.field('City'), 'Tiruchirappalli')
    await hands.type(profile.field('State'), 'Tamil Nadu')
    await hands.press(profile.button('Save'))
    await expect(toast(page, 'Profile saved')).toBeVisible()
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await expect(profile.fact('Name')).toHaveText('Anita K')
    await expect(profile.fact('Phone number')).toHaveText('+91 98765 43210')
    await expect(profile.fact('Shipping address')).toHaveText('3B4 Rockfort RoadTiruchirappalli 620002Tamil NaduIndia')
    await expect(userMenu(page)).toHaveText(/Anita K\s*$/)
  })

  test(`by ${name} Cancel shows the saved values and keeps the draft for the next Edit`, async ({ page, profile }) => {
    await refuseCalls(page, SAVE)
    await profile.open()
    await hands.press(profile.button('Edit'))
    await hands.type(profile.field('Name'), 'Somebody')
    await hands.press(profile.button('Cancel'))
    await expect(profile.fact('Name')).toHaveText('Anita Kumar')
    await expect(profile.button('Edit')).toBeFocused()
    await page.reload()
    await expect(profile.fact('Name')).toHaveText('Anita Kumar')
    await hands.press(profile.button('Edit'))
    await expect(profile.field('Name')).toHaveValue('Somebody')
  })
}

test.describe('the form of the profile', () => {
  test.beforeEach(async ({ profile }) => {
    await profile.open()
    await profile.button('Edit').click()
  })

  test('has the e-mail read-only, +91, India, and marks what is optional', async ({ shopper, profile }) => {
    await expect(profile.field('Email')).toHaveValue(shopper.email)
    await expect(profile.field('Email')).not.toBeEditable()
    await expect(profile.field('Phone number')).toHaveAccessibleDescription(/\+91/)
    await expect(profile.form).toContainText('Country India')
    await expect(profile.field('Apartment, suite')).toHaveAttribute('placeholder', /optional/)
    await expect(profile.field('District')).toHaveAttribute('placeholder', /optional/)
    await expect(profile.field('Street')).not.toHaveAttribute('placeholder')
  })

  test("needs a name: 'Name is required.', and nothing is sent", async ({ page, profile }) => {
    await refuseCalls(page, SAVE)
    await profile.field('Name').fill('   ')
    await profile.button('Save').click()
    await expect(profile.field('Name')).toHaveAccessibleDescription('Name is required.')
    await expect(profile.field('Name')).toBeFocused()
    await profile.field('Name').fill('A')
    await expect(profile.form.getByText('Name is required.')).toHaveCount(0)
  })

  test('refuses a phone number and a pincode that are none, beside them', async ({ page, profile }) => {
    await refuseCalls(page, SAVE)
    await profile.field('Phone number').fill('98765')
    await profile.field('Pincode').fill('62000')
    await profile.button('Save').click()
    await expect(profile.field('Phone number')).toHaveAccessibleDescription(
      /Please enter a valid 10-digit phone number/
    )
    await expect(profile.field('Pincode')).toHaveAccessibleDescription('Please enter a valid 6-digit pincode')
  })

  test('is disabled while it is saved', async ({ page, profile }) => {
    const calls = await withhold(page, SAVE)
    await profile.button('Save').click()
    await expect(profile.button('Saving…')).toBeDisabled()
    await expect(profile.button('Cancel')).toBeDisabled()
    for (const field of await profile.form.getByRole('textbox').all()) await expect(field).toBeDisabled()
    calls.release()
    await expect(profile.button('Edit')).toBeFocused()
  })

  for (const [what, failing, words] of [
    ['the shop’s words', { status: 503, json: { code: 'UNAVAILABLE', message: 'Back at six.' } }, 'Back at six.'],
    ["'Failed to update profile.'", { status: 400, json: {} }, 'Failed to update profile.'],
    ['what is wrong with the network', undefined, 'We cannot reach the shop.']
  ] as const) {
    test(`that can't be saved says ${what}, and stays open with what was typed`, async ({
      page,
      profile,
      forgiven
    }) => {
      forgiven.push(/status of (400|503)|net::ERR/)
      await page.route(SAVE, route => (failing ? route.fulfill(failing) : route.abort()))
      await profile.field('Name').fill('Anita K')
      await profile.button('Save').click()
      await expect(page.getByRole('alert')).toContainText(words)
      await expect(profile.field('Name')).toHaveValue('Anita K')
      await expect(profile.button('Save')).toBeFocused()
    })
  }

  test('is open again after a reload, with what was typed', async ({ page, profile }) => {
    await profile.field('Street').fill('7 Temple Street')
    await page.reload()
    await expect(profile.field('Street')).toHaveValue('7 Temple Street')
    await expect(profile.field('Name')).toHaveValue('Anita Kumar')
  })
})
