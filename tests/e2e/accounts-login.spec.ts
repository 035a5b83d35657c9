import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { refuseCalls, withhold } from '../support/browser-calls.ts'
import { HANDS } from '../support/browser-hands.ts'
import { expect, loginLink, stored, test, toast, userMenu } from '../support/browser-login.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const CALLS = '**/api/auth/*'
const REFUSED = /status of 4\d\d/

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, hands] of Object.entries(HANDS)) {
  test.describe(`by ${name}`, () => {
    test('a shopper logs in by password and is back at the product', async ({ page, login, shopper }) => {
      await page.goto(MYSORE_PAK)
      await hands.press(loginLink(page))
      await hands.type(login.field('Email'), ` ${shopper.email} `)
      await hands.type(login.field('Password'), shopper.password)
      await hands.press(login.button('Login'))
      await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
      await expect(page).toHaveURL(MYSORE_PAK)
      await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    })

    test("a wrong password says 'Login failed', in a toast and in the form, and keeps what was typed", async ({
      page,
      login,
      shopper,
      forgiven
    }) => {
      forgiven.push(REFUSED)
      await login.open()
      await hands.type(login.field('Email'), shopper.email)
      await hands.type(login.field('Password'), 'not-the-one')
      await hands.press(login.button('Login'))
      await expect(toast(page, 'Login failed')).toHaveRole('alert')
      await expect(toast(page, 'Login failed')).toContainText('Invalid credentials')
      await expect(login.panel).toContainText('Login failedInvalid credentials')
      await expect(login.field('Email')).toHaveValue(shopper.email)
      await expect(login.field('Password')).toHaveValue('not-the-one')
      expect(await stored(page)).toEqual({ token: null, user: null })

      await hands.type(login.field('Password'), shopper.password)
      await hands.press(login.button('Login'))
      await expect(toast(page, 'Login successful')).toBeVisible()
      await expect(toast(page, 'Login failed')).toHaveCount(0)
    })
  })
}

test.describe('the login form', () => {
  test("empty says 'Please fill in all fields' once, accuses both fields and sends nothing", async ({
    page,
    login
  }) => {
    await refuseCalls(page, CALLS)
    await login.open()
    await login.button('Login').click()
    await expect(login.panel.getByText('Please fill in all fields')).toHaveCount(1)
    for (const label of ['Email', 'Password'] as const) {
      await expect(login.field(label)).toHaveAttribute('aria-invalid', 'true')
      await expect(login.field(label)).toHaveAccessibleDescription('Please fill in all fields')
    }
    await expect(login.field('Email')).toBeFocused()
    await login.field('Email').fill('anita@example.test')
    await expect(login.field('Email')).toHaveAttribute('aria-invalid', 'false')
    await expect(login.field('Password')).toHaveAccessibleDescription('Please fill in all fields')
    await login.field('Password').fill('x')
    await expect(login.panel.getByText('Please fill in all fields')).toHaveCount(0)
  })

  test('gives password managers and phones the names that they look for', async ({ login }) => {
    await login.open()
    await expect(login.field('Email')).toHaveAttribute('autocomplete', 'username')
    await expect(login.field('Email')).toHaveAttribute('type', 'email')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'current-password')
    await login.tab('Register').click()
    await expect(login.field('Name')).toHaveAttribute('autocomplete', 'name')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'new-password')
  })

  test('shows the password when asked to', async ({ login }) => {
    await login.open()
    await login.field('Password').fill('kesari')
    await login.button('Show password').click()
    await expect(login.field('Password')).toHaveAttribute('type', 'text')
    await login.button('Hide password').click()
    await expect(login.field('Password')).toHaveAttribute('type', 'password')
  })

  test('says how long to wait after too many tries, and that a code still works', async ({
    page,
    login,
    shopper,
    accounts,
    forgiven
  }) => {
    forgiven.push(REFUSED)
    await accounts.guess(shopper.email)
    await login.open()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').click()
    await expect(toast(page, 'Login failed')).toContainText(
      /Too many tries\. Please wait \d+ (second|minute)s?, or log in with a code\./
    )
  })

  test('without a network says so and keeps what was typed', async ({ page, login, shopper, forgiven }) => {
    forgiven.push(/net::ERR/)
    await page.route('**/api/auth/login', route => route.abort())
    await login.open()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').click()
    await expect(toast(page, 'Login failed')).toContainText('We cannot reach the shop.')
    await expect(login.field('Password')).toHaveValue(shopper.password)
    await expect(login.button('Login')).toBeFocused()
  })

  test('two quick taps are one login, and the button says what is going on', async ({ page, login, shopper }) => {
    const calls = await withhold(page, '**/api/auth/login')
    await login.open()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await expect(login.button('Logging in…')).toHaveAttribute('aria-disabled', 'true')
    calls.release()
    await expect(toast(page, 'Login successful')).toBeVisible()
    expect(calls.count()).toBe(1)
  })
})

test.describe('the way back', () => {
  for (const [query, to] of Object.entries({
    '': paths.home,
    '?return=%2Fproducts%3Fq%3Dpak%23list': '/products?q=pak#list',
    '?return=%2Fmy-profile': paths.profile,
    '?return=https%3A%2F%2Fevil.example%2F': paths.home,
    '?return=%2F%2Fevil.example%2F': paths.home,
    '?return=%2F%5Cevil.example': paths.home,
    '?return=javascript%3Aalert(1)': paths.home,
    '?return=%2Flogin': paths.home
  })) {
    test(`from /login${query} is ${to}`, async ({ page, login, shopper }) => {
      await login.open(query)
      await login.field('Email').fill(shopper.email)
      await login.field('Password').fill(shopper.password)
      await login.button('Login').click()
      await expect(page).toHaveURL(to)
      await expect(userMenu(page)).toBeVisible()
    })
  }

  test('leaves no login page to go back to', async ({ page, login, shopper }) => {
    await page.goto(paths.about)
    await loginLink(page).click()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').click()
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(page).toHaveURL(paths.about)
    await page.goBack()
    await expect(page).toHaveURL(paths.about)
  })

  test('is taken at once by who is logged in already', async ({ page, accounts, shopper }) => {
    await accounts.enter(page, shopper)
    await page.goto(`${paths.login}?return=%2Fabout`)
    await expect(page).toHaveURL(paths.about)
    await expect(toast(page, 'Login')).toHaveCount(0)
  })
})

test.describe('what was typed', () => {
  test('outlives a reload, and never the password', async ({ page, login }) => {
    await login.open()
    await login.tab('Register').click()
    await login.field('Name').fill('Anita Kumar')
    await login.field('Email').fill('anita@example.test')
    await login.field('Password').fill('three warm dosas')
    await page.reload()
    await expect(login.tab('Register')).toHaveAttribute('aria-selected', 'true')
    await expect(login.field('Name')).toHaveValue('Anita Kumar')
    await expect(login.field('Email')).toHaveValue('anita@example.test')
    await expect(login.field('Password')).toHaveValue('')
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('dosas')
  })

  test('before the page came to life stays', async ({ page, login }) => {
    const scripts = await withhold(page, '**/_astro/*.js')
    await page.goto(paths.login, { waitUntil: 'commit' })
    await login.field('Email').fill('anita@example.test')
    await expect(login.button('Login')).toBeDisabled()
    scripts.release()
    await expect(login.button('Login')).toBeEnabled()
    await expect(login.field('Email')).toHaveValue('anita@example.test')
  })
})
