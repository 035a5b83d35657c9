// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answers, PRIYA, refusal } from '../support/session.ts'
import { accusation, field, openLogin, panel, press, session, type, type Visit } from './login-page.tsx'

afterEach(cleanup)

describe('the tabs', () => {
  test('are Login and Register, changed by pressing and by the arrow keys', async () => {
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

  test('share the e-mail, and are remembered with it and the name, but never with a password', async () => {
    await openLogin()
    type('Email', 'priya@example.test')
    type('Password', 'top-secret')
    fireEvent.click(screen.getByRole('tab', { name: 'Register' }))
    expect(field('Email').value).toBe('priya@example.test')
    type('Name', 'Priya')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('top-secret')
    cleanup()
    await openLogin()
    expect(field('Name').value).toBe('Priya')
    expect(field('Email').value).toBe('priya@example.test')
    expect(field('Password').value).toBe('')
  })
})

describe('login by password', () => {
  test("with nothing typed says 'Please fill in all fields', once, and sends nothing", async () => {
    const page = await openLogin()
    await press('Login')
    expect(screen.getAllByText('Please fill in all fields')).toHaveLength(1)
    expect(accusation('Email')).toBe('Please fill in all fields')
    expect(accusation('Password')).toBe('Please fill in all fields')
    expect(document.activeElement).toBe(field('Email'))
    expect(page.calls).toEqual([])
  })

  test('accuses nobody while typing, and takes an accusation back the moment it is untrue', async () => {
    await openLogin()
    type('Email', 'pri')
    fireEvent.blur(field('Email'))
    expect(accusation('Email')).toBeNull()
    await press('Login')
    expect(accusation('Email')).toBe('Please enter a valid email address')
    expect(accusation('Password')).toBe('Please fill in all fields')
    type('Email', 'pri@example.test')
    expect(accusation('Email')).toBeNull()
    expect(accusation('Password')).toBe('Please fill in all fields')
  })

  test('trims when a field is left, not while it is typed in', async () => {
    await openLogin()
    fireEvent.click(screen.getByRole('tab', { name: 'Register' }))
    type('Name', ' Priya ')
    expect(field('Name').value).toBe(' Priya ')
    fireEvent.blur(field('Name'))
    expect(field('Name').value).toBe('Priya')
  })

  test('sends what was typed, trimmed, and leads back to where the shopper came from', async () => {
    const send = vi.fn(answers({ 'POST /auth/login': session }))
    const page = await openLogin({ send, at: '/login?return=%2Fcart%23pay' })
    type('Email', ' priya@example.test ')
    type('Password', ' kesari-47 ')
    await press('Login')
    expect(JSON.parse(String(send.mock.lastCall?.[1].body))).toEqual({
      email: 'priya@example.test',
      password: 'kesari-47'
    })
    expect(page.went()).toEqual(['/cart#pay'])
    expect(page.said()).toEqual([['Login successful', 'Welcome back!']])
  })

  test("that is refused says 'Login failed' with the shop's words, keeps what was typed, and can be tried again", async () => {
    const body = { code: 'INVALID_CREDENTIALS', message: 'Invalid credentials' }
    const page = await openLogin({ send: answers({ 'POST /auth/login': refusal(400, body) }) })
    type('Email', 'priya@example.test')
    type('Password', 'guessed')
    await press('Login')
    expect(page.said()).toEqual([['Login failed', 'Invalid credentials']])
    expect(panel().getByText('Login failed')).toBeTruthy()
    expect(panel().getByText('Invalid credentials')).toBeTruthy()
    expect(field('Password').value).toBe('guessed')
    expect(page.went()).toEqual([])
  })

  test("at a shop without words says 'Please try again'", async () => {
    await openLogin({ send: answers({ 'POST /auth/login': refusal(400) }) })
    type('Email', 'priya@example.test')
    type('Password', 'guessed')
    await press('Login')
    expect(panel().getByText('Please try again')).toBeTruthy()
  })

  test('can show the password', async () => {
    await openLogin()
    expect(field('Password').type).toBe('password')
    await press('Show password')
    expect(field('Password').type).toBe('text')
    await press('Hide password')
    expect(field('Password').type).toBe('password')
  })

  test('is sent once, however often the button is pressed', async () => {
    const page = await openLogin({ send: () => new Promise<Response>(() => undefined) })
    type('Email', 'priya@example.test')
    type('Password', 'kesari-47')
    await press('Login')
    await press('Logging in…')
    expect(page.calls).toEqual(['POST /auth/login'])
  })
})

describe('registering', () => {
  async function openRegister(visit?: Visit) {
    const page = await openLogin(visit)
    fireEvent.click(screen.getByRole('tab', { name: 'Register' }))
    return page
  }

  test("needs name, e-mail and password: 'Please fill in all fields'", async () => {
    const page = await openRegister()
    await press('Register')
    for (const label of ['Name', 'Email', 'Password']) expect(accusation(label)).toBe('Please fill in all fields')
    expect(page.calls).toEqual([])
  })

  test("needs six characters: 'Password must be at least 6 characters long'", async () => {
    const page = await openRegister()
    type('Name', 'Priya Raman')
    type('Email', 'priya@example.test')
    type('Password', ' five5 ')
    await press('Register')
    expect(accusation('Password')).toBe('Password must be at least 6 characters long')
    expect(page.calls).toEqual([])
  })

  test('advises on a weak password and takes it all the same', async () => {
    const page = await openRegister({ send: answers({ 'POST /auth/register': session }) })
    type('Name', 'Priya Raman')
    type('Email', 'priya@example.test')
    type('Password', 'password')
    await vi.waitFor(() => expect(panel().getByText('Weak.')).toBeTruthy())
    await press('Register')
    expect(page.said()).toEqual([['Signup successful', 'Welcome to our platform!']])
    expect(page.went()).toEqual(['/'])
  })

  test("that is refused says 'Registration failed' with the shop's words", async () => {
    const message = 'This email already has an account.'
    const send = answers({ 'POST /auth/register': refusal(409, { code: 'EMAIL_TAKEN', message }) })
    const page = await openRegister({ send })
    type('Name', 'Priya Raman')
    type('Email', 'priya@example.test')
    type('Password', 'kesari-47')
    await press('Register')
    expect(page.said()).toEqual([['Signup failed', message]])
    expect(panel().getByText('Registration failed')).toBeTruthy()
    expect(panel().getByText(message)).toBeTruthy()
  })
})

describe('somebody who is logged in', () => {
  test('is led on', async () => {
    const page = await openLogin({
      send: answers({ 'GET /auth/me': () => Response.json(PRIYA) }),
      at: '/login?return=%2Forders',
      token: 't'
    })
    expect(page.went()).toEqual(['/orders'])
    expect(page.said()).toEqual([])
  })

  test('whose session has ended finds the form', async () => {
    const page = await openLogin({ send: answers({ 'GET /auth/me': refusal(401) }), token: 't' })
    expect(panel().getByRole('button', { name: 'Login' })).toBeTruthy()
    expect(page.went()).toEqual([])
  })
})
