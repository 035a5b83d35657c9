import { describe, expect, test, vi } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { ANITA, requestCode, register } from '../support/accounts.ts'
import {
  respondWith,
  openPage,
  PRIYA,
  errorReply,
  storedSession,
  type Send
} from '../support/session.ts'
import { browserFetch, openShop } from '../support/shop.ts'

const CODE_SENT = { message: 'Check your email.', sent: true, resendAfter: 60, expiresIn: 600 }

test.for([
  ['an error without a message', errorReply(400), 'Invalid credentials'],
  ['a captive portal', () => new Response('<html>'), 'Invalid credentials'],
  ['only a message', errorReply(403, { message: 'Account is blocked' }), 'Account is blocked'],
  [
    'no network',
    () => Promise.reject(new TypeError('fetch failed')),
    'We cannot reach the shop. Check your connection and try again.'
  ]
] as const)(
  'Login with password shows a suitable text after %s and ends the session',
  async ([, reply, text]) => {
    const page = await openPage({
      send: respondWith({ 'POST /auth/login': reply }),
      token: 'old',
      user: JSON.stringify(PRIYA)
    })
    await expect(page.logIn({ email: 'a@b.co', password: 'kesari-47' })).rejects.toThrow()
    expect(page.toastTexts()).toEqual([['Login failed', text]])
    expect(storedSession()).toEqual({ token: null, user: null })
  }
)

test("a failed registration shows 'Failed to create account' if the API gives no reason", async () => {
  const page = await openPage({ send: respondWith({ 'POST /auth/register': errorReply(400) }) })
  await expect(page.register(ANITA)).rejects.toThrow()
  expect(page.toastTexts()).toEqual([['Signup failed', 'Failed to create account']])
})

describe('Login with a one-time code', () => {
  test('creates an account the first time, and welcomes back the second time', async () => {
    const shop = await openShop('sqlite')
    const page = await openPage({ send: browserFetch(shop) })
    const email = 'new@example.com'
    await page.logInWithCode({ email, otp: await requestCode(shop, email) })
    expect(storedSession().user).toMatchObject({ name: 'new', email })
    expect(page.toastTexts()).toEqual([['Login successful', 'You are logged in.']])
    shop.clock.advance(MINUTE)
    await page.logInWithCode({ email, otp: await requestCode(shop, email) })
    expect(page.toastTexts()).toEqual([['Login successful', 'Welcome back!']])
  })

  test('does not request a code again before the waiting time is over', async () => {
    const page = await openPage({ send: respondWith({ 'POST /auth/send-otp': CODE_SENT }) })
    await page.sendCode('a@b.co')
    page.showPasswordForm()
    expect(page.$loginCode.get()).toMatchObject({ entering: false })
    await page.sendCode('a@b.co')
    expect(page.$loginCode.get()).toMatchObject({ email: 'a@b.co', entering: true })
    expect(page.calls).toEqual(['POST /auth/send-otp'])
  })

  test('is still possible after a reload until the code expires', async () => {
    const send = respondWith({ 'POST /auth/send-otp': CODE_SENT })
    const page = await openPage({ send })
    await page.sendCode('a@b.co')
    const reloadedPage = await openPage({ send })
    reloadedPage.restoreLoginCode()
    expect(reloadedPage.$loginCode.get()).toEqual(page.$loginCode.get())
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    const pageAfterExpiry = await openPage({ send })
    pageAfterExpiry.restoreLoginCode()
    expect(pageAfterExpiry.$loginCode.get()).toBeUndefined()
    vi.useRealTimers()
  })
})

test('The token of a known browser stays after the logout and is sent with the next login and its codes, but ends with "log out everywhere" and the account', async () => {
  const shop = await openShop('sqlite')
  await register(shop)
  const sent: (readonly [string, string | null])[] = []
  const send: Send = (url, init) => {
    sent.push([url.replace('/api', ''), new Headers(init.headers).get('device-token')])
    return browserFetch(shop)(url, init)
  }
  const page = await openPage({ send })
  const storedToken = (): unknown => JSON.parse(localStorage.getItem('device') ?? 'null')
  await page.logIn(ANITA)
  const first = storedToken()
  await page.logOut()
  expect(storedToken()).toBe(first)
  await page.logIn(ANITA)
  const second = storedToken()
  await page.sendCode(ANITA.email)
  await page.logInWithCode({ email: ANITA.email, otp: '000000' }).catch(() => undefined)
  expect(second).not.toBe(first)
  expect(sent).toEqual([
    ['/auth/login', null],
    ['/auth/logout', null],
    ['/auth/login', first],
    ['/auth/send-otp', second],
    ['/auth/verify-otp', second]
  ])
  await page.logIn(ANITA)
  await page.logOutEverywhere()
  expect(storedToken()).toBeNull()
  await page.logIn(ANITA)
  await page.deleteAccount({ password: ANITA.password })
  expect(storedToken()).toBeNull()
})
