import { describe, expect, test, vi } from 'vitest'
import { call, mailedCode, register } from '../support/accounts.ts'
import { answers, openBrowser, openPage, PRIYA, refusal, stored } from '../support/session.ts'
import { answersOf, openShop } from '../support/shop.ts'

const USER = JSON.stringify(PRIYA)

describe('logging in by password', () => {
  test("sets the session and says 'Login successful'", async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const page = await openPage({ send: answersOf(shop) })
    await page.startSession()
    await page.logIn({ email: 'anita@example.com', password: 'kesari-47' })
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Anita Kumar' } })
    expect(page.said()).toEqual([['Login successful', 'Welcome back!']])
    const { token } = stored()
    expect(await call(shop, 'GET /auth/me', { token: token ?? '' })).toMatchObject({ status: 200 })
  })

  test("that fails clears the session, says 'Login failed' with the shop's words, and throws", async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: answersOf(shop), token: 'old', user: USER })
    await expect(page.logIn({ email: 'anita@example.com', password: 'guessed' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS'
    })
    expect(stored()).toEqual({ token: null, user: null })
    expect(page.said()).toEqual([['Login failed', 'Invalid credentials']])
  })

  test.for([
    ['a shop without words', refusal(400), 'Invalid credentials'],
    ['a shop in trouble', refusal(500), 'Something went wrong on our side. Please try again.'],
    ['a shop with words', refusal(429, { code: 'TOO_MANY_REQUESTS', message: 'Wait 2 minutes.' }), 'Wait 2 minutes.'],
    ['a captive portal', () => new Response('<html>'), 'Something went wrong on our side. Please try again.'],
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      'We cannot reach the shop. Check your connection and try again.'
    ]
  ] as const)('at %s says why', async ([, reply, text]) => {
    const page = await openPage({ send: answers({ 'POST /auth/login': reply }) })
    await expect(page.logIn({ email: 'a@b.co', password: 'kesari-47' })).rejects.toThrow()
    expect(page.said()).toEqual([['Login failed', text]])
  })
})

describe('registering', () => {
  const ANITA = { email: 'anita@example.com', password: 'kesari-47', displayName: 'Anita Kumar' }

  test("sets the session and says 'Signup successful'", async () => {
    const page = await openPage({ send: answersOf(await openShop('sqlite')) })
    await page.register(ANITA)
    expect(stored().user).toMatchObject({ name: 'Anita Kumar', role: 'user' })
    expect(page.said()).toEqual([['Signup successful', 'Welcome to our platform!']])
  })

  test("that fails says 'Signup failed' with the shop's words, else 'Failed to create account'", async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const page = await openPage({ send: answersOf(shop) })
    await expect(page.register(ANITA)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
    expect(page.said()[0]).toEqual(['Signup failed', expect.stringContaining('already has an account')])
    const mute = await openPage({ send: answers({ 'POST /auth/register': refusal(400) }) })
    await expect(mute.register(ANITA)).rejects.toThrow()
    expect(mute.said()).toEqual([['Signup failed', 'Failed to create account']])
  })
})

describe('a one-time code', () => {
  test('that was mailed logs in', async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: answersOf(shop) })
    const otp = await mailedCode(shop, 'new@example.com')
    await page.logInWithCode({ email: 'new@example.com', otp })
    expect(stored().user).toMatchObject({ name: 'new', email: 'new@example.com', hasPassword: false })
    expect(page.said()).toEqual([['Login successful', 'Welcome back!']])
  })

  test("that is wrong says 'Invalid OTP' with the shop's words, else 'Try again'", async () => {
    const page = await openPage({ send: answersOf(await openShop('sqlite')) })
    await expect(page.logInWithCode({ email: 'a@b.co', otp: '000000' })).rejects.toThrow()
    expect(page.said()[0]).toEqual(['Invalid OTP', expect.stringMatching(/code/)])
    const mute = await openPage({ send: answers({ 'POST /auth/verify-otp': refusal(400) }) })
    await expect(mute.logInWithCode({ email: 'a@b.co', otp: '000000' })).rejects.toThrow()
    expect(mute.said()).toEqual([['Invalid OTP', 'Try again']])
  })

  test("that can't be sent says 'Failed to send OTP' with the shop's words, else 'Try again'", async () => {
    const mute = await openPage({ send: answers({ 'POST /auth/send-otp': refusal(400) }) })
    await expect(mute.sendCode('a@b.co')).rejects.toThrow()
    expect(mute.said()).toEqual([['Failed to send OTP', 'Try again']])
    expect(mute.$sentCode.get()).toBeUndefined()
  })

  test('is not asked for again while the shop would refuse', async () => {
    const page = await openPage({ send: answersOf(await openShop('sqlite')) })
    await page.sendCode('a@b.co')
    page.leaveCode()
    expect(page.$sentCode.get()).toMatchObject({ entering: false })
    await page.sendCode('a@b.co')
    expect(page.$sentCode.get()).toMatchObject({ email: 'a@b.co', entering: true })
    expect(page.calls).toEqual(['POST /auth/send-otp'])
  })

  test('is remembered by the tab until it has ended', async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: answersOf(shop) })
    await page.sendCode('a@b.co')
    const next = await openPage({ send: answersOf(shop) })
    next.restoreSentCode()
    expect(next.$sentCode.get()).toEqual(page.$sentCode.get())
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    const later = await openPage({ send: answersOf(shop) })
    later.restoreSentCode()
    expect(later.$sentCode.get()).toBeUndefined()
    vi.useRealTimers()
  })

  test.for(['{"email":', '[]', '7', '{"email":7,"expiresAt":9e15}'])(
    'is forgotten when the note is damaged: %s',
    async note => {
      openBrowser()
      sessionStorage.setItem('sent-code', note)
      const page = await openPage({ send: answers({}) })
      page.restoreSentCode()
      expect(page.$sentCode.get()).toBeUndefined()
    }
  )
})
