import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { expectNotShown } from '../support/page-input.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { respondWith, errorReply, storedSession } from '../support/session.ts'
import {
  errorText,
  field,
  openLogin,
  panel,
  press,
  sessionReply,
  type,
  type PageOptions
} from './login-page.tsx'

afterEach(cleanup)

async function logIn(password: string, email = 'priya@example.test') {
  type('Email', email)
  type('Password', password)
  await press('Login')
}

async function register(password: string) {
  type('Name', 'Priya Raman')
  type('Email', 'priya@example.test')
  type('Password', password)
  await press('Register')
}

test('The tabs of the login page switch by click and arrow keys', async () => {
  await openLogin()
  const [login, register] = screen.getAllByRole('tab')
  expect([login?.textContent, register?.textContent]).toEqual(['Login', 'Register'])
  expect(login?.getAttribute('aria-selected')).toBe('true')
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowRight' })
  expect(register?.getAttribute('aria-selected')).toBe('true')
  expect(document.activeElement).toBe(register)
  expect(panel().getByRole('button', { name: 'Register' })).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowRight' })
  expect(document.activeElement).toBe(login)
})

describe('Login page: password', () => {
  test("shows 'Please fill in all fields' once for an empty form and does not call the API", async () => {
    const page = await openLogin()
    await press('Login')
    expect(screen.getAllByText('Please fill in all fields')).toHaveLength(1)
    expect(errorText('Email')).toBe('Please fill in all fields')
    expect(errorText('Password')).toBe('Please fill in all fields')
    expect(document.activeElement).toBe(field('Email'))
    expect(page.calls).toEqual([])
    await expectAccessible('empty fields')
  })

  test('sends trimmed values and redirects to the return path', async () => {
    const send = vi.fn(respondWith({ 'POST /auth/login': sessionReply }))
    const page = await openLogin({ send, path: '/login?return=%2Fcart%23pay' })
    await logIn(' kesari-47 ', ' priya@example.test ')
    expect(JSON.parse(String(send.mock.lastCall?.[1].body))).toEqual({
      email: 'priya@example.test',
      password: 'kesari-47'
    })
    expect(page.redirects()).toEqual(['/cart#pay'])
    expect(storedSession().token).toBe('new')
    expect(page.toastTexts()).toEqual([['Login successful', 'Welcome back!']])
  })

  test.for([
    ['Invalid credentials', { code: 'INVALID_CREDENTIALS', message: 'Invalid credentials' }],
    ['Please try again', {}]
  ] as const)("shows 'Login failed' with '%s' and keeps the input", async ([reason, body]) => {
    const page = await openLogin({
      send: respondWith({ 'POST /auth/login': errorReply(400, body) })
    })
    await logIn('guessed')
    expect(page.toastTexts()).toEqual([['Login failed', 'Invalid credentials']])
    expect(panel().getByText('Login failed')).toBeTruthy()
    expect(panel().getByText(reason)).toBeTruthy()
    expect(field('Password').value).toBe('guessed')
    expect(page.redirects()).toEqual([])
    await expectAccessible('wrong password')
  })

  test('offers a correction for a mistyped domain', async () => {
    await openLogin()
    const email = field('Email')
    type('Email', 'priya@gmial.com')
    fireEvent.blur(email)
    await press('Did you mean priya@gmail.com?')
    expect(email.value).toBe('priya@gmail.com')
    expectNotShown(/Did you mean/)
  })

  test('offers a code to people who have forgotten the password', async () => {
    const page = await openLogin({
      send: respondWith({
        'POST /auth/login': errorReply(400, { code: 'INVALID_CREDENTIALS', message: 'Wrong.' })
      })
    })
    await press('Forgot password?')
    expect(errorText('Email')).toBe('Please enter your email')
    await logIn('guessed')
    await press('Login with OTP instead')
    expect(page.calls).toEqual(['POST /auth/login', 'POST /auth/send-otp'])
  })

  test('sends one request if Login is pressed twice', async () => {
    const page = await openLogin({ send: () => new Promise<Response>(() => undefined) })
    await logIn('kesari-47')
    await press('Logging in…')
    expect(page.calls).toEqual(['POST /auth/login'])
  })
})

describe('Login page: registration', () => {
  async function openRegister(options?: PageOptions) {
    const page = await openLogin(options)
    fireEvent.click(screen.getByRole('tab', { name: 'Register' }))
    return page
  }

  test('shows what is missing or too short at its field, and does not call the API', async () => {
    const page = await openRegister()
    await press('Register')
    for (const label of ['Name', 'Email', 'Password'])
      expect(errorText(label)).toBe('Please fill in all fields')
    await register(' five5 ')
    expect(errorText('Password')).toBe('Password must be at least 6 characters long')
    expect(page.calls).toEqual([])
  })

  test('warns about a weak password but accepts it', async () => {
    const page = await openRegister({ send: respondWith({ 'POST /auth/register': sessionReply }) })
    type('Name', 'Priya Raman')
    type('Email', 'priya@example.test')
    type('Password', 'password')
    await vi.waitFor(() => expect(panel().getByText('Weak.')).toBeTruthy())
    await press('Register')
    expect(page.toastTexts()).toEqual([['Signup successful', 'Welcome to our platform!']])
    expect(page.redirects()).toEqual(['/'])
  })

  test("shows 'Registration failed' with the reason", async () => {
    const message = 'You already have an account.'
    const send = respondWith({
      'POST /auth/register': errorReply(409, { code: 'EMAIL_TAKEN', message })
    })
    const page = await openRegister({ send })
    await register('kesari-47')
    expect(page.toastTexts()).toEqual([['Signup failed', message]])
    expect(panel().getByText('Registration failed')).toBeTruthy()
    expect(panel().getByText(message)).toBeTruthy()
  })
})
