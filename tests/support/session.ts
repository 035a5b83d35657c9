import { cleanStores } from 'nanostores'
import { onTestFinished, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import type { Staff } from '#lib/contract/names.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

export const PRIYA: User = {
  _id: 'u-1',
  email: 'priya@example.test',
  name: 'Priya Raman',
  role: 'user',
  staff: null,
  language: 'en',
  phoneNumber: '9876543210',
  address: {
    street: '4 Rockfort Road',
    city: 'Tiruchirappalli',
    state: 'Tamil Nadu',
    pincode: '620002',
    country: 'India'
  },
  hasPassword: true,
  verified: true
}

export const OWNER: User = { ...PRIYA, role: 'admin', staff: 'owner' }

interface PageOptions {
  send: Send
  path?: string
  token?: string
  user?: string
}

export async function openPage({ send, path = '/cart', token, user }: PageOptions) {
  openBrowser(path)
  if (token !== undefined) localStorage.setItem('token', token)
  if (user !== undefined) localStorage.setItem('user', user)
  await vi.dynamicImportSettled()
  vi.resetModules()
  const { configureApi } = await import('#lib/api.ts')
  const calls: string[] = []
  const authorizationHeaders: (string | null)[] = []
  configureApi({
    base: '/api',
    async send(url, init) {
      calls.push(`${init.method} ${url.replace('/api', '')}`)
      authorizationHeaders.push(new Headers(init.headers).get('authorization'))
      return send(url, init)
    }
  })
  const session = await import('#lib/stores/session.ts')
  const stores = {
    ...session,
    ...(await import('#lib/stores/cart-sync.ts')),
    ...(await import('#lib/stores/account.ts')),
    ...(await import('#lib/stores/sign-in.ts'))
  }
  const { $toasts, dismiss } = await import('#lib/stores/toasts.ts')
  session.$session.listen(() => undefined)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined)
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  onTestFinished(() => {
    cleanStores(session.$session)
    for (const { id } of $toasts.get()) dismiss(id)
  })
  return {
    ...stores,
    calls,
    authorizationHeaders,
    state: () => session.$session.get(),
    toastTexts: () => $toasts.get().map(({ title, text }) => [title, text]),
    reloadCount: () => reload.mock.calls.length,
    redirects: () => [...assign.mock.calls, ...replace.mock.calls].map(([to]) => String(to))
  }
}

/** Opens a page of the administration, and records the bodies of its calls. */
export async function openAdminPage(path: string, replies: Replies, staff: Staff = 'owner') {
  const user: User = { ...OWNER, staff }
  const bodies: unknown[] = []
  const reply = respondWith({ 'GET /auth/me': user, ...replies })
  const send: Send = (url, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    return reply(url, init)
  }
  const page = await openPage({ send, path, token: 't', user: JSON.stringify(user) })
  return { ...page, bodies }
}

export function storedSession(): { token: string | null; user: unknown } {
  return {
    token: localStorage.getItem('token'),
    user: JSON.parse(localStorage.getItem('user') ?? 'null')
  }
}

export function writeFromOtherTab(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, value)
  window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value }))
}

/** By request line, for example `GET /auth/me`: the JSON of the reply, or what makes the reply. */
export type Replies = Record<string, object | (() => Response | Promise<Response>)>

/** All other requests fail with a network error. */
export function respondWith(replies: Replies): Send {
  return async (url, { method = 'GET' }) => {
    const reply = replies[`${method} ${url.replace('/api', '').replace(/\?.*/, '')}`]
    if (!reply) throw new TypeError('fetch failed')
    return typeof reply === 'function' ? (reply as () => Response)() : Response.json(reply)
  }
}

export function errorReply(status: number, body: unknown = {}): () => Response {
  return () => Response.json(body, { status })
}

export function openBrowser(path = '/'): void {
  const { origin, pathname, search, hash } = new URL(path, 'http://localhost:3000')
  const ignoreNavigation = () => undefined
  const realLocation = globalThis.location
  vi.stubGlobal('location', {
    origin,
    pathname,
    search,
    hash,
    assign: ignoreNavigation,
    replace: ignoreNavigation,
    reload: ignoreNavigation
  })
  if (isOpen) return
  isOpen = true
  onTestFinished(() => {
    isOpen = false
    vi.stubGlobal('location', realLocation)
    localStorage.clear()
    sessionStorage.clear()
  })
}

let isOpen = false
