import { describe, expect, test } from 'vitest'
import type { MyData, Session } from '#lib/contract/accounts.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ADMIN,
  ANITA,
  call,
  logIn,
  logInAsAdmin,
  logInByCode,
  register,
  requestCode,
  sessionOf,
  statusAndCode,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const NEW_EMAIL = 'anita@kumar.example'
const PASSWORD = { password: ANITA.password }

const requestChange = (
  shop: Shop,
  { token }: Session,
  email = NEW_EMAIL,
  proof: object = PASSWORD
): Promise<Reply> => call(shop, 'POST /auth/email-code', { token, body: { email, proof } })

const changeEmail = (
  shop: Shop,
  { token }: Session,
  otp: string,
  email = NEW_EMAIL
): Promise<Reply> => call(shop, 'PUT /auth/email', { token, body: { email, otp } })

async function sendChangeCode(
  shop: Shop,
  session: Session,
  email = NEW_EMAIL,
  proof: object = PASSWORD
) {
  const reply = await requestChange(shop, session, email, proof)
  if (reply.status !== 200) throw new Error(reply.text)
  return mailedCode(shop, email)
}

async function mailedCode(shop: Shop, email: string): Promise<string> {
  await shop.deliverMails()
  const mail = shop.mails.findLast(({ to, subject }) => to === email && /^\d{6}/.test(subject))
  return mail?.subject.slice(0, 6) ?? 'no code'
}

const me = async (shop: Shop, { token }: Session): Promise<string> =>
  statusAndCode(await call(shop, 'GET /auth/me', { token }))

describe.each(ENGINES)('Change of the email address on %s', engine => {
  test('needs the password and a code to the new address, and ends all other sessions', async () => {
    const shop = await openShop(engine)
    const [session, other] = [await register(shop), sessionOf(await logIn(shop))]
    const changed = sessionOf(await changeEmail(shop, session, await sendChangeCode(shop, session)))
    expect(changed.user).toEqual({ ...session.user, email: NEW_EMAIL, verified: true })
    expect(await Promise.all([session, other, changed].map(one => me(shop, one)))).toEqual([
      '401 UNAUTHORIZED',
      '401 UNAUTHORIZED',
      '200'
    ])
    expect(statusAndCode(await logIn(shop))).toBe('400 INVALID_CREDENTIALS')
    expect(statusAndCode(await logIn(shop, { ...ANITA, email: NEW_EMAIL }))).toBe('200')
  })

  test('gives an address to only one of two accounts that ask for it at once', async () => {
    const shop = await openShop(engine)
    const [first, second] = [
      await register(shop),
      await register(shop, { email: 'bala@example.com' })
    ]
    const codes = [await sendChangeCode(shop, first), await sendChangeCode(shop, second)]
    const replies = await Promise.all(
      [first, second].map((session, n) => changeEmail(shop, session, codes[n] ?? ''))
    )
    expect(replies.map(statusAndCode).sort()).toEqual(['200', '409 EMAIL_TAKEN'])
    const users = await shop.database.kysely.selectFrom('users').select('email').execute()
    expect(users.filter(({ email }) => email === NEW_EMAIL)).toHaveLength(1)
  })
})

