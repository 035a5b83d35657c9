import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MyData, Session } from '#lib/contract/accounts.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ANITA,
  call,
  logIn,
  logInByCode,
  requestCode,
  statusAndCode,
  register,
  sessionOf,
  userOf,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { START_TIME, openShop, type Reply, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const address = {
  apartmentOrSuite: '2 B',
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}
const saveProfile = (shop: Shop, { token }: Session, body: unknown): Promise<Reply> =>
  call(shop, 'PUT /auth/profile', { token, body })

describe('PUT /auth/profile', () => {
  test('accepts the address as JSON text', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const reply = await saveProfile(shop, session, {
      name: 'Anita',
      phoneNumber: '',
      address: JSON.stringify(address)
    })
    expect(userOf(reply).address).toEqual(address)
    expect(
      userOf(await saveProfile(shop, session, { name: 'Anita', address: '' })).address
    ).toBeNull()
  })

  test('requires only a name, keeps omitted fields and completes a partial address', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    await saveProfile(shop, session, {
      name: 'Anita',
      phoneNumber: '9876543210',
      address: { city: 'Madurai' }
    })
    expect(userOf(await saveProfile(shop, session, { name: 'Anita K' }))).toMatchObject({
      name: 'Anita K',
      phoneNumber: '9876543210',
      address: { street: '', city: 'Madurai', state: '', pincode: '', country: 'India' }
    })
  })

  test('can clear phone and address', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    await saveProfile(shop, session, { name: 'Anita', phoneNumber: '9876543210', address })
    const cleared = await saveProfile(shop, session, {
      name: 'Anita',
      phoneNumber: '',
      address: null
    })
    expect(userOf(cleared)).toMatchObject({ phoneNumber: '', address: null })
  })

  test.for(['+91 98765 43210', '098765-43210', '919876543210', ' 98765 43210 '])(
    'stores only the ten digits of the phone number %s',
    async phoneNumber => {
      const shop = await openShop('sqlite')
      expect(
        userOf(await saveProfile(shop, await register(shop), { name: 'Anita', phoneNumber }))
          .phoneNumber
      ).toBe('9876543210')
    }
  )

  test.for([
    [{ name: '  ' }, { name: 'Name is required.' }],
    [{ name: undefined }, { name: 'Name is required.' }],
    [{ name: 'x'.repeat(101) }, { name: 'Please use at most 100 characters' }],
    [{ phoneNumber: '12345' }, { phoneNumber: 'Please enter a valid 10-digit phone number' }],
    [
      { address: { ...address, pincode: '62000' } },
      { 'address.pincode': 'Please enter a valid 6-digit pincode' }
    ],
    [
      { address: { ...address, pincode: '999999' } },
      { 'address.pincode': CHECKOUT_MESSAGES.pincodeUnknown }
    ],
    [
      { address: { ...address, state: 'Kerala', pincode: '560001' } },
      { 'address.state': '560001 is in Karnataka' }
    ],
    [
      { address: { ...address, street: 'x'.repeat(201) } },
      { 'address.street': 'Please use at most 200 characters' }
    ],
    [{ address: '{"street":' }, { address: MESSAGES.invalidField }],
    [{ address: ['street'] }, { address: MESSAGES.invalidField }],
    [{ address: { pincode: 620002 } }, { 'address.pincode': MESSAGES.invalidField }]
  ] as const)('names the invalid field of %j', async ([draft, fields]) => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const reply = await saveProfile(shop, session, { name: 'Anita', ...draft })
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', fields } })
    expect((await call(shop, 'GET /auth/me', { token: session.token })).body).toEqual(session.user)
  })

  test('does not change the email', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const reply = await saveProfile(shop, session, {
      name: 'Anita',
      email: 'bala@example.com',
      verified: true
    })
    expect(userOf(reply)).toMatchObject({ email: ANITA.email, verified: false })
  })
})

