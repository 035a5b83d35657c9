import { describe, expect, test } from 'vitest'
import { DAY, SECOND } from '#lib/time.ts'
import type { SessionRow } from '#server/platform/db/tables.ts'
import {
  logInAsAdmin,
  ANITA,
  call,
  isLoggedIn,
  logIn,
  logInByCode,
  statusAndCode,
  register,
  sessionOf
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

const PRIVATE_CALLS = [
  'GET /auth/me',
  'PUT /auth/profile',
  'PUT /auth/password',
  'POST /auth/email-code',
  'PUT /auth/email',
  'GET /auth/my-data',
  'DELETE /auth/me',
  'POST /auth/logout-everywhere'
]
const listSessions = ({ database }: Shop): Promise<SessionRow[]> =>
  database.kysely.selectFrom('sessions').selectAll().orderBy('created_at').execute()

describe('Private calls', () => {
  test('refuse a missing token before they validate the body', async () => {
    const shop = await openShop('sqlite')
    for (const line of PRIVATE_CALLS)
      expect(
        await call(shop, line, { ...(!line.startsWith('GET') && { body: { nonsense: true } }) }),
        line
      ).toMatchObject({
        status: 401,
        body: { message: 'Please login again to continue', code: 'UNAUTHORIZED' },
        headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' }
      })
  })

  test('accept only the token, in the Bearer scheme', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    const [row] = await listSessions(shop)
    const wrong = ['', 'x', `${token}x`, token.slice(1), 'x'.repeat(43), row?.token_hash ?? '']
    const headers = [
      `bearer ${token}`,
      `BEARER   ${token} `,
      ...[...wrong, `${token} x`].map(each => `Bearer ${each}`),
      `Basic ${token}`,
      token
    ]
    const statuses: number[] = []
    for (const authorization of headers)
      statuses.push((await shop.get('/auth/me', { authorization })).status)
    expect(statuses).toEqual([200, 200, ...headers.slice(2).map(() => 401)])
  })
})

test('Public calls ignore an invalid token', async () => {
  const shop = await openShop('sqlite')
  const token = 'x'.repeat(43)
  await register(shop)
  const replies = [
    await call(shop, 'GET /products', { token }),
    await call(shop, 'POST /auth/login', { token, body: ANITA }),
    await call(shop, 'POST /auth/send-otp', { token, body: ANITA }),
    await call(shop, 'POST /auth/logout', { token })
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

describe('Session', () => {
  test('ends at logout, and the other sessions of the user continue', async () => {
    const shop = await openShop('sqlite')
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    expect(await call(shop, 'POST /auth/logout', { token: first.token })).toMatchObject({
      status: 200,
      body: { message: 'You have been successfully logged out.' }
    })
    expect([await isLoggedIn(shop, first), await isLoggedIn(shop, second)]).toEqual([false, true])
  })

  test('expires after thirty days without use', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const days = [29, 29, 30 - SECOND / DAY, 30]
    const states: boolean[] = []
    for (const day of days) {
      shop.clock.advance(day * DAY)
      states.push(await isLoggedIn(shop, session))
    }
    expect(states).toEqual([true, true, true, false])
  })

  test('is renewed in the database at most once a day', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const [initial] = await listSessions(shop)
    shop.clock.advance(DAY - SECOND)
    await isLoggedIn(shop, session)
    expect(await listSessions(shop)).toEqual([initial])
    shop.clock.advance(SECOND)
    await Promise.all(Array.from({ length: 5 }, () => isLoggedIn(shop, session)))
    expect(await listSessions(shop)).toEqual([
      {
        ...initial,
        renewed_at: '2026-11-22T04:00:00.000Z',
        expires_at: '2026-12-22T04:00:00.000Z'
      }
    ])
  })
})

describe.each(ENGINES)('Session on %s', engine => {
  test('ends together with all other sessions of the user if the user logs out everywhere', async () => {
    const shop = await openShop(engine)
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const otherUser = await logInByCode(shop, 'bala@example.com')
    expect(await call(shop, 'POST /auth/logout-everywhere', { token: first.token })).toMatchObject({
      status: 200,
      body: { message: 'You have been logged out on all devices.' }
    })
    const states = [first, second, otherUser].map(session => isLoggedIn(shop, session))
    expect(await Promise.all(states)).toEqual([false, false, true])
  })

  test('stays valid while the database cannot be written to', async () => {
    const shop = await openShop(engine)
    const session = await register(shop)
    shop.clock.advance(2 * DAY)
    shop.app.write = () => Promise.reject(new Error('The disk is full'))
    expect(await isLoggedIn(shop, session)).toBe(true)
  })
})

describe('Admin rights', () => {
  test('are read from the database on each call', async () => {
    const shop = await openShop('sqlite')
    const { token } = await logInAsAdmin(shop)
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('200')
    await shop.writeFromOtherProcess(async trx => {
      await trx.updateTable('users').set({ staff: null }).execute()
    })
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('403 FORBIDDEN')
    expect((await call(shop, 'GET /auth/me', { token })).body).toMatchObject({
      role: 'user',
      staff: null
    })
  })

  test('cannot be obtained by sending fields that a call does not have', async () => {
    const shop = await openShop('sqlite')
    const fields = {
      role: 'admin',
      staff: 'owner',
      user: { role: 'admin' },
      verified: true,
      verified_at: '2026-01-01',
      __proto__: { role: 'admin' }
    }
    const body = { ...ANITA, ...fields }
    const { token } = sessionOf(await call(shop, 'POST /auth/register', { body }))
    const profile = { ...fields, name: 'Anita', email: 'bala@example.com', _id: 'admin' }
    await call(shop, 'PUT /auth/profile', { token, body: profile })
    await call(shop, 'POST /auth/login', { token, body })
    expect(await shop.database.kysely.selectFrom('users').selectAll().execute()).toMatchObject([
      { email: ANITA.email, staff: null, verified_at: null }
    ])
  })
})
