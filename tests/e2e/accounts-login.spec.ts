import { paths } from '#lib/paths.ts'
import { desktop } from '../support/browser.ts'
import { forbidRequests, delayRequests } from '../support/browser-calls.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { expect, loginLink, storedSession, test, toast, userMenu } from '../support/browser-login.ts'
import { MYSORE_PAK } from '../support/browser-pages.ts'

const AUTH_CALLS = '**/api/auth/*'
const CLIENT_ERROR = /status of 4\d\d/

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test.describe(`Login by password (${name})`, () => {
    test('returns the shopper to the page from which the login was opened', async ({ page, login, shopper }) => {
      await page.goto(MYSORE_PAK)
      await input.click(loginLink(page))
      await input.fill(login.field('Email'), ` ${shopper.email} `)
      await input.fill(login.field('Password'), shopper.password)
      await input.click(login.button('Login'))
      await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
      await expect(page).toHaveURL(MYSORE_PAK)
      await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    })

    test('shows an error in a toast and in the form if the password is wrong, and keeps the input', async ({
      page,
      login,
      shopper,
      allowedErrors
    }) => {
      allowedErrors.push(CLIENT_ERROR)
      await login.open()
      await input.fill(login.field('Email'), shopper.email)
      await input.fill(login.field('Password'), 'not-the-one')
      await input.click(login.button('Login'))
      await expect(toast(page, 'Login failed')).toHaveRole('alert')
      await expect(toast(page, 'Login failed')).toContainText('Invalid credentials')
      await expect(login.panel).toContainText('Login failedInvalid credentials')
      await expect(login.field('Email')).toHaveValue(shopper.email)
      await expect(login.field('Password')).toHaveValue('not-the-one')
      expect(await storedSession(page)).toEqual({ token: null, user: null })

      await input.fill(login.field('Password'), shopper.password)
      await input.click(login.button('Login'))
      await expect(toast(page, 'Login successful')).toBeVisible()
      await expect(toast(page, 'Login failed')).toHaveCount(0)
    })
  })
}

test.describe('Login form', () => {
  test('shows one message and sends nothing if both fields are empty', async ({ page, login }) => {
    await forbidRequests(page, AUTH_CALLS)
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

  test('has the autocomplete attributes that password managers need', async ({ login }) => {
    await login.open()
    await expect(login.field('Email')).toHaveAttribute('autocomplete', 'username')
    await expect(login.field('Email')).toHaveAttribute('type', 'email')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'current-password')
    await login.tab('Register').click()
    await expect(login.field('Name')).toHaveAttribute('autocomplete', 'name')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'new-password')
  })

  test('can show and hide the password', async ({ login }) => {
    await login.open()
    await login.field('Password').fill('kesari')
    await login.button('Show password').click()
    await expect(login.field('Password')).toHaveAttribute('type', 'text')
    await login.button('Hide password').click()
    await expect(login.field('Password')).toHaveAttribute('type', 'password')
  })

  test('shows the waiting time after too many tries and suggests login by code', async ({
    page,
    login,
    shopper,
    accounts,
    allowedErrors
  }) => {
    allowedErrors.push(CLIENT_ERROR)
    await accounts.useUpPasswordTries(shopper.email)
    await login.open()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').click()
    await expect(toast(page, 'Login failed')).toContainText(
      /Too many attempts\. Please wait \d+ (second|minute)s?, or log in with a code\./
    )
  })

  test('reports a network failure and keeps the input', async ({ page, login, shopper, allowedErrors }) => {
    allowedErrors.push(/net::ERR/)
    await page.route('**/api/auth/login', route => route.abort())
    await login.open()
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill(shopper.password)
    await login.button('Login').click()
    await expect(toast(page, 'Login failed')).toContainText('We cannot reach the shop.')
    await expect(login.field('Password')).toHaveValue(shopper.password)
    await expect(login.button('Login')).toBeFocused()
  })

  test('sends one request for two quick clicks and shows the progress', async ({ page, login, shopper }) => {
    const calls = await delayRequests(page, '**/api/auth/login')
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

test.describe('Redirect after login', () => {
  for (const [query, destination] of Object.entries({
    '': paths.home,
    '?return=%2Fproducts%3Fq%3Dpak%23list': '/products?q=pak#list',
    '?return=%2Fmy-profile': paths.profile,
    '?return=https%3A%2F%2Fevil.example%2F': paths.home,
    '?return=%2F%2Fevil.example%2F': paths.home,
    '?return=%2F%5Cevil.example': paths.home,
    '?return=javascript%3Aalert(1)': paths.home,
    '?return=%2Flogin': paths.home
  })) {
    test(`goes from /login${query} to ${destination}`, async ({ page, login, shopper }) => {
      await login.open(query)
      await login.field('Email').fill(shopper.email)
      await login.field('Password').fill(shopper.password)
      await login.button('Login').click()
      await expect(page).toHaveURL(destination)
      await expect(userMenu(page)).toBeVisible()
    })
  }

  test('removes the login page from the browser history', async ({ page, login, shopper }) => {
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

  test('happens at once if the shopper is already logged in', async ({ page, accounts, shopper }) => {
    await accounts.logIn(page, shopper)
    await page.goto(`${paths.login}?return=%2Fabout`)
    await expect(page).toHaveURL(paths.about)
    await expect(toast(page, 'Login')).toHaveCount(0)
  })
})

test.describe('Login form draft', () => {
  test('is restored after a reload, except for the password', async ({ page, login }) => {
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

  test('keeps the text that was typed before hydration', async ({ page, login }) => {
    const scripts = await delayRequests(page, '**/_astro/*.js')
    await page.goto(paths.login, { waitUntil: 'commit' })
    await login.field('Email').fill('anita@example.test')
    await expect(login.button('Login')).toBeDisabled()
    scripts.release()
    await expect(login.button('Login')).toBeEnabled()
    await expect(login.field('Email')).toHaveValue('anita@example.test')
  })
})
