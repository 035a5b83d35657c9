import { paths } from '#lib/paths.ts'
import { HOUR } from '#lib/time.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { delayRequests, forbidRequests } from '../support/browser-calls.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { loginLink, LoginPage, MYSORE_PAK, storedSession, toast, userMenu } from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const AUTH_CALLS = '**/api/auth/*'
const { keyboard } = INPUT_METHODS

test.describe('Login by password on a phone', () => {
  test.use(phone)

  test('shows missing fields, a wrong password and the progress, keeps the input and logs in', async ({
    page,
    login,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(/status of 4\d\d|net::ERR/)
    await login.open('?return=%2Fproducts%3Fq%3Dpak%23list')
    const blocked = await forbidRequests(page, AUTH_CALLS)
    await login.button('Login').click()
    await expect(login.panel.getByText('Please fill in all fields')).toHaveCount(1)
    for (const label of ['Email', 'Password'] as const)
      await expect(login.field(label)).toHaveAccessibleDescription('Please fill in all fields')
    await expect(login.field('Email')).toBeFocused()
    await expectAccessible(page, 'empty fields')
    await blocked.allow()

    await login.field('Password').fill('not-the-one')
    await login.button('Show password').click()
    await expect(login.field('Password')).toHaveAttribute('type', 'text')
    await login.button('Hide password').click()
    await login.logIn({ ...shopper, password: 'not-the-one' })
    await expect(toast(page, 'Login failed')).toHaveRole('alert')
    await expect(login.panel).toContainText('Login failedInvalid credentials')
    await expect(login.field('Email')).toHaveValue(shopper.email)
    await expect(login.field('Password')).toHaveValue('not-the-one')
    await expectAccessible(page, 'wrong password')

    const calls = await delayRequests(page, '**/api/auth/login')
    await login.field('Password').fill(shopper.password)
    await login.button('Login').evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await expect(login.button('Logging in…')).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page, 'logging in')
    calls.release()
    await expect(toast(page, 'Login successful')).toContainText('Welcome back!')
    await expect(page).toHaveURL('/products?q=pak#list')
    expect(calls.count()).toBe(1)
  })

  test('reports a network failure and too many tries', async ({ page, login, accounts, shopper, allowedErrors }) => {
    allowedErrors.push(/status of 4\d\d|net::ERR/)
    await accounts.useUpPasswordTries(shopper)
    await page.route('**/api/auth/login', route => route.abort(), { times: 1 })
    await login.open()
    await login.logIn(shopper)
    await expect(toast(page, 'Login failed')).toContainText('We cannot reach the shop.')
    await expect(login.field('Password')).toHaveValue(shopper.password)
    await expect(login.button('Login')).toBeFocused()
    await login.button('Login').click()
    await expect(toast(page, 'Login failed')).toContainText(
      /Too many attempts\. Please wait \d+ (second|minute)s?, or log in with a code\./
    )
  })
})

test.describe('Login', () => {
  test.use(desktop)

  test('works by keyboard, returns to the previous page and leaves no entry in the history', async ({
    page,
    login,
    shopper
  }) => {
    await page.goto(paths.about)
    await page.goto(MYSORE_PAK)
    await keyboard.click(loginLink(page))
    await keyboard.fill(login.field('Email'), ` ${shopper.email} `)
    await keyboard.fill(login.field('Password'), shopper.password)
    await keyboard.click(login.button('Login'))
    await expect(toast(page, 'Login successful')).toBeVisible()
    await expect(page).toHaveURL(MYSORE_PAK)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    await page.goBack()
    await expect(page).not.toHaveURL(/login/)
    await page.goto(`${paths.login}?return=%2Fabout`)
    await expect(page, 'a logged-in shopper is redirected at once').toHaveURL(paths.about)
  })

  test('never redirects to another site', async ({ page, login, shopper }) => {
    await login.open('?return=%2F%5Cevil.example')
    await login.logIn(shopper)
    await expect(page).toHaveURL(paths.home)
    await expect(userMenu(page)).toBeVisible()
  })

  test('keeps the text that was typed before hydration, and after a reload all but the password', async ({
    page,
    login
  }) => {
    const scripts = await delayRequests(page, '**/_astro/*.js')
    await page.goto(paths.login, { waitUntil: 'commit' })
    await login.field('Email').fill('anita@example.test')
    await expect(login.button('Login')).toBeDisabled()
    scripts.release()
    await expect(login.button('Login')).toBeEnabled()
    await expect(login.field('Email')).toHaveValue('anita@example.test')
    await expect(login.field('Email')).toHaveAttribute('autocomplete', 'username')
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'current-password')
    await login.tab('Register').click()
    await expect(login.field('Password')).toHaveAttribute('autocomplete', 'new-password')
    await login.field('Name').fill('Anita Kumar')
    await login.field('Password').fill('three warm dosas')
    await page.reload()
    await expect(login.tab('Register')).toHaveAttribute('aria-selected', 'true')
    await expect(login.field('Name')).toHaveValue('Anita Kumar')
    await expect(login.field('Email')).toHaveValue('anita@example.test')
    await expect(login.field('Password')).toHaveValue('')
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('dosas')
  })
})