describe('Change of the email address', () => {
  test('tells the old address, without naming the new one', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    await changeEmail(shop, session, await sendChangeCode(shop, session))
    await shop.deliverMails()
    const [notice, ...others] = shop.mails.filter(({ to }) => to === ANITA.email)
    expect(others).toEqual([])
    expect(notice?.subject).toMatch(/account has a new email address$/)
    expect(notice?.text).toContain('Was this not you?')
    expect(JSON.stringify(notice)).not.toContain(NEW_EMAIL)
  })

  test('sends nothing to the new address before the user is verified', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const replies = [
      await requestChange(shop, session, NEW_EMAIL, { password: 'guessed' }),
      await requestChange(shop, session, NEW_EMAIL, { otp: wrongCode(await requestCode(shop)) }),
      await call(shop, 'POST /auth/email-code', { body: { email: NEW_EMAIL, proof: PASSWORD } })
    ]
    expect(replies.map(statusAndCode)).toEqual([
      '400 INVALID_CREDENTIALS',
      '400 INVALID_OTP',
      '401 UNAUTHORIZED'
    ])
    await shop.deliverMails()
    expect(shop.mails.filter(({ to }) => to === NEW_EMAIL)).toEqual([])
  })

  test('accepts a code to the old address instead of a password', async () => {
    const shop = await openShop('sqlite')
    const session = await logInByCode(shop)
    shop.clock.advance(MINUTE)
    const code = await sendChangeCode(shop, session, NEW_EMAIL, { otp: await requestCode(shop) })
    expect(sessionOf(await changeEmail(shop, session, code)).user.email).toBe(NEW_EMAIL)
  })

  test('keeps the contact messages of a verified address with the account, until it is deleted', async () => {
    const shop = await openShop('sqlite')
    const message = { name: 'Anita', message: 'Do you deliver to Madurai?' }
    await shop.post('/contact', { ...message, email: 'Anita@Example.com' })
    await shop.post('/contact', { ...message, email: 'bala@example.com' })
    const change = async (session: Session, email: string): Promise<Session> => {
      shop.clock.advance(MINUTE)
      const proof = { otp: await requestCode(shop, session.user.email) }
      return sessionOf(
        await changeEmail(shop, session, await sendChangeCode(shop, session, email, proof), email)
      )
    }
    const { token } = await change(
      await change(await logInByCode(shop), NEW_EMAIL),
      'newer@kumar.example'
    )
    const { body } = await call(shop, 'GET /auth/my-data', { token })
    expect((body as MyData).messages).toMatchObject([{ message: message.message }])
    shop.clock.advance(MINUTE)
    const proof = { otp: await requestCode(shop, 'newer@kumar.example') }
    expect(statusAndCode(await call(shop, 'DELETE /auth/me', { token, body: { proof } }))).toBe(
      '200'
    )
    const left = await shop.database.kysely.selectFrom('contact_messages').select('email').execute()
    expect(left).toEqual([{ email: 'bala@example.com' }])
  })

  test('takes over no contact messages of an address that was never verified', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', {
      name: 'Anita',
      email: ANITA.email,
      message: 'Do you deliver to Madurai?'
    })
    const session = await register(shop)
    await changeEmail(shop, session, await sendChangeCode(shop, session))
    const left = await shop.database.kysely.selectFrom('contact_messages').select('email').execute()
    expect(left).toEqual([{ email: ANITA.email }])
  })

  test('goes on in the same session if a first code verifies the old address', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const code = await sendChangeCode(shop, session, NEW_EMAIL, { otp: await requestCode(shop) })
    expect(sessionOf(await changeEmail(shop, session, code)).user).toMatchObject({
      email: NEW_EMAIL,
      hasPassword: false
    })
  })

  test('accepts no code that was sent for a login, for another account or for another address', async () => {
    const shop = await openShop('sqlite')
    const [anita, bala] = [
      await register(shop),
      await register(shop, { email: 'bala@example.com' })
    ]
    const [loginCode, code] = [
      await requestCode(shop, NEW_EMAIL),
      await sendChangeCode(shop, anita)
    ]
    if (loginCode !== code)
      expect(statusAndCode(await changeEmail(shop, anita, loginCode))).toBe('400 INVALID_OTP')
    expect(statusAndCode(await changeEmail(shop, bala, code))).toBe('400 INVALID_OTP')
    expect(statusAndCode(await changeEmail(shop, anita, code, 'other@kumar.example'))).toBe(
      '400 INVALID_OTP'
    )
    if (loginCode !== code)
      expect(statusAndCode(await verifyCode(shop, code, NEW_EMAIL))).toBe('400 INVALID_OTP')
    expect(statusAndCode(await changeEmail(shop, anita, code))).toBe('200')
  })

  test('refuses an expired code, a used one, and every code after five wrong ones', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const expired = await sendChangeCode(shop, session)
    shop.clock.advance(11 * MINUTE)
    expect(statusAndCode(await changeEmail(shop, session, expired))).toBe('400 OTP_EXPIRED')
    const code = await sendChangeCode(shop, session)
    for (let n = 0; n < 5; n++) await changeEmail(shop, session, wrongCode(code, expired))
    expect((await changeEmail(shop, session, code)).body).toMatchObject({
      message: 'This code is no longer valid. Please request a new one.'
    })
    shop.clock.advance(MINUTE)
    const fresh = await sendChangeCode(shop, session)
    const changed = sessionOf(await changeEmail(shop, session, fresh))
    expect(statusAndCode(await changeEmail(shop, changed, fresh))).toBe('400 INVALID_OTP')
  })

  test('reveals only to the owner of the new address that it has an account', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    await register(shop, { email: NEW_EMAIL })
    const [taken, free] = [
      await requestChange(shop, session),
      await requestChange(shop, session, 'free@kumar.example')
    ]
    expect(taken.body).toEqual(free.body)
    expect((await changeEmail(shop, session, await mailedCode(shop, NEW_EMAIL))).body).toEqual({
      code: 'EMAIL_TAKEN',
      message:
        'This address already has an account. Please use another one, or log in to that account.'
    })
    expect(await me(shop, session)).toBe('200')
  })

  test('refuses the address that the account has', async () => {
    const shop = await openShop('sqlite')
    const reply = await requestChange(shop, await register(shop), ` ${ANITA.email.toUpperCase()} `)
    expect(reply.body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { email: 'This is already your email address' }
    })
  })

  test('sends one code a minute to an address', async () => {
    const shop = await openShop('sqlite')
    const session = await register(shop)
    const replies = [await requestChange(shop, session), await requestChange(shop, session)]
    expect(replies.map(statusAndCode)).toEqual(['200', '429 TOO_MANY_REQUESTS'])
  })

  test('is in the audit log, with an administrator’s name but not with a customer’s', async () => {
    const shop = await openShop('sqlite')
    const [admin, customer] = [await logInAsAdmin(shop), await register(shop)]
    const code = await sendChangeCode(shop, admin, 'meena@home.example', {
      password: ADMIN.password
    })
    const { token } = sessionOf(await changeEmail(shop, admin, code, 'meena@home.example'))
    await changeEmail(shop, customer, await sendChangeCode(shop, customer))
    const entries = (await call(shop, 'GET /admin/audit?kind=user', { token })).body
    const entry = { action: 'changed e-mail', before: null, after: null }
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...entry, actor: { id: admin.user._id, name: 'Administrator' } }),
        expect.objectContaining({
          ...entry,
          actor: { id: customer.user._id, name: 'The customer' }
        })
      ])
    )
    expect(JSON.stringify(entries)).not.toMatch(/example|Anita/)
  })
})
