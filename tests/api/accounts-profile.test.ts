import { describe, expect, test } from 'vitest'
import type { MyData, Session } from '#lib/contract/accounts.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ANITA,
  call,
  deleteAccount,
  expectBody,
  expectOk,
  expectOutcome,
  isLoggedIn,
  logIn,
  logInByCode,
  register,
  requestCode,
  sessionOf,
  statusAndCode,
  userOf
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { START_TIME, openShop, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

const address = {
  apartmentOrSuite: '2 B',
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  district: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}
const saveProfile = (shop: Shop, { token }: Session, body: unknown) =>
  call(shop, 'PUT /auth/profile', { token, body })

describe('PUT /auth/profile', () => {
  test('requires only a name, keeps omitted fields and completes a partial address', async () => {
    const shop = await openShop()
    const session = await register(shop)
    const phoneNumber = '+91 98765-43210'
    await saveProfile(shop, session, { name: 'Anita', phoneNumber, address: { city: 'Madurai' } })
    expect(userOf(await saveProfile(shop, session, { name: 'Anita K' }))).toMatchObject({
      name: 'Anita K',
      phoneNumber: '9876543210',
      address: { street: '', city: 'Madurai', state: '', pincode: '', country: 'India' }
    })
  })

  test('names invalid fields and changes nothing', async () => {
    const shop = await openShop()
    const session = await register(shop)
    for (const [draft, fields] of [
      [{ name: undefined }, { name: 'Name is required.' }],
      [
        { phoneNumber: '12345', address: { pincode: '62000' } },
        {
          phoneNumber: 'Please enter a valid 10-digit phone number',
          'address.pincode': 'Please enter a valid 6-digit pincode'
        }
      ],
      [
        { address: { ...address, pincode: '100001' } },
        { 'address.pincode': CHECKOUT_MESSAGES.pincodeUnknown }
      ],
      [
        { address: { ...address, state: 'Kerala', pincode: '560001' } },
        { 'address.state': '560001 is in Karnataka' }
      ]
    ] as const)
      expect(await saveProfile(shop, session, { name: 'Bala', ...draft })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields }
      })
    expect((await call(shop, 'GET /auth/me', { token: session.token })).body).toEqual(session.user)
  })
})

test.for(ENGINES)(
  'PUT /auth/profile saves and clears name, phone and address, also as JSON text, on %s',
  async engine => {
    const shop = await openShop(engine)
    const session = await register(shop)
    const save = async (fields: object) =>
      userOf(await saveProfile(shop, session, { name: ' Anita K ', ...fields }))
    const filled = { ...session.user, name: 'Anita K', phoneNumber: '9876543210', address }
    const cleared = { ...filled, phoneNumber: '', address: null }
    expect(await save({ phoneNumber: '9876543210', address })).toEqual(filled)
    const { token } = session
    expect((await call(shop, 'GET /auth/me', { token })).body).toEqual(filled)
    expect(await save({ phoneNumber: '', address: '' })).toEqual(cleared)
    const asText = { phoneNumber: '9876543210', address: JSON.stringify(address) }
    expect(await save(asText)).toEqual(filled)
    expect(await save({ phoneNumber: '', address: null })).toEqual(cleared)
  }
)

describe('PUT /auth/password', () => {
  const changePassword = (shop: Shop, { token }: Session, proof: object, password = 'adhirasam') =>
    call(shop, 'PUT /auth/password', { token, body: { password, proof } })

  test('ends all sessions and opens a new one if the current password is correct', async () => {
    const shop = await openShop()
    const [first, second] = [await register(shop), sessionOf(await logIn(shop))]
    const changed = sessionOf(await changePassword(shop, first, { password: ANITA.password }))
    expect(changed.user).toEqual(first.user)
    const states = [first, second, changed].map(session => isLoggedIn(shop, session))
    expect(await Promise.all(states)).toEqual([false, false, true])
    await expectOutcome(logIn(shop), '400 INVALID_CREDENTIALS')
    await expectOk(logIn(shop, { ...ANITA, password: 'adhirasam' }))
  })

  test("refuses a missing or wrong password and another person's code", async () => {
    const shop = await openShop()
    const session = await register(shop)
    await expectBody(changePassword(shop, session, {}), {
      fields: { proof: FIELD_TEXTS.verificationRequired }
    })
    const replies = [
      await changePassword(shop, session, { password: 'halwa-12' }),
      await changePassword(shop, session, { otp: await requestCode(shop, 'bala@example.com') }),
      await changePassword(shop, session, { password: ANITA.password }, '12345')
    ]
    expect(replies.map(statusAndCode)).toEqual([
      '400 INVALID_CREDENTIALS',
      '400 INVALID_OTP',
      '400 INVALID_INPUT'
    ])
    await expectOk(logIn(shop))
    expect(await isLoggedIn(shop, session)).toBe(true)
  })
})

describe.each(ENGINES)('GET /auth/my-data on %s', engine => {
  const message = { name: 'Anita', message: 'Do you send murukku to Chennai?' }

  test('returns everything stored about the user, without secrets', async () => {
    const shop = await openShop(engine)
    for (const email of ['Anita@Example.com', 'bala@example.com'])
      await shop.post('/contact', { ...message, email })
    const { token: impostor } = await register(shop)
    const unverified = (await call(shop, 'GET /auth/my-data', { token: impostor })).body as MyData
    expect(unverified.messages).toEqual([])
    const { token, user } = await logInByCode(shop)
    const reply = await call(shop, 'GET /auth/my-data', { token })
    expect(reply.body).toEqual({
      exportedAt: START_TIME,
      account: { ...user, createdAt: START_TIME, verifiedAt: START_TIME },
      sessions: [
        { createdAt: START_TIME, renewedAt: START_TIME, expiresAt: '2026-12-21T04:00:00.000Z' }
      ],
      bells: [],
      messages: [
        {
          ...message,
          reference: expect.any(String),
          phone: '',
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

test('DELETE /auth/me requires the password or a code', async () => {
  const shop = await openShop()
  const session = await register(shop)
  const replies = [
    await call(shop, 'DELETE /auth/me', { token: session.token }),
    await deleteAccount(shop, session, {}),
    await deleteAccount(shop, session, { password: 'halwa-12' })
  ]
  expect(replies.map(statusAndCode)).toEqual([
    '400 MALFORMED_REQUEST',
    '400 INVALID_INPUT',
    '400 INVALID_CREDENTIALS'
  ])
  await expectOk(logIn(shop))
})

test.for(ENGINES)(
  'DELETE /auth/me deletes all personal data, sessions and the password on %s',
  async engine => {
    const shop = await openShop(engine)
    const first = await register(shop)
    await saveProfile(shop, first, { name: 'Anita', phoneNumber: '9876543210', address })
    expect(await deleteAccount(shop, first)).toMatchObject({
      status: 200,
      body: { message: MESSAGES.accountDeleted }
    })
    expect(await isLoggedIn(shop, first)).toBe(false)
    await expectOutcome(logIn(shop), '400 INVALID_CREDENTIALS')
    const second = await logInByCode(shop)
    expect(second.user._id).not.toBe(first.user._id)
    shop.clock.advance(MINUTE)
    const proof = { otp: await requestCode(shop) }
    await expectOk(deleteAccount(shop, second, proof))
    const { kysely } = shop.database
    const users = await kysely.selectFrom('users').selectAll().execute()
    expect(users).toHaveLength(2)
    expect(JSON.stringify(users)).not.toMatch(/anita|9876543210|Nandi|argon/i)
    expect(await kysely.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await kysely.selectFrom('otp_codes').selectAll().execute()).toEqual([])
  }
)
