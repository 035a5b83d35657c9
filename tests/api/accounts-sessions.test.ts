import { describe, expect, test } from 'vitest'
import type { Session } from '#lib/contract/accounts.ts'
import { DAY, SECOND } from '#lib/time.ts'
import {
  ANITA,
  call,
  expectOk,
  isLoggedIn,
  logIn,
  logInByCode,
  OTHER_IP,
  register,
  sessionOf,
  statusAndCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const user = {
  _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  email: ANITA.email,
  name: ANITA.displayName,
  role: 'user',
  staff: null,
  language: 'en',
  phoneNumber: '',
  address: null,
  hasPassword: true,
  verified: false
}
const session = { token: expect.stringMatching(/^[\w-]{43}$/), user, device: expect.any(String) }

describe('POST /auth/register', () => {
  test('creates an account with trimmed fields and opens a session, without a cookie', async () => {
    const shop = await openShop()
    const input = {
      email: ' Anita@Example.COM ',
      password: `  ${ANITA.password} `,
      displayName: ' Anita Kumar '
    }
    const reply = await call(shop, 'POST /auth/register', { body: input })
    expect(reply).toMatchObject({ status: 200, body: session })
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(reply.headers).not.toHaveProperty('set-cookie')
    expect((await call(shop, 'GET /auth/me', { token: sessionOf(reply).token })).body).toEqual(user)
    await expectOk(logIn(shop))
  })

  test('stores password and token only as hashes', async () => {
    const shop = await openShop()
    const { token } = await register(shop)
    const { kysely } = shop.database
    const users = await kysely.selectFrom('users').selectAll().execute()
    const sessions = await kysely.selectFrom('sessions').selectAll().execute()
    expect(users[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(sessions[0]?.token_hash).toMatch(/^[0-9a-f]{64}$/)
    const stored = JSON.stringify([users, sessions])
    expect([ANITA.password, token].filter(secret => stored.includes(secret))).toEqual([])
  })

  test.for([
    [' 12345 ', 'Password must be at least 6 characters long'],
    ['x'.repeat(201), 'Please use at most 200 characters']
  ] as const)('refuses the password %j', async ([password, message]) => {
    const shop = await openShop()
    expect(await call(shop, 'POST /auth/register', { body: { ...ANITA, password } })).toMatchObject(
      { status: 400, body: { code: 'INVALID_INPUT', message, fields: { password: message } } }
    )
  })
})

test.for(ENGINES)('An email can be registered once, even in parallel, on %s', async engine => {
  const shop = await openShop(engine)
  const emails = [ANITA.email, ANITA.email, ANITA.email.toUpperCase()]
  const replies = await Promise.all(
    emails.map(email => call(shop, 'POST /auth/register', { body: { ...ANITA, email } }))
  )
  expect(replies.map(statusAndCode).sort()).toEqual(['200', '409 EMAIL_TAKEN', '409 EMAIL_TAKEN'])
})

test('POST /auth/login does not reveal whether an email has an account', async () => {
  const shop = await openShop()
  await register(shop)
  await logInByCode(shop, 'bala@example.com')
  const replies: Reply[] = []
  for (const email of [ANITA.email, 'nobody@example.com', 'bala@example.com'])
    replies.push(await logIn(shop, { email, password: 'halwa-12' }, OTHER_IP))
  expect(replies[0]).toMatchObject({
    status: 400,
    body: { message: 'Invalid credentials', code: 'INVALID_CREDENTIALS' }
  })
  const [wrong, ...others] = replies.map(({ status, text, headers: { date: _, ...rest } }) => ({
    status,
    text,
    ...rest
  }))
  expect(others).toEqual([wrong, wrong])
})

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
const listSessions = ({ database }: Shop) =>
  database.kysely.selectFrom('sessions').selectAll().orderBy('created_at').execute()

describe('Private calls', () => {
  test('refuse a missing token before they validate the body', async () => {
    const shop = await openShop()
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
    const shop = await openShop()
    const { token } = await register(shop)
    const [row] = await listSessions(shop)
    const wrong = ['', `${token}x`, token.slice(1), row?.token_hash ?? '', `${token} x`]
    const headers = [
      `bearer ${token}`,
      `BEARER   ${token} `,
      ...wrong.map(each => `Bearer ${each}`),
      `Basic ${token}`,
      token
    ]
    const statuses: number[] = []
    for (const authorization of headers)
      statuses.push((await shop.get('/auth/me', { authorization })).status)
    expect(statuses).toEqual([200, 200, ...headers.slice(2).map(() => 401)])
  })
})

describe('Session', () => {
  test('ends at logout, and all other sessions of the user at “log out everywhere”', async () => {
    const shop = await openShop()
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const third = sessionOf(await logIn(shop))
    const otherUser = await logInByCode(shop, 'bala@example.com')
    const leave = async (line: string, { token }: Session): Promise<unknown[]> => {
      const { body } = await call(shop, `POST /auth/${line}`, { token })
      const states = [first, second, third, otherUser].map(each => isLoggedIn(shop, each))
      return [(body as { message: string }).message, ...(await Promise.all(states))]
    }
    const text = 'You have been successfully logged out.'
    expect(await leave('logout', first)).toEqual([text, false, true, true, true])
    const everywhere = 'You have been logged out on all devices.'
    expect(await leave('logout-everywhere', second)).toEqual([
      everywhere,
      false,
      false,
      false,
      true
    ])
  })

  test('expires after thirty days without use', async () => {
    const shop = await openShop()
    const session = await register(shop)
    const days = [29, 29, 30 - SECOND / DAY, 30]
    const states: boolean[] = []
    for (const day of days) {
      shop.clock.advance(day * DAY)
      states.push(await isLoggedIn(shop, session))
    }
    expect(states).toEqual([true, true, true, false])
  })
})

test('Admin rights cannot be obtained by sending fields that a call does not have', async () => {
  const shop = await openShop()
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
