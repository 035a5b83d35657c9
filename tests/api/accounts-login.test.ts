import { describe, expect, test } from 'vitest'
import { api } from '#lib/api.ts'
import { tooManyPasswordsText } from '#lib/messages.ts'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import {
  addAttempts,
  ANITA,
  call,
  OTHER_IP,
  logIn,
  requestCode,
  statusAndCode,
  register,
  sessionOf,
  verifyCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, connectBrowser, type Reply } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

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
const withBody = (body: unknown): Parameters<typeof call>[2] => ({ body })
const withoutDate = ({ status, headers: { date: _, ...headers }, text }: Reply): unknown => ({
  status,
  headers,
  text
})

describe('POST /auth/register', () => {
  test('creates an account and opens a session', async () => {
    const shop = await openShop('sqlite')
    const reply = await call(shop, 'POST /auth/register', withBody(ANITA))
    expect([reply.status, reply.body, reply.headers['cache-control']]).toEqual([
      200,
      session,
      'no-store'
    ])
    expect((await call(shop, 'GET /auth/me', { token: sessionOf(reply).token })).body).toEqual(user)
  })

  test('can be called with the typed API client', async () => {
    connectBrowser(await openShop('sqlite'))
    expect(await api('POST /auth/register', { body: ANITA })).toEqual(session)
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

  test('ignores a role in the request', async () => {
    const shop = await openShop('sqlite')
    const withRole = {
      ...ANITA,
      role: 'admin',
      user: { role: 'admin' },
      verified: true,
      verified_at: '2026-01-01'
    }
    expect(sessionOf(await call(shop, 'POST /auth/register', withBody(withRole)))).toEqual(session)
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
    [{ email: '' }, { email: 'Please fill in all fields' }],
    [{ displayName: ' ' }, { displayName: 'Please fill in all fields' }],
    [{ password: ' ' }, { password: 'Please fill in all fields' }],
    [{ password: ' 12345 ' }, { password: 'Password must be at least 6 characters long' }],
    [{ password: 'x'.repeat(201) }, { password: 'Please use at most 200 characters' }],
    [{ email: 'anita@' }, { email: 'Please enter a valid email address' }]
  ] as const)('names the invalid field of %j', async ([draft, fields]) => {
    const shop = await openShop('sqlite')
    expect(await call(shop, 'POST /auth/register', withBody({ ...ANITA, ...draft }))).toMatchObject(
      {
        status: 400,
        body: { code: 'INVALID_INPUT', message: Object.values(fields)[0], fields }
      }
    )
  })

  test('allows six hundred registrations per hour from one IP', async () => {
    const shop = await openShop('sqlite')
    const registerUser = (n: number, ip?: string): Promise<Reply> =>
      call(shop, 'POST /auth/register', {
        body: { ...ANITA, email: `a${n}@example.com` },
        ...(ip && { ip })
      })
    await registerUser(1)
    await addAttempts(shop, 598)
    expect((await registerUser(599)).status).toBe(200)
    const refused = await registerUser(600)
    expect([statusAndCode(refused), refused.headers['retry-after']]).toEqual([
      '429 TOO_MANY_REQUESTS',
      '3600'
    ])
    expect((await registerUser(600, OTHER_IP)).status).toBe(200)
    shop.clock.advance(HOUR)
    expect((await registerUser(601)).status).toBe(200)
  })
})

describe.each(ENGINES)('POST /auth/register on %s', engine => {
  test('refuses an email that is already registered, even in parallel requests', async () => {
    const shop = await openShop(engine)
    const replies = await Promise.all(
      [1, 2, 3].map(() => call(shop, 'POST /auth/register', withBody(ANITA)))
    )
    expect(replies.map(statusAndCode).sort()).toEqual(['200', '409 EMAIL_TAKEN', '409 EMAIL_TAKEN'])
    expect(
      statusAndCode(
        await call(shop, 'POST /auth/register', withBody({ ...ANITA, email: 'ANITA@example.com' }))
      )
    ).toBe('409 EMAIL_TAKEN')
  })
})

describe('POST /auth/login', () => {
  test('opens a new session each time', async () => {
    const shop = await openShop('sqlite')
    const first = await register(shop)
    const second = sessionOf(await logIn(shop))
    expect(second).toEqual(session)
    expect(second.token).not.toBe(first.token)
  })

  test('requires email and password', async () => {
    const shop = await openShop('sqlite')
    const missing = { message: FIELD_TEXTS.fillInAll, code: 'INVALID_INPUT' }
    expect((await call(shop, 'POST /auth/login', { body: { password: 'x' } })).body).toMatchObject(
      missing
    )
    expect(
      (await call(shop, 'POST /auth/login', { body: { email: ANITA.email } })).body
    ).toMatchObject(missing)
  })

  test('does not reveal whether an email has an account', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    await verifyCode(shop, await requestCode(shop, 'bala@example.com'), 'bala@example.com')
    const [wrong, unknown, withoutPassword] = [
      await logIn(shop, { ...ANITA, password: 'halwa-12' }, OTHER_IP),
      await logIn(shop, { email: 'nobody@example.com', password: 'halwa-12' }, OTHER_IP),
      await logIn(shop, { email: 'bala@example.com', password: 'halwa-12' }, OTHER_IP)
    ]
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: 'Invalid credentials', code: 'INVALID_CREDENTIALS' }
    })
    expect(withoutDate(unknown)).toEqual(withoutDate(wrong))
    expect(withoutDate(withoutPassword)).toEqual(withoutDate(wrong))
  })

  test('accepts passwords again fifteen minutes after ten wrong ones', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    for (let n = 0; n < 10; n++) await logIn(shop, { ...ANITA, password: 'halwa-12' })
    shop.clock.advance(15 * MINUTE - SECOND)
    const refused = await logIn(shop)
    expect([statusAndCode(refused), refused.headers['retry-after']]).toEqual([
      '429 TOO_MANY_REQUESTS',
      '1'
    ])
    shop.clock.advance(SECOND)
    expect(statusAndCode(await logIn(shop))).toBe('200')
  })

  test('counts only wrong passwords and resets the count after a correct one', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    for (let n = 0; n < 15; n++) expect(statusAndCode(await logIn(shop))).toBe('200')
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) await logIn(shop, { ...ANITA, password: 'halwa-12' })
      expect(statusAndCode(await logIn(shop))).toBe('200')
    }
  })

  test('accepts at most twenty correct passwords per account and hour', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    for (let n = 0; n < 20; n++) expect(statusAndCode(await logIn(shop))).toBe('200')
    expect(statusAndCode(await logIn(shop))).toBe('429 TOO_MANY_REQUESTS')
    shop.clock.advance(HOUR)
    expect(statusAndCode(await logIn(shop))).toBe('200')
  })

  test('keeps the fifty newest sessions of an account', async () => {
    const shop = await openShop('sqlite')
    const { token: oldest } = await register(shop)
    for (let n = 0; n < 50; n++) {
      shop.clock.advance(10 * MINUTE)
      expect(statusAndCode(await logIn(shop))).toBe('200')
    }
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token: oldest }))).toBe(
      '401 UNAUTHORIZED'
    )
    expect(
      await shop.database.kysely.selectFrom('sessions').select('token_hash').execute()
    ).toHaveLength(50)
  })

  test('refuses all passwords from an IP after six hundred wrong ones, even for different accounts', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const guess = (n: number): Promise<Reply> =>
      logIn(shop, { email: `a${n}@example.com`, password: 'halwa-12' })
    await guess(1)
    await addAttempts(shop, 598)
    expect(statusAndCode(await guess(2))).toBe('400 INVALID_CREDENTIALS')
    expect(statusAndCode(await logIn(shop))).toBe('429 TOO_MANY_REQUESTS')
    expect(statusAndCode(await logIn(shop, ANITA, OTHER_IP))).toBe('200')
  })
})

