import { describe, expect, test } from 'vitest'
import { DAY, SECOND } from '#lib/time.ts'
import type { SessionRow } from '#server/platform/db/tables.ts'
import {
  logInAsAdmin,
  ANITA,
  call,
  logIn,
  logInByCode,
  statusAndCode,
  register,
  sessionOf,
  verifyCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

const PRIVATE_CALLS = [
  'GET /auth/me',
  'PUT /auth/profile',
  'PUT /auth/password',
  'GET /auth/my-data',
  'DELETE /auth/me',
  'POST /auth/logout-everywhere'
]
const isLoggedIn = async (shop: Shop, token: string): Promise<boolean> =>
  (await call(shop, 'GET /auth/me', { token })).status === 200
const listSessions = ({ database }: Shop): Promise<SessionRow[]> =>
  database.kysely.selectFrom('sessions').selectAll().orderBy('created_at').execute()

describe('Private calls', () => {
  test.for(PRIVATE_CALLS)(
    '%s refuses an invalid token before it validates the body',
    async line => {
      const shop = await openShop('sqlite')
      const { token } = await register(shop)
      for (const wrongToken of [
        undefined,
        '',
        'x',
        `${token}x`,
        token.toLowerCase().slice(1),
        'x'.repeat(43),
        `${token} x`
      ]) {
        const reply = await call(shop, line, {
          token: wrongToken,
          ...(!line.startsWith('GET') && { body: { nonsense: true } })
        })
        expect([
          reply.status,
          reply.body,
          reply.headers['www-authenticate'],
          reply.headers['cache-control']
        ]).toEqual([
          401,
          { message: 'Please login again to continue', code: 'UNAUTHORIZED' },
          'Bearer',
          'no-store'
        ])
      }
    }
  )

  test('accept only the Bearer scheme, in upper or lower case', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    const statuses = await Promise.all(
      [`bearer ${token}`, `BEARER   ${token} `, `Basic ${token}`, token].map(
        async authorization => (await shop.get('/auth/me', { authorization })).status
      )
    )
    expect(statuses).toEqual([200, 200, 401, 401])
  })

  test('do not accept the stored hash of a token as a token', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const [row] = await listSessions(shop)
    expect(await isLoggedIn(shop, row?.token_hash ?? '')).toBe(false)
  })
})

test('Public calls ignore an invalid token', async () => {
  const shop = await openShop('sqlite', { products: { laddu: {} } })
  const token = 'x'.repeat(43)
  await register(shop)
  expect((await call(shop, 'GET /products', { token })).status).toBe(200)
  expect((await call(shop, 'GET /discounted-products', { token })).status).toBe(200)
  expect((await call(shop, 'POST /auth/login', { token, body: ANITA })).status).toBe(200)
  expect((await call(shop, 'POST /auth/send-otp', { token, body: ANITA })).status).toBe(200)
  expect((await verifyCode(shop, '123456')).status).toBe(400)
})

describe('Session', () => {
  test('ends at logout, and the other sessions of the user continue', async () => {
    const shop = await openShop('sqlite')
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const reply = await call(shop, 'POST /auth/logout', { token: first.token })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'You have been successfully logged out.' }
    ])
    expect([await isLoggedIn(shop, first.token), await isLoggedIn(shop, second.token)]).toEqual([
      false,
      true
    ])
  })

  test('can be ended twice without an error, and a logout without a token succeeds', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    for (const sentToken of [token, token, undefined]) {
      expect((await call(shop, 'POST /auth/logout', { token: sentToken })).status).toBe(200)
    }
  })

  test('does not expire while it is used', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    for (let month = 0; month < 6; month++) {
      shop.clock.advance(29 * DAY)
      expect(await isLoggedIn(shop, token)).toBe(true)
    }
  })
})

describe.each(ENGINES)('Session on %s', engine => {
  test('ends together with all other sessions of the user if the user logs out everywhere', async () => {
    const shop = await openShop(engine)
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const otherUser = await logInByCode(shop, 'bala@example.com')
    const reply = await call(shop, 'POST /auth/logout-everywhere', { token: first.token })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'You have been logged out on all devices.' }
    ])
    expect(
      await Promise.all([first, second, otherUser].map(({ token }) => isLoggedIn(shop, token)))
    ).toEqual([false, false, true])
  })

  test('stays valid while the database cannot be written to', async () => {
    const shop = await openShop(engine)
    const { token } = await register(shop)
    shop.clock.advance(2 * DAY)
    shop.app.write = () => Promise.reject(new Error('The disk is full'))
    expect(await isLoggedIn(shop, token)).toBe(true)
  })
})

describe('Session', () => {
  test('expires after thirty days without use', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    shop.clock.advance(30 * DAY - SECOND)
    expect(await isLoggedIn(shop, token)).toBe(true)
    shop.clock.advance(30 * DAY)
    expect(await isLoggedIn(shop, token)).toBe(false)
  })

  test('is renewed in the database at most once a day', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    const [initial] = await listSessions(shop)
    shop.clock.advance(DAY - SECOND)
    await isLoggedIn(shop, token)
    expect(await listSessions(shop)).toEqual([initial])
    shop.clock.advance(SECOND)
    await Promise.all(Array.from({ length: 5 }, () => isLoggedIn(shop, token)))
    const [renewed] = await listSessions(shop)
    expect(renewed).toEqual({
      ...initial,
      renewed_at: '2026-11-22T04:00:00.000Z',
      expires_at: '2026-12-22T04:00:00.000Z'
    })
    shop.clock.advance(DAY - SECOND)
    await isLoggedIn(shop, token)
    expect(await listSessions(shop)).toEqual([renewed])
  })
})

describe('Admin rights', () => {
  test('let only administrators make admin calls', async () => {
    const shop = await openShop('sqlite')
    const [shopper, admin] = [await register(shop), await logInAsAdmin(shop)]
    const outcomes = [undefined, 'x'.repeat(43), shopper.token, admin.token].map(async token =>
      statusAndCode(await call(shop, 'GET /admin/products', { token }))
    )
    expect(await Promise.all(outcomes)).toEqual([
      '401 UNAUTHORIZED',
      '401 UNAUTHORIZED',
      '403 FORBIDDEN',
      '200'
    ])
  })

  test('are read from the database on each call', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await logInAsAdmin(shop)
    await shop.writeFromOtherProcess(trx =>
      trx.updateTable('users').set({ staff: null }).where('id', '=', user._id).execute()
    )
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('403 FORBIDDEN')
    expect((await call(shop, 'GET /auth/me', { token })).body).toMatchObject({
      role: 'user',
      staff: null
    })
  })

  test('cannot be obtained by sending a role to a public call', async () => {
    const shop = await openShop('sqlite')
    const adminFields = {
      role: 'admin',
      user: { role: 'admin' },
      isAdmin: true,
      _id: 'admin',
      __proto__: { role: 'admin' }
    }
    const { token } = sessionOf(
      await call(shop, 'POST /auth/register', { body: { ...ANITA, ...adminFields } })
    )
    await call(shop, 'PUT /auth/profile', { token, body: { name: 'Anita', ...adminFields } })
    await call(shop, 'POST /auth/login', { token, body: { ...ANITA, ...adminFields } })
    const roles = await shop.database.kysely.selectFrom('users').select('staff').execute()
    expect(roles).toEqual([{ staff: null }])
    expect(statusAndCode(await call(shop, 'GET /admin/products?role=admin', { token }))).toBe(
      '403 FORBIDDEN'
    )
  })
})
