import { describe, expect, test, vi } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { call, requestCode, register } from '../support/accounts.ts'
import {
  respondWith,
  openBrowser,
  openPage,
  PRIYA,
  errorReply,
  storedSession,
  type Send
} from '../support/session.ts'
import { browserFetch, openShop } from '../support/shop.ts'

const USER = JSON.stringify(PRIYA)

describe('Login with password', () => {
  test("starts the session and shows 'Login successful'", async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const page = await openPage({ send: browserFetch(shop) })
    await page.checkSession()
    await page.logIn({ email: 'anita@example.com', password: 'kesari-47' })
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Anita Kumar' } })
    expect(page.toastTexts()).toEqual([['Login successful', 'Welcome back!']])
    const { token } = storedSession()
    expect(await call(shop, 'GET /auth/me', { token: token ?? '' })).toMatchObject({ status: 200 })
  })

  test("on failure clears the session, shows 'Login failed' with the reason, and throws", async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: browserFetch(shop), token: 'old', user: USER })
    await expect(
      page.logIn({ email: 'anita@example.com', password: 'guessed' })
    ).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS'
    })
    expect(storedSession()).toEqual({ token: null, user: null })
    expect(page.toastTexts()).toEqual([['Login failed', 'Invalid credentials']])
  })

  test.for([
    ['an error without a message', errorReply(400), 'Invalid credentials'],
    ['a server error without a message', errorReply(500), 'Invalid credentials'],
    [
      'an error with a message',
      errorReply(429, { code: 'TOO_MANY_REQUESTS', message: 'Wait 2 minutes.' }),
      'Wait 2 minutes.'
    ],
    ['only a message', errorReply(401, { message: 'Account is blocked' }), 'Account is blocked'],
    ['a server error with a message', errorReply(500, { message: 'Back at six.' }), 'Back at six.'],
    ['a captive portal', () => new Response('<html>'), 'Invalid credentials'],
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      'We cannot reach the shop. Check your connection and try again.'
    ]
  ] as const)('shows a suitable text after %s', async ([, reply, text]) => {
    const page = await openPage({ send: respondWith({ 'POST /auth/login': reply }) })
    await expect(page.logIn({ email: 'a@b.co', password: 'kesari-47' })).rejects.toThrow()
    expect(page.toastTexts()).toEqual([['Login failed', text]])
  })
})

describe('Registration', () => {
  const ANITA = { email: 'anita@example.com', password: 'kesari-47', displayName: 'Anita Kumar' }

  test("starts the session and shows 'Signup successful'", async () => {
    const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
    await page.register(ANITA)
    expect(storedSession().user).toMatchObject({ name: 'Anita Kumar', role: 'user' })
    expect(page.toastTexts()).toEqual([['Signup successful', 'Welcome to our platform!']])
  })

  test("on failure shows 'Signup failed' with the API’s reason, by default 'Failed to create account'", async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const page = await openPage({ send: browserFetch(shop) })
    await expect(page.register(ANITA)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
    expect(page.toastTexts()[0]).toEqual([
      'Signup failed',
      expect.stringContaining('already have an account')
    ])
    const failing = await openPage({
      send: respondWith({ 'POST /auth/register': errorReply(400) })
    })
    await expect(failing.register(ANITA)).rejects.toThrow()
    expect(failing.toastTexts()).toEqual([['Signup failed', 'Failed to create account']])
    const closed = { 'POST /auth/register': errorReply(403, { message: 'Signups are closed' }) }
    const refusing = await openPage({ send: respondWith(closed) })
    await expect(refusing.register(ANITA)).rejects.toThrow()
    expect(refusing.toastTexts()).toEqual([['Signup failed', 'Signups are closed']])
  })
})