describe.each(ENGINES)('PUT /auth/profile on %s', engine => {
  test('saves name, phone and address and returns the same user as /auth/me', async () => {
    const shop = await openShop(engine)
    const session = await register(shop)
    const reply = await saveProfile(shop, session, {
      name: ' Anita K ',
      phoneNumber: '9876543210',
      address
    })
    expect(userOf(reply)).toEqual({
      ...session.user,
      name: 'Anita K',
      phoneNumber: '9876543210',
      address
    })
    expect((await call(shop, 'GET /auth/me', { token: session.token })).body).toEqual(reply.body)
  })
})

describe('PUT /auth/password', () => {
  const changePassword = (
    shop: Shop,
    token: string,
    proof: object,
    password = 'adhirasam'
  ): Promise<Reply> => call(shop, 'PUT /auth/password', { token, body: { password, proof } })

  test('ends all sessions and opens a new one if the current password is correct', async () => {
    const shop = await openShop('sqlite')
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const changed = sessionOf(await changePassword(shop, first.token, { password: ANITA.password }))
    expect(changed.user).toEqual(first.user)
    const outcomes = [first, second, changed].map(async ({ token }) =>
      statusAndCode(await call(shop, 'GET /auth/me', { token }))
    )
    expect(await Promise.all(outcomes)).toEqual(['401 UNAUTHORIZED', '401 UNAUTHORIZED', '200'])
    expect(statusAndCode(await logIn(shop))).toBe('400 INVALID_CREDENTIALS')
    expect(statusAndCode(await logIn(shop, { ...ANITA, password: 'adhirasam' }))).toBe('200')
  })

  test('sets the first password of an account after confirmation by code', async () => {
    const shop = await openShop('sqlite')
    const { token } = await logInByCode(shop)
    shop.clock.advance(MINUTE)
    const changed = sessionOf(await changePassword(shop, token, { otp: await requestCode(shop) }))
    expect(changed.user.hasPassword).toBe(true)
    expect(statusAndCode(await logIn(shop, { ...ANITA, password: 'adhirasam' }))).toBe('200')
  })

  test("refuses a missing or wrong password, a wrong code and another person's code", async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    const code = await requestCode(shop)
    const otherCode = await requestCode(shop, 'bala@example.com')
    expect((await changePassword(shop, token, {})).body).toMatchObject({
      fields: { proof: FIELD_TEXTS.verificationRequired }
    })
    expect(statusAndCode(await changePassword(shop, token, { password: 'halwa-12' }))).toBe(
      '400 INVALID_CREDENTIALS'
    )
    expect(statusAndCode(await changePassword(shop, token, { otp: wrongCode(code) }))).toBe(
      '400 INVALID_OTP'
    )
    expect(statusAndCode(await changePassword(shop, token, { otp: otherCode }))).toBe(
      '400 INVALID_OTP'
    )
    expect(
      statusAndCode(await changePassword(shop, token, { password: ANITA.password }, '12345'))
    ).toBe('400 INVALID_INPUT')
    expect(statusAndCode(await logIn(shop))).toBe('200')
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('200')
  })

  test('allows ten wrong passwords per hour', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    for (let n = 0; n < 10; n++) await changePassword(shop, token, { password: `guess-${n}` })
    expect(statusAndCode(await changePassword(shop, token, { password: ANITA.password }))).toBe(
      '429 TOO_MANY_REQUESTS'
    )
  })
})

const contactMessage = {
  name: 'Anita',
  email: 'Anita@Example.com',
  message: 'Do you send murukku to Chennai?'
}