test.describe('Registration', () => {
  test.describe('on a phone', () => {
    test.use(phone)

    test('shows invalid fields, the strength of the password and a known email', async ({
      page,
      login,
      shopper,
      allowedErrors
    }) => {
      allowedErrors.push(/status of 4\d\d/)
      await login.open()
      await login.tab('Register').click()
      await login.field('Email').fill('anita.example.test')
      await login.field('Password').fill('12345')
      await page.keyboard.press('Tab')
      await expect(login.panel.locator('[aria-invalid=true]')).toHaveCount(0)
      await login.button('Register').click()
      await expect(login.field('Name')).toBeFocused()
      await login.field('Name').fill('Anita')
      await login.button('Register').click()
      await expect(login.field('Email')).toHaveAccessibleDescription('Please enter a valid email address')
      await expect(login.field('Password')).toHaveAccessibleDescription('Password must be at least 6 characters long')
      await expectAccessible(page, 'invalid fields')
      await login.field('Email').fill(shopper.email)
      for (const [password, advice] of Object.entries({ password: /^Weak\./, 'three warm dosas': /^Strong\.$/ })) {
        await login.field('Password').fill(password)
        await expect(login.field('Password')).toHaveAccessibleDescription(advice)
        await expectAccessible(page, password)
      }
      await login.button('Register').click()
      const message = 'You already have an account. Log in, or get a code by e-mail.'
      await expect(toast(page, 'Signup failed')).toContainText(message)
      await expect(login.panel).toContainText(`Registration failed${message}`)
      await expectAccessible(page, 'known email')
      await login.tab('Login').click()
      await expect(login.field('Email')).toHaveValue(shopper.email)
    })
  })

  test.describe('by keyboard', () => {
    test.use(desktop)

    test('creates an account and logs in', async ({ page, login }) => {
      const email = newEmail()
      await login.open()
      await keyboard.selectTab(login.tab('Register'))
      await keyboard.fill(login.field('Name'), ' Anita Kumar ')
      await keyboard.fill(login.field('Email'), ` ${email.toUpperCase()} `)
      await keyboard.fill(login.field('Password'), 'three warm dosas')
      await keyboard.click(login.button('Register'))
      await expect(toast(page, 'Signup successful')).toContainText('Welcome to our platform!')
      await expect(page).toHaveURL(paths.home)
      await expect(userMenu(page)).toHaveText(/Anita Kumar/)
      expect((await storedSession(page)).user).toMatchObject({ name: 'Anita Kumar', email, role: 'user' })
    })
  })
})

test.describe('Protected pages', () => {
  test.use(desktop)

  test('My Orders redirects visitors to the login after 2 s and opens again after the login', async ({
    page,
    shopper
  }) => {
    const start = Date.now()
    await page.clock.install({ time: start })
    const scripts = await delayRequests(page, '**/_astro/*.js')
    await page.goto(paths.orders, { waitUntil: 'commit' })
    await page.clock.pauseAt(start + HOUR)
    scripts.release()
    await expect(page.getByText('Please log in to view your orders.')).toBeVisible()
    await page.clock.runFor(1999)
    await expect(page).toHaveURL(paths.orders)
    await page.clock.runFor(1)
    await expect(page).toHaveURL(`${paths.login}?return=%2Forders`)
    await page.clock.resume()
    await new LoginPage(page).logIn(shopper)
    await expect(page).toHaveURL(paths.orders)
    await expect(page.getByText('No orders found.')).toBeVisible()
  })

  test('the admin area asks visitors to log in and sends shoppers to the home page', async ({
    page,
    accounts,
    shopper
  }) => {
    const meena = await accounts.add({ name: 'Meena', role: 'admin' })
    await page.goto(paths.admin)
    await expect(page).toHaveURL(`${paths.login}?return=%2Fadmin`)
    await new LoginPage(page).logIn(meena)
    await expect(page).toHaveURL(paths.admin)
    await expect(page.getByRole('main')).toContainText('Vanakkam, Meena!')
    await accounts.logIn(page, shopper)
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
      localStorage.setItem('user', JSON.stringify({ ...user, name: 'Somebody Else', role: 'admin' }))
    })
    await page.goto(paths.admin)
    await expect(page, 'the role comes from the server').toHaveURL(paths.home)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
  })
})
