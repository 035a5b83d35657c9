import { describe, expect, test, vi } from 'vitest'
import { call, register } from '../support/accounts.ts'
import {
  respondWith,
  openBrowser,
  openPage,
  writeFromOtherTab,
  PRIYA,
  errorReply,
  storedSession
} from '../support/session.ts'
import { browserFetch, openShop } from '../support/shop.ts'

const USER = JSON.stringify(PRIYA)
const me = () => Response.json({ ...PRIYA, name: 'Priya R.' })

describe('Session check at page load', () => {
  test('leaves the user anonymous and makes no call if no session is stored', async () => {
    const page = await openPage({ send: respondWith({}) })
    await page.checkSession()
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect(page.calls).toEqual([])
  })

  test('has the state loading until the API confirms the stored token, then stores the returned user', async () => {
    const page = await openPage({
      send: respondWith({ 'GET /auth/me': me }),
      token: 't',
      user: USER
    })
    expect(page.state()).toEqual({ state: 'loading' })
    await Promise.all([page.checkSession(), page.checkSession()])
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya R.' } })
    expect(storedSession().token).toBe('t')
    expect(storedSession().user).toMatchObject({ _id: 'u-1', name: 'Priya R.' })
    expect(page.calls).toEqual(['GET /auth/me'])
    expect(page.authorizationHeaders).toEqual(['Bearer t'])
  })

  test('stores no phone number and no address, and removes those that an earlier version has stored', async () => {
    const page = await openPage({
      send: respondWith({ 'GET /auth/me': me }),
      token: 't',
      user: USER
    })
    await page.checkSession()
    const { _id, email, role } = PRIYA
    expect(storedSession().user).toEqual({ _id, email, name: 'Priya R.', role, staff: null })
  })

  test('clears an expired session without a message, and logs it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = await openPage({
      send: respondWith({ 'GET /auth/me': errorReply(401) }),
      token: 't',
      user: USER
    })
    await page.checkSession()
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect(storedSession()).toEqual({ token: null, user: null })
    expect(page.toastTexts()).toEqual([])
    expect(page.redirects()).toEqual([])
    expect(warn).toHaveBeenCalledWith(
      'The session was rejected',
      expect.objectContaining({ replyStatus: 401 })
    )
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['an unavailable API', errorReply(503)],
    ['a captive portal', () => new Response('<html>Welcome to the station</html>')],
    ['an account that has no profile yet', errorReply(404)]
  ] as const)('keeps the session if the check fails: %s', async ([, reply]) => {
    const page = await openPage({
      send: respondWith({ 'GET /auth/me': reply }),
      token: 't',
      user: USER
    })
    await page.checkSession()
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya Raman' } })
    expect(storedSession().token).toBe('t')
    expect(page.toastTexts()).toEqual([])
  })

  test.for(['{"_id":', 'null', '7', '{}', '{"_id":1,"email":null,"name":[]}'])(
    'repairs a damaged stored user: %s',
    async user => {
      const page = await openPage({ send: respondWith({ 'GET /auth/me': me }), token: 't', user })
      expect(page.state()).toEqual({ state: 'loading' })
      await page.checkSession()
      expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya R.' } })
    }
  )

  test.for(['', 'a\nb', 'schlüssel', 'two words'])(
    'rejects the invalid token %j without sending it',
    async token => {
      const page = await openPage({ send: respondWith({ 'GET /auth/me': me }), token, user: USER })
      await page.checkSession()
      expect(page.state()).toEqual({ state: 'anonymous' })
      expect(page.calls).toEqual([])
      expect(storedSession()).toEqual({ token: null, user: null })
    }
  )

  test('treats a user with an unknown role as a normal user', async () => {
    const user = JSON.stringify({ ...PRIYA, role: 'owner' })
    const page = await openPage({ send: respondWith({}), token: 't', user })
    await page.checkSession()
    expect(page.state()).toMatchObject({ user: { role: 'user' } })
  })

  test('treats an administrator whom an earlier version has stored as an owner', async () => {
    const { staff: _, ...earlier } = PRIYA
    const user = JSON.stringify({ ...earlier, role: 'admin' })
    const page = await openPage({ send: respondWith({}), token: 't', user })
    await page.checkSession()
    expect(page.state()).toMatchObject({ user: { role: 'admin', staff: 'owner' } })
  })
})

