import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { insertSession } from '#server/accounts/sessions.ts'
import {
  ANITA,
  call,
  OTHER_IP,
  isLoggedIn,
  logIn,
  logInByCode,
  statusAndCode,
  register,
  sessionOf
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply } from '../support/shop.ts'

const user = {
  _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  email: ANITA.email,
  name: ANITA.displayName,
  role: 'user',
  staff: null,
  phoneNumber: '',
  address: null,
  hasPassword: true,
  verified: false
}
const session = { token: expect.stringMatching(/^[\w-]{43}$/), user, device: expect.any(String) }

describe('POST /auth/register', () => {
  test('creates an account and opens a session, without a cookie', async () => {
    const shop = await openShop('sqlite')
    const reply = await call(shop, 'POST /auth/register', { body: ANITA })
    expect(reply).toMatchObject({ status: 200, body: session })
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(reply.headers).not.toHaveProperty('set-cookie')
    expect((await call(shop, 'GET /auth/me', { token: sessionOf(reply).token })).body).toEqual(user)
  })

  test('lower-cases the email and trims email, name and password', async () => {
    const shop = await openShop('sqlite')
    const input = {
      email: ' Anita@Example.COM ',
      password: `  ${ANITA.password} `,
      displayName: ' Anita Kumar '
    }
    expect(await register(shop, input)).toEqual(session)
    expect(statusAndCode(await logIn(shop))).toBe('200')
  })

  test('stores password and token only as hashes', async () => {
    const shop = await openShop('sqlite')
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
    const shop = await openShop('sqlite')
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

describe('POST /auth/login', () => {
  test('does not reveal whether an email has an account', async () => {
    const shop = await openShop('sqlite')
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

  test('keeps the fifty newest sessions of an account', async () => {
    const shop = await openShop('sqlite')
    const oldest = await register(shop)
    shop.clock.advance(MINUTE)
    await shop.write(async trx => {
      for (let n = 10; n < 59; n++)
        await insertSession(trx, oldest.user._id, `hash ${n}`, shop.clock())
    })
    expect(await isLoggedIn(shop, oldest)).toBe(true)
    await logIn(shop)
    expect(await isLoggedIn(shop, oldest)).toBe(false)
    expect(await shop.database.kysely.selectFrom('sessions').selectAll().execute()).toHaveLength(50)
  })
})
