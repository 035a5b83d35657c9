import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, register } from '../support/accounts.ts'
import {
  respondWith,
  openBrowser,
  openPage,
  writeFromOtherTab,
  PRIYA,
  errorReply,
  storedSession,
  type Replies
} from '../support/session.ts'
import { browserFetch, openShop } from '../support/shop.ts'

const USER = JSON.stringify(PRIYA)
const ME = { 'GET /auth/me': { ...PRIYA, name: 'Priya R.' } }
const ANONYMOUS = { token: null, user: null }
const CHECKOUT = '{"note":"Less sugar"}'

const openAsPriya = (replies: Replies = {}, path = '/cart') =>
  openPage({ send: respondWith(replies), path, token: 't', user: USER })

afterEach(() => void vi.useRealTimers())

describe('Session check at page load', () => {
  test('has the state loading until the API confirms the stored token, then stores who the user is, but no phone number and address', async () => {
    const page = await openAsPriya(ME)
    expect(page.state()).toEqual({ state: 'loading' })
    await Promise.all([page.checkSession(), page.checkSession()])
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya R.' } })
    const { _id, email, role, language } = PRIYA
    expect(storedSession()).toEqual({
      token: 't',
      user: { _id, email, name: 'Priya R.', role, staff: null, language }
    })
    expect(page.calls).toEqual(['GET /auth/me'])
    expect(page.authorizationHeaders).toEqual(['Bearer t'])
  })

  test('clears an expired session without a message, and logs it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const page = await openAsPriya({ 'GET /auth/me': errorReply(401) })
    await page.checkSession()
    expect(page.state()).toEqual({ state: 'anonymous' })
    expect(storedSession()).toEqual(ANONYMOUS)
    expect([page.toastTexts(), page.redirects()]).toEqual([[], []])
    expect(warn).toHaveBeenCalledWith(
      'The session was rejected',
      expect.objectContaining({ replyStatus: 401 })
    )
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['an unavailable API', errorReply(503)],
    ['an account that has no profile yet', errorReply(404)]
  ] as const)('keeps the session if the check fails: %s', async ([, reply]) => {
    const page = await openAsPriya({ 'GET /auth/me': reply })
    await page.checkSession()
    expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: 'Priya Raman' } })
    expect(storedSession().token).toBe('t')
    expect(page.toastTexts()).toEqual([])
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
    expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{}, {}])
    expect(await call(shop, 'GET /auth/me', { token })).toMatchObject({ status: 401 })
  })

  test('clears the stored session even if the server does not reply', async () => {
    const page = await openAsPriya({ 'POST /auth/logout': () => new Promise(() => undefined) })
    void page.logOut()
    expect(storedSession()).toEqual(ANONYMOUS)
    expect(page.authorizationHeaders).toEqual(['Bearer t'])
  })
})

describe('401 reply', () => {
  const EXPIRED = ['Session expired', 'Please login again to continue']
  const rejected = { ...ME, 'GET /auth/my-data': errorReply(401) }

  async function openWithSession(path = '/cart') {
    const page = await openAsPriya(rejected, path)
    await page.checkSession()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return page
  }

  test("clears the session, shows 'Session expired' once and redirects after 1.5 s", async () => {
    const page = await openWithSession('/my-profile?x=1#data')
    await Promise.allSettled([page.readMyData(), page.readMyData()])
    await vi.dynamicImportSettled()
    expect(storedSession()).toEqual(ANONYMOUS)
    expect(page.toastTexts()).toEqual([EXPIRED])
    vi.advanceTimersByTime(1499)
    expect(page.redirects()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(page.redirects()).toEqual(['/login?return=%2Fmy-profile%3Fx%3D1%23data'])
  })

  test('shows no message on the login page and does not redirect', async () => {
    const page = await openWithSession('/login')
    await page.readMyData().catch(() => undefined)
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(5000)
    expect(storedSession().token).toBeNull()
    expect([page.toastTexts(), page.redirects()]).toEqual([[], []])
  })

  test('does not end a session that began after the request', async () => {
    const page = await openWithSession()
    const lateReply = page.readMyData().catch(() => undefined)
    page.setSession({ token: 'new', user: PRIYA })
    await lateReply
    expect(storedSession().token).toBe('new')
    expect(page.toastTexts()).toEqual([])
  })
})

describe('Another account in the same tab', () => {
  const ANITA = { ...PRIYA, _id: 'u-2', name: 'Anita' }

  test('sees nothing that the first one has typed or loaded, also after a login in another tab', async () => {
    const page = await openAsPriya()
    sessionStorage.setItem('checkout', CHECKOUT)
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
    const page = await openAsPriya()
    sessionStorage.setItem('checkout', CHECKOUT)
    localStorage.setItem('discounts:u-1', '[]')
    page.clearSession()
    const loginPage = await openPage({ send: respondWith({}), path: '/login' })
    loginPage.setSession({ token: 'anitas', user: ANITA })
    expect([sessionStorage.getItem('checkout'), loginPage.reloadCount()]).toEqual([null, 0])
    expect(localStorage.getItem('discounts:u-1')).toBeNull()
  })
})

test('a toast shown before a redirect appears once on the next page', async () => {
  const session = { token: 'new', user: PRIYA }
  const page = await openPage({ send: respondWith({ 'POST /auth/login': session }) })
  await page.logIn({ email: 'a@b.co', password: 'kesari-47' })
  const next = await openPage({ send: respondWith({}) })
  await next.checkSession()
  expect(next.toastTexts()).toEqual([['Login successful', 'Welcome back!']])
  const third = await openPage({ send: respondWith({}) })
  await third.checkSession()
  expect(third.toastTexts()).toEqual([])
})