describe('Logout', () => {
  test('ends the session on the server and clears the browser storage', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await register(shop)
    openBrowser()
    localStorage.setItem('cart', '[]')
    localStorage.setItem(`discounts:${user._id}`, '[]')
    const page = await openPage({ send: browserFetch(shop), token, user: JSON.stringify(user) })
    sessionStorage.setItem('profile', '{"userId":"u"}')
    await page.checkSession()
    await page.logOut()
    expect(page.toastTexts()).toEqual([['Logged out', 'You have been successfully logged out.']])
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect({ ...localStorage }).toEqual({})
    expect({ ...sessionStorage }).toEqual({})
    expect(await call(shop, 'GET /auth/me', { token })).toMatchObject({ status: 401 })
  })

  test('clears the stored session even if the server does not reply', async () => {
    const page = await openPage({
      send: () => new Promise<Response>(() => undefined),
      token: 't',
      user: USER
    })
    void page.logOut()
    expect(storedSession()).toEqual({ token: null, user: null })
    expect(page.authorizationHeaders).toEqual(['Bearer t'])
  })
})

describe('401 reply', () => {
  const EXPIRED = ['Session expired', 'Please login again to continue']
  const replies = {
    'GET /auth/me': me,
    'GET /auth/my-data': errorReply(401),
    'POST /auth/login': errorReply(401)
  }

  async function openPageWithToken(token: string | undefined, path: string) {
    const page = await openPage({
      send: respondWith(replies),
      path,
      ...(token !== undefined && { token, user: USER })
    })
    await page.checkSession()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return page
  }

  test("clears the session, shows 'Session expired' once and redirects after 1.5 s", async () => {
    const page = await openPageWithToken('t', '/my-profile?x=1#data')
    await Promise.allSettled([page.readMyData(), page.readMyData()])
    await vi.dynamicImportSettled()
    expect(storedSession()).toEqual({ token: null, user: null })
    expect(page.toastTexts()).toEqual([EXPIRED])
    vi.advanceTimersByTime(1499)
    expect(page.redirects()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(page.redirects()).toEqual(['/login?return=%2Fmy-profile%3Fx%3D1%23data'])
    vi.useRealTimers()
  })

  test('shows no message on the login page and does not redirect', async () => {
    const page = await openPageWithToken('t', '/login')
    await page.readMyData().catch(() => undefined)
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(5000)
    expect(storedSession().token).toBeNull()
    expect(page.toastTexts()).toEqual([])
    expect(page.redirects()).toEqual([])
    vi.useRealTimers()
  })

  test('is treated as an ordinary error if no token was sent', async () => {
    const page = await openPageWithToken(undefined, '/cart')
    await page.logIn({ email: 'a@b.co', password: 'wrong-one' }).catch(() => undefined)
    vi.advanceTimersByTime(5000)
    expect(page.toastTexts()).toEqual([['Login failed', 'Invalid credentials']])
    expect(page.redirects()).toEqual([])
    vi.useRealTimers()
  })

  test('does not end a session that began after the request', async () => {
    const page = await openPageWithToken('t', '/cart')
    const lateReply = page.readMyData().catch(() => undefined)
    page.setSession({ token: 'new', user: PRIYA })
    await lateReply
    expect(storedSession().token).toBe('new')
    expect(page.toastTexts()).toEqual([])
    vi.useRealTimers()
  })

  test('counts if it arrives after the check at page load has cleared the session', async () => {
    const rejected = { ...replies, 'GET /auth/me': errorReply(401) }
    const page = await openPage({ send: respondWith(rejected), token: 't', user: USER })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answers = [page.checkSession(), page.readMyData(), page.readMyData()]
    await Promise.allSettled(answers)
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(1500)
    expect([page.toastTexts(), page.redirects()]).toEqual([[EXPIRED], ['/login?return=%2Fcart']])
    vi.useRealTimers()
  })

  test('has no effect after a logout', async () => {
    const page = await openPageWithToken('t', '/cart')
    const lateReply = page.readMyData().catch(() => undefined)
    await page.logOut()
    await lateReply
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(5000)
    expect(page.toastTexts()).toEqual([['Logged out', 'You have been successfully logged out.']])
    expect(page.redirects()).toEqual([])
    vi.useRealTimers()
  })

  test('keeps the typed checkout for the login', async () => {
    const page = await openPageWithToken('t', '/cart')
    sessionStorage.setItem('checkout', '{"note":"Less sugar"}')
    await page.readMyData().catch(() => undefined)
    page.setSession({ token: 'new', user: PRIYA })
    expect(sessionStorage.getItem('checkout')).toBe('{"note":"Less sugar"}')
    vi.useRealTimers()
  })

  test('does not redirect if another tab has logged in', async () => {
    const page = await openPageWithToken('t', '/cart')
    await page.readMyData().catch(() => undefined)
    await vi.dynamicImportSettled()
    writeFromOtherTab('user', USER)
    writeFromOtherTab('token', 'new')
    vi.advanceTimersByTime(2000)
    expect(page.redirects()).toEqual([])
    vi.useRealTimers()
  })
})

describe('Another account in the same tab', () => {
  const ANITA = { ...PRIYA, _id: 'u-2', name: 'Anita' }
  const open = () => openPage({ send: respondWith({}), token: 't', user: USER })

  test('sees nothing that the first one has typed or loaded, also after a login in another tab', async () => {
    const page = await open()
    sessionStorage.setItem('checkout', '{"note":"Less sugar"}')
    writeFromOtherTab('token', null)
    writeFromOtherTab('user', null)
    expect(sessionStorage.getItem('checkout')).not.toBeNull()
    writeFromOtherTab('user', JSON.stringify(ANITA))
    writeFromOtherTab('token', 'anitas')
    expect(sessionStorage.getItem('checkout')).toBeNull()
    expect(page.reloadCount()).toBeGreaterThan(0)
    const next = await openPage({ send: respondWith({}) })
    expect(next.reloadCount()).toBe(0)
  })

  test('sees none of the drafts if it logs in on a later page', async () => {
    const page = await open()
    sessionStorage.setItem('checkout', '{"note":"Less sugar"}')
    localStorage.setItem('discounts:u-1', '[]')
    page.clearSession()
    const loginPage = await openPage({ send: respondWith({}), path: '/login' })
    loginPage.setSession({ token: 'anitas', user: ANITA })
    expect([sessionStorage.getItem('checkout'), loginPage.reloadCount()]).toEqual([null, 0])
    expect(localStorage.getItem('discounts:u-1')).toBeNull()
  })

  test('is not the same account after its session has expired, whose drafts stay', async () => {
    const page = await open()
    sessionStorage.setItem('checkout', '{"note":"Less sugar"}')
    page.clearSession()
    page.setSession({ token: 'new', user: PRIYA })
    expect([sessionStorage.getItem('checkout'), page.reloadCount()]).toEqual([
      '{"note":"Less sugar"}',
      0
    ])
  })
})

describe('Session in several tabs', () => {
  test('changes in every tab on login and logout', async () => {
    const page = await openPage({ send: respondWith({}) })
    await page.checkSession()
    writeFromOtherTab('user', USER)
    expect(page.state()).toEqual({ state: 'anonymous' })
    writeFromOtherTab('token', 't')
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya Raman' } })
    writeFromOtherTab('token', null)
    expect(page.state()).toEqual({ state: 'anonymous' })
  })
})

test('a toast shown before a redirect appears once on the next page', async () => {
  const page = await openPage({ send: browserFetch(await openShop('sqlite')) })
  await page.register({ email: 'a@b.co', password: 'kesari-47', displayName: 'A' })
  const next = await openPage({ send: respondWith({}) })
  await next.checkSession()
  expect(next.toastTexts()).toEqual([['Signup successful', 'Welcome to our platform!']])
  const third = await openPage({ send: respondWith({}) })
  await third.checkSession()
  expect(third.toastTexts()).toEqual([])
})
