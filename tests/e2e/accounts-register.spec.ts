import { paths } from '#lib/paths.ts'
import { newEmail } from '../support/browser-accounts.ts'
import { desktop } from '../support/browser.ts'
import { forbidRequests } from '../support/browser-calls.ts'
import { INPUT_METHODS } from '../support/browser-input.ts'
import { expect, storedSession, test, toast, userMenu } from '../support/browser-login.ts'

const AUTH_CALLS = '**/api/auth/*'
const CLIENT_ERROR = /status of 4\d\d/

test.use({ ...desktop, contextOptions: { reducedMotion: 'reduce' } })

for (const [name, input] of Object.entries(INPUT_METHODS)) {
  test(`Registration: creates an account and logs in (${name})`, async ({ page, login }) => {
    const email = newEmail()
    await login.open()
    await input.selectTab(login.tab('Register'))
    await input.fill(login.field('Name'), ' Anita Kumar ')
    await input.fill(login.field('Email'), ` ${email.toUpperCase()} `)
    await input.fill(login.field('Password'), 'three warm dosas')
    await input.click(login.button('Register'))
    await expect(toast(page, 'Signup successful')).toContainText('Welcome to our platform!')
    await expect(page).toHaveURL(paths.home)
    await expect(userMenu(page)).toHaveText(/Anita Kumar/)
    const { token, user } = await storedSession(page)
    expect(token).toMatch(/^\S{20,}$/)
    expect(user).toMatchObject({ name: 'Anita Kumar', email, role: 'user' })
  })
}

test.describe('Registration form', () => {
  test('shows errors at the fields and sends nothing if the input is invalid', async ({ page, login }) => {
    await forbidRequests(page, AUTH_CALLS)
    await login.open()
    await login.tab('Register').click()
    await login.button('Register').click()
    await expect(login.panel.getByText('Please fill in all fields')).toHaveCount(1)
    await expect(login.field('Name')).toBeFocused()
    await login.field('Name').fill('Anita')
    await login.field('Email').fill('anita.example.test')
    await login.field('Password').fill('12345')
    await login.button('Register').click()
    await expect(login.field('Email')).toHaveAccessibleDescription('Please enter a valid email address')
    await expect(login.field('Password')).toHaveAccessibleDescription('Password must be at least 6 characters long')
    await expect(login.field('Email')).toBeFocused()
    await login.field('Email').fill('anita@example.test')
    await login.field('Password').fill('123456')
    await expect(login.panel.getByText(/Please enter a valid|must be at least/)).toHaveCount(0)
  })

  test('shows no errors before the form is submitted', async ({ page, login }) => {
    await login.open()
    await login.tab('Register').click()
    await login.field('Email').fill('ani')
    await login.field('Password').fill('12')
    await page.keyboard.press('Tab')
    await expect(login.panel.locator('[aria-invalid=true]')).toHaveCount(0)
  })

  for (const [password, advice] of Object.entries({
    password: /^Weak\. This password is easy to guess/,
    '24681357': /^Weak\./,
    qwertyuiop: /^Weak\./,
    kolam9: /^Weak\. A longer password is safer/,
    'three warm dosas': /^Strong\.$/
  })) {
    test(`shows how strong the password ‘${password}’ is`, async ({ login }) => {
      await login.open()
      await login.tab('Register').click()
      await expect(login.panel.getByText('At least 6 characters.')).toBeVisible()
      await login.field('Password').pressSequentially(password)
      const rating = login.panel.locator('[aria-live=polite]').filter({ visible: true })
      await expect.poll(async () => (await rating.innerText()).trim()).toMatch(advice)
      await expect(login.field('Password')).toHaveAccessibleDescription(advice)
    })
  }

  test('shows a message if the email is already registered, and keeps the input', async ({
    page,
    login,
    shopper,
    allowedErrors
  }) => {
    allowedErrors.push(CLIENT_ERROR)
    await login.open()
    await login.tab('Register').click()
    await login.field('Name').fill('Anita')
    await login.field('Email').fill(shopper.email)
    await login.field('Password').fill('three warm dosas')
    await login.button('Register').click()
    const message = 'You already have an account. Log in, or get a code by e-mail.'
    await expect(toast(page, 'Signup failed')).toContainText(message)
    await expect(login.panel).toContainText(`Registration failed${message}`)
    await login.tab('Login').click()
    await expect(login.field('Email')).toHaveValue(shopper.email)
  })
})