describe.each(ENGINES)('POST /auth/login on %s', engine => {
  test('refuses more passwords for an email from one IP after ten wrong ones, but accepts a login code', async () => {
    const shop = await openShop(engine)
    await register(shop)
    for (const email of [ANITA.email, 'nobody@example.com']) {
      const guess = (): Promise<Reply> => logIn(shop, { email, password: 'halwa-12' })
      for (let n = 0; n < 10; n++)
        expect(statusAndCode(await guess())).toBe('400 INVALID_CREDENTIALS')
      const refused = await logIn(shop, { email, password: ANITA.password })
      expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
        429,
        { message: tooManyPasswordsText(900), code: 'TOO_MANY_REQUESTS' },
        '900'
      ])
    }
    expect(tooManyPasswordsText(900)).toBe(
      'Too many attempts. Please wait 15 minutes, or log in with a code.'
    )
    expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
  })

  test('checks only ten of a hundred passwords that are sent in parallel', async () => {
    const shop = await openShop(engine)
    await register(shop)
    const guesses = Array.from({ length: 100 }, (_, n) =>
      logIn(shop, { ...ANITA, password: `guess-${n}` })
    )
    const outcomes = (await Promise.all(guesses)).map(statusAndCode)
    expect(outcomes.filter(text => text === '400 INVALID_CREDENTIALS')).toHaveLength(10)
    expect(outcomes.filter(text => text === '429 TOO_MANY_REQUESTS')).toHaveLength(90)
  })
})