describe('GET /auth/my-data', () => {
  test('omits contact messages while the email is not verified', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', contactMessage)
    const { token } = await register(shop)
    expect(((await call(shop, 'GET /auth/my-data', { token })).body as MyData).messages).toEqual([])
  })

  test('returns more contact messages than a statement can name', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', contactMessage)
    await shop.write(trx =>
      sql`insert into contact_messages (id, reference, name, email, phone, message, created_at)
        with recursive copies(n) as (select 2 union all select n + 1 from copies where n < 33000)
        select id || n, reference || n, name, email, phone, message, created_at
        from contact_messages cross join copies`.execute(trx)
    )
    const { token } = await logInByCode(shop)
    expect(
      ((await call(shop, 'GET /auth/my-data', { token })).body as MyData).messages
    ).toHaveLength(33_000)
  })
})

describe.each(ENGINES)('GET /auth/my-data on %s', engine => {
  test('returns everything stored about the user, without secrets', async () => {
    const shop = await openShop(engine)
    await shop.post('/contact', contactMessage)
    await shop.post('/contact', { ...contactMessage, email: 'bala@example.com' })
    const { token, user } = await logInByCode(shop)
    const reply = await call(shop, 'GET /auth/my-data', { token })
    expect(reply.body).toEqual({
      exportedAt: START_TIME,
      account: { ...user, createdAt: START_TIME, verifiedAt: START_TIME },
      sessions: [
        { createdAt: START_TIME, renewedAt: START_TIME, expiresAt: '2026-12-21T04:00:00.000Z' }
      ],
      messages: [
        {
          reference: expect.any(String),
          name: 'Anita',
          phone: '',
          message: contactMessage.message,
          createdAt: START_TIME,
          answers: []
        }
      ],
      orders: [],
      cart: [],
      stockAlerts: [],
      discounts: []
    })
    expect(reply.text).not.toMatch(/hash|argon/)
  })
})

const deleteAccount = (shop: Shop, token: string, proof: object): Promise<Reply> =>
  call(shop, 'DELETE /auth/me', { token, body: { proof } })

describe('DELETE /auth/me', () => {
  test('requires the password or a code', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    expect(statusAndCode(await call(shop, 'DELETE /auth/me', { token }))).toBe(
      '400 MALFORMED_REQUEST'
    )
    expect(statusAndCode(await deleteAccount(shop, token, {}))).toBe('400 INVALID_INPUT')
    expect(statusAndCode(await deleteAccount(shop, token, { password: 'halwa-12' }))).toBe(
      '400 INVALID_CREDENTIALS'
    )
    expect(statusAndCode(await logIn(shop))).toBe('200')
  })
})

describe.each(ENGINES)('DELETE /auth/me on %s', engine => {
  test('deletes all personal data after confirmation by password or by code', async () => {
    const shop = await openShop(engine)
    const first = await register(shop)
    await saveProfile(shop, first, { name: 'Anita', phoneNumber: '9876543210', address })
    const reply = await deleteAccount(shop, first.token, { password: ANITA.password })
    expect([reply.status, reply.body]).toEqual([200, { message: MESSAGES.accountDeleted }])
    const { token } = await logInByCode(shop)
    shop.clock.advance(MINUTE)
    expect(statusAndCode(await deleteAccount(shop, token, { otp: await requestCode(shop) }))).toBe(
      '200'
    )
    const { kysely } = shop.database
    const users = await kysely.selectFrom('users').selectAll().execute()
    const otherRows = [
      await kysely.selectFrom('sessions').selectAll().execute(),
      await kysely.selectFrom('otp_codes').selectAll().execute()
    ]
    expect([users.length, otherRows]).toEqual([2, [[], []]])
    expect(JSON.stringify(users)).not.toMatch(/anita|9876543210|Nandi|argon/i)
  })

  test('ends all sessions, removes the password and allows a new registration with the email', async () => {
    const shop = await openShop(engine)
    const { token, user } = await register(shop)
    await deleteAccount(shop, token, { password: ANITA.password })
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('401 UNAUTHORIZED')
    expect(statusAndCode(await logIn(shop))).toBe('400 INVALID_CREDENTIALS')
    expect((await register(shop)).user._id).not.toBe(user._id)
  })
})
