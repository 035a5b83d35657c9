import { describe, expect, test, vi } from 'vitest'
import { call, register } from '../support/accounts.ts'
import { answers, openBrowser, openPage, otherTabWrites, PRIYA, refusal, stored } from '../support/session.ts'
import { answersOf, openShop } from '../support/shop.ts'

const USER = JSON.stringify(PRIYA)
const me = () => Response.json({ ...PRIYA, name: 'Priya R.' })

describe('the session at the start of a page', () => {
  test('is a visitor’s when nothing is stored, and nobody is asked', async () => {
    const page = await openPage({ send: answers({}) })
    await page.startSession()
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect(page.calls).toEqual([])
  })

  test('is loading until the shop has said that the stored token holds, and keeps what it says of the user', async () => {
    const page = await openPage({ send: answers({ 'GET /auth/me': me }), token: 't', user: USER })
    expect(page.state()).toEqual({ state: 'loading' })
    await Promise.all([page.startSession(), page.startSession()])
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya R.' } })
    expect(stored()).toMatchObject({ token: 't', user: { _id: 'u-1', name: 'Priya R.', phoneNumber: '9876543210' } })
    expect(page.calls).toEqual(['GET /auth/me'])
    expect(page.bearers).toEqual(['Bearer t'])
  })

  test('that has ended goes without a word', async () => {
    const page = await openPage({ send: answers({ 'GET /auth/me': refusal(401) }), token: 't', user: USER })
    await page.startSession()
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect(stored()).toEqual({ token: null, user: null })
    expect(page.said()).toEqual([])
    expect(page.went()).toEqual([])
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['a shop in trouble', refusal(503)],
    ['a captive portal', () => new Response('<html>Welcome to the station</html>')],
    ['an account that has no profile yet', refusal(404)]
  ] as const)('stays with %s', async ([, reply]) => {
    const page = await openPage({ send: answers({ 'GET /auth/me': reply }), token: 't', user: USER })
    await page.startSession()
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya Raman' } })
    expect(stored().token).toBe('t')
    expect(page.said()).toEqual([])
  })

  test.for(['{"_id":', 'null', '7', '{}', '{"_id":1,"email":null,"name":[]}'])(
    'is mended when the stored user is damaged: %s',
    async user => {
      const page = await openPage({ send: answers({ 'GET /auth/me': me }), token: 't', user })
      expect(page.state()).toEqual({ state: 'loading' })
      await page.startSession()
      expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya R.' } })
    }
  )

  test.for(['', 'a\nb', 'schlüssel', 'two words'])(
    'is nobody’s with the token %j, which is never sent',
    async token => {
      const page = await openPage({ send: answers({ 'GET /auth/me': me }), token, user: USER })
      await page.startSession()
      expect(page.state()).toEqual({ state: 'anonymous' })
      expect(page.calls).toEqual([])
      expect(stored()).toEqual({ token: null, user: null })
    }
  )

  test('never makes an administrator of a role that is none', async () => {
    const user = JSON.stringify({ ...PRIYA, role: 'owner' })
    const page = await openPage({ send: answers({}), token: 't', user })
    await page.startSession()
    expect(page.state()).toMatchObject({ user: { role: 'user' } })
  })
})

describe('logging out', () => {
  test('ends the session at the shop and leaves nothing of it in the browser', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await register(shop)
    openBrowser()
    localStorage.setItem('cart', '[]')
    const page = await openPage({ send: answersOf(shop), token, user: JSON.stringify(user) })
    sessionStorage.setItem('profile', '{"userId":"u"}')
    await page.startSession()
    await page.logOut()
    expect(page.said()).toEqual([['Logged out', 'You have been successfully logged out.']])
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect({ ...localStorage }).toEqual({})
    expect({ ...sessionStorage }).toEqual({})
    expect(await call(shop, 'GET /auth/me', { token })).toMatchObject({ status: 401 })
  })

  test('does not wait for a shop that does not answer', async () => {
    const page = await openPage({ send: () => new Promise<Response>(() => undefined), token: 't', user: USER })
    void page.logOut()
    expect(stored()).toEqual({ token: null, user: null })
    expect(page.bearers).toEqual(['Bearer t'])
  })
})

describe('a call that carried a token and is answered by 401', () => {
  const EXPIRED = ['Session expired', 'Please login again to continue']
  const ended = { 'GET /auth/me': me, 'GET /auth/my-data': refusal(401), 'POST /auth/login': refusal(401) }

  async function visitWith(token: string | undefined, at: string) {
    const page = await openPage({ send: answers(ended), at, ...(token !== undefined && { token, user: USER }) })
    await page.startSession()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return page
  }

  test("clears the session, says 'Session expired' once, and goes to login after 1.5 s, with the way back", async () => {
    const page = await visitWith('t', '/my-profile?x=1#data')
    await Promise.allSettled([page.readMyData(), page.readMyData()])
    expect(stored()).toEqual({ token: null, user: null })
    expect(page.said()).toEqual([EXPIRED])
    vi.advanceTimersByTime(1499)
    expect(page.went()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(page.went()).toEqual(['/login?return=%2Fmy-profile%3Fx%3D1%23data'])
    vi.useRealTimers()
  })

  test('says nothing on the login page and stays there', async () => {
    const page = await visitWith('t', '/login')
    await page.readMyData().catch(() => undefined)
    vi.advanceTimersByTime(5000)
    expect(stored().token).toBeNull()
    expect(page.said()).toEqual([])
    expect(page.went()).toEqual([])
    vi.useRealTimers()
  })

  test('is nothing but a refusal when no token was sent', async () => {
    const page = await visitWith(undefined, '/cart')
    await page.logIn({ email: 'a@b.co', password: 'wrong-one' }).catch(() => undefined)
    vi.advanceTimersByTime(5000)
    expect(page.said()).toEqual([['Login failed', 'Invalid credentials']])
    expect(page.went()).toEqual([])
    vi.useRealTimers()
  })

  test('says nothing about a session that was opened meanwhile', async () => {
    const page = await visitWith('t', '/cart')
    const late = page.readMyData().catch(() => undefined)
    page.setSession({ token: 'new', user: PRIYA })
    await late
    expect(stored().token).toBe('new')
    expect(page.said()).toEqual([])
    vi.useRealTimers()
  })

  test('leads nowhere when another tab has logged in before it does', async () => {
    const page = await visitWith('t', '/cart')
    await page.readMyData().catch(() => undefined)
    otherTabWrites('user', USER)
    otherTabWrites('token', 'new')
    vi.advanceTimersByTime(2000)
    expect(page.went()).toEqual([])
    vi.useRealTimers()
  })
})

describe('several tabs', () => {
  test('log in and out together', async () => {
    const page = await openPage({ send: answers({}) })
    await page.startSession()
    otherTabWrites('user', USER)
    expect(page.state()).toEqual({ state: 'anonymous' })
    otherTabWrites('token', 't')
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya Raman' } })
    otherTabWrites('token', null)
    expect(page.state()).toEqual({ state: 'anonymous' })
  })
})

test('what a page says last is said again by the next one, once', async () => {
  const page = await openPage({ send: answersOf(await openShop('sqlite')) })
  await page.register({ email: 'a@b.co', password: 'kesari-47', displayName: 'A' })
  const next = await openPage({ send: answers({}) })
  await next.startSession()
  expect(next.said()).toEqual([['Signup successful', 'Welcome to our platform!']])
  const third = await openPage({ send: answers({}) })
  await third.startSession()
  expect(third.said()).toEqual([])
})