describe('Login with a one-time code', () => {
  test('succeeds with the mailed code', async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: browserFetch(shop) })
    const otp = await requestCode(shop, 'new@example.com')
    await page.logInWithCode({ email: 'new@example.com', otp })
    expect(storedSession().user).toMatchObject({ name: 'new', email: 'new@example.com' })
    expect(page.toastTexts()).toEqual([['Login successful', 'You are logged in.']])
    shop.clock.advance(MINUTE)
    await page.logInWithCode({
      email: 'new@example.com',
      otp: await requestCode(shop, 'new@example.com')
    })
    expect(page.toastTexts()).toEqual([['Login successful', 'Welcome back!']])
  })

  test("with a wrong code shows 'Invalid OTP' with the API’s reason, by default 'Try again'", async () => {
    const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
    await expect(page.logInWithCode({ email: 'a@b.co', otp: '000000' })).rejects.toThrow()
    expect(page.toastTexts()[0]).toEqual(['Invalid OTP', expect.stringMatching(/code/)])
    const failing = await openPage({
      send: respondWith({ 'POST /auth/verify-otp': errorReply(400) })
    })
    await expect(failing.logInWithCode({ email: 'a@b.co', otp: '000000' })).rejects.toThrow()
    expect(failing.toastTexts()).toEqual([['Invalid OTP', 'Try again']])
  })

  test("shows the message of a reply without a code, at 'Failed to send OTP' and 'Invalid OTP'", async () => {
    const reply = errorReply(503, { message: 'Mail is down' })
    const page = await openPage({
      send: respondWith({ 'POST /auth/send-otp': reply, 'POST /auth/verify-otp': reply })
    })
    await expect(page.sendCode('a@b.co')).rejects.toThrow()
    expect(page.toastTexts()).toEqual([['Failed to send OTP', 'Mail is down']])
    await expect(page.logInWithCode({ email: 'a@b.co', otp: '000000' })).rejects.toThrow()
    expect(page.toastTexts()).toEqual([['Invalid OTP', 'Mail is down']])
  })

  test("shows 'Failed to send OTP' with 'Try again' if the code can’t be sent", async () => {
    const failing = await openPage({
      send: respondWith({ 'POST /auth/send-otp': errorReply(400) })
    })
    await expect(failing.sendCode('a@b.co')).rejects.toThrow()
    expect(failing.toastTexts()).toEqual([['Failed to send OTP', 'Try again']])
    expect(failing.$loginCode.get()).toBeUndefined()
  })

  test("removes 'Login failed' when a code is requested", async () => {
    const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
    await expect(page.logIn({ email: 'a@b.co', password: 'guessed' })).rejects.toThrow()
    await page.sendCode('a@b.co')
    expect(page.toastTexts()).toEqual([])
  })

  test('does not request a code again before the waiting time is over', async () => {
    const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
    await page.sendCode('a@b.co')
    page.showPasswordForm()
    expect(page.$loginCode.get()).toMatchObject({ entering: false })
    await page.sendCode('a@b.co')
    expect(page.$loginCode.get()).toMatchObject({ email: 'a@b.co', entering: true })
    expect(page.calls).toEqual(['POST /auth/send-otp'])
  })

  test('is still possible after a reload until the code expires', async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: browserFetch(shop) })
    await page.sendCode('a@b.co')
    const reloadedPage = await openPage({ send: browserFetch(shop) })
    reloadedPage.restoreLoginCode()
    expect(reloadedPage.$loginCode.get()).toEqual(page.$loginCode.get())
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    const pageAfterExpiry = await openPage({ send: browserFetch(shop) })
    pageAfterExpiry.restoreLoginCode()
    expect(pageAfterExpiry.$loginCode.get()).toBeUndefined()
    vi.useRealTimers()
  })

  test.for(['{"email":', '[]', '7', '{"email":7,"expiresAt":9e15}'])(
    'ignores a damaged stored code: %s',
    async stored => {
      openBrowser()
      sessionStorage.setItem('sent-code', stored)
      const page = await openPage({ send: respondWith({}) })
      page.restoreLoginCode()
      expect(page.$loginCode.get()).toBeUndefined()
    }
  )
})

describe('Token of a known browser', () => {
  test('comes with a login, stays after the logout and is sent with the next login and its codes', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const sent: (readonly [string, string | null])[] = []
    const send: Send = (url, init) => {
      sent.push([url.replace('/api', ''), new Headers(init.headers).get('device-token')])
      return browserFetch(shop)(url, init)
    }
    const page = await openPage({ send })
    const login = { email: 'anita@example.com', password: 'kesari-47' }
    await page.logIn(login)
    const first: unknown = JSON.parse(localStorage.getItem('device') ?? '')
    await page.logOut()
    expect(JSON.parse(localStorage.getItem('device') ?? '')).toBe(first)
    await page.logIn(login)
    const second: unknown = JSON.parse(localStorage.getItem('device') ?? '')
    await page.sendCode('anita@example.com')
    await page.logInWithCode({ email: 'anita@example.com', otp: '000000' }).catch(() => undefined)
    expect(second).not.toBe(first)
    expect(sent).toEqual([
      ['/auth/login', null],
      ['/auth/logout', null],
      ['/auth/login', first],
      ['/auth/send-otp', second],
      ['/auth/verify-otp', second]
    ])
  })

  test.for(['{"token":', '7', '"line\\nbreak"', '"schlüssel"'])(
    'is ignored if it is damaged: %s',
    async stored => {
      const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
      localStorage.setItem('device', stored)
      await page.sendCode('a@b.co')
      expect(page.$loginCode.get()).toMatchObject({ email: 'a@b.co' })
    }
  )

  test('is removed with the account and by "log out everywhere"', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const page = await openPage({ send: browserFetch(shop) })
    const login = { email: 'anita@example.com', password: 'kesari-47' }
    await page.logIn(login)
    await page.logOutEverywhere()
    expect(localStorage.getItem('device')).toBeNull()
    await page.logIn(login)
    await page.deleteAccount({ password: login.password })
    expect(localStorage.getItem('device')).toBeNull()
  })
})
