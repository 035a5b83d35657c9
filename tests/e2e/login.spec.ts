import { paths } from '#lib/paths.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { delayRequests } from '../support/browser-calls.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import {
  loginLink,
  LoginPage,
  MYSORE_PAK,
  storedSession,
  toast,
  userMenu
} from '../support/browser-pages.ts'
import { desktop, expect, phone, test } from '../support/browser.ts'

const { keyboard } = INPUT_METHODS

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
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
      'dosas'
    )
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
      await expect(login.field('Email')).toHaveAccessibleDescription(
        'Please enter a valid email address'
      )
      await expect(login.field('Password')).toHaveAccessibleDescription(
        'Password must be at least 6 characters long'
      )
      await expectAccessible(page, 'invalid fields')
      await login.field('Email').fill(shopper.email)
      for (const [password, advice] of Object.entries({
        password: /^Weak\./,
        'three warm dosas': /^Strong\.$/
      })) {
        await login.field('Password').fill(password)
        await expect(login.field('Password')).toHaveAccessibleDescription(advice)
      }
      await login.button('Register').click()
      const message = 'You already have an account. Log in, or get a code by email.'
      await expect(toast(page, 'Signup failed')).toContainText(message)
      await expect(login.panel).toContainText(`Registration failed${message}`)
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
      expect((await storedSession(page)).user).toMatchObject({
        name: 'Anita Kumar',
        email,
        role: 'user'
      })
    })
  })
})

test.describe('Protected pages', () => {
  test.use(desktop)

  test('the admin area asks visitors to log in and sends shoppers to the home page', async ({
    page,
    accounts,
    shopper,
    allowedErrors
  }) => {
    // A browser whose stored user claims to be an owner asks for admin data before the server has
    // denied it.
    allowedErrors.push(/403 \(Forbidden\)/)
    const meena = await accounts.add({ name: 'Meena', staff: 'owner' })
    await page.goto(paths.admin)
    await expect(page).toHaveURL(`${paths.login}?return=%2Fadmin`)
    await new LoginPage(page).logIn(meena)
    await expect(page).toHaveURL(paths.admin)
    await expect(page.getByRole('main')).toContainText('Vanakkam, Meena!')
    await accounts.logIn(page, shopper)
    await page.evaluate(() => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
      localStorage.setItem(
        'user',
        JSON.stringify({ ...user, name: 'Somebody Else', staff: 'owner' })
      )
    })
    await page.goto(paths.admin)
    await expect(page, 'the role comes from the server').toHaveURL(paths.home)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
  })
})
