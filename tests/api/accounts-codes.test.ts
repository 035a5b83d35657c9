import { describe, expect, test } from 'vitest'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { OtpCodeRow } from '#server/platform/db/tables.ts'
import {
  ANITA,
  call,
  deviceOf,
  OTHER_IP,
  logIn,
  logInByCode,
  requestCode,
  statusAndCode,
  register,
  sessionOf,
  verifyCode,
  userOf,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const listCodes = ({ database }: Shop): Promise<OtpCodeRow[]> =>
  database.kysely.selectFrom('otp_codes').selectAll().orderBy('created_at').execute()
const sendCode = (shop: Shop, email: string, ip?: string): Promise<Reply> =>
  call(shop, 'POST /auth/send-otp', { body: { email }, ...(ip && { ip }) })

describe('Login code', () => {
  test('is in the subject and the first line of a mail with text and HTML parts', async () => {
    const shop = await openShop('sqlite')
    const reply = await sendCode(shop, ' Anita@Example.com ')
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        message: 'Check your email. The code may take a minute to arrive.',
        resendAfter: 60,
        expiresIn: 600
      }
    ])
    await shop.deliverMails()
    expect(shop.mails).toHaveLength(1)
    const [mail] = shop.mails
    const code = /^\d{6}/.exec(mail?.subject ?? '')?.[0] ?? 'no code'
    expect(mail?.to).toBe(ANITA.email)
    expect(mail?.text.split('\n')[0]).toContain(code)
    expect(mail?.text).toContain('expires in 10 minutes')
    expect(mail?.html).toContain(`>${code}</b>`)
    expect(mail?.html).not.toMatch(/<script|<img|href=/)
  })

  test('is stored only as a MAC whose key is not in the database', async () => {
    const shop = await openShop('sqlite')
    const code = await requestCode(shop)
    const [row] = await listCodes(shop)
    expect(row?.mac).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(code)
  })

  test('can be entered with spaces and hyphens', async () => {
    const shop = await openShop('sqlite')
    const code = await requestCode(shop)
    expect(statusAndCode(await verifyCode(shop, ` ${code.slice(0, 3)}-${code.slice(3)} `))).toBe(
      '200'
    )
  })

  test('must have six digits', async () => {
    const shop = await openShop('sqlite')
    for (const otp of ['12345', '1234567', 'abcdef', '']) {
      expect(await verifyCode(shop, otp)).toMatchObject({
        status: 400,
        body: { fields: { otp: FIELD_TEXTS.codeRequired } }
      })
    }
  })

  test('can be used once', async () => {
    const shop = await openShop('sqlite')
    const code = await requestCode(shop)
    expect(statusAndCode(await verifyCode(shop, code))).toBe('200')
    expect(statusAndCode(await verifyCode(shop, code))).toBe('400 INVALID_OTP')
  })

  test('is refused with OTP_EXPIRED after ten minutes', async () => {
    const shop = await openShop('sqlite')
    const [anitaCode, balaCode] = [
      await requestCode(shop),
      await requestCode(shop, 'bala@example.com')
    ]
    shop.clock.advance(10 * MINUTE - SECOND)
    expect(statusAndCode(await verifyCode(shop, anitaCode))).toBe('200')
    shop.clock.advance(SECOND)
    const reply = await verifyCode(shop, balaCode, 'bala@example.com')
    expect([reply.status, reply.body]).toEqual([
      400,
      { message: 'This code has expired. Please request a new one.', code: 'OTP_EXPIRED' }
    ])
  })

  test('is not valid for another email', async () => {
    const shop = await openShop('sqlite')
    const [anitaCode] = [await requestCode(shop), await requestCode(shop, 'bala@example.com')]
    expect(statusAndCode(await verifyCode(shop, anitaCode, 'bala@example.com'))).toBe(
      '400 INVALID_OTP'
    )
  })

  test('is refused for an email for which no code was requested', async () => {
    const shop = await openShop('sqlite')
    expect(statusAndCode(await verifyCode(shop, '123456', 'nobody@example.com'))).toBe(
      '400 INVALID_OTP'
    )
  })

  test('is requested and refused with the same replies whether the email has an account or not', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const { date: _, ...known } = (await sendCode(shop, ANITA.email)).headers
    const reply = await sendCode(shop, 'nobody@example.com', OTHER_IP)
    expect(reply.headers).toMatchObject(known)
    expect(reply.text).toBe((await sendCode(shop, 'nobody.else@example.com')).text)
    await shop.deliverMails()
    expect(shop.mails.map(({ to }) => to).sort()).toEqual([
      ANITA.email,
      'nobody.else@example.com',
      'nobody@example.com'
    ])
    const wrong = [wrongCode(), wrongCode()] as const
    expect((await verifyCode(shop, wrong[0])).text).toBe(
      (await verifyCode(shop, wrong[1], 'nobody@example.com')).text
    )
  })

  test('is mailed with the same text whether the email has an account or not', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const mailText = (code: string): string => shop.mails.at(-1)?.text.replaceAll(code, '') ?? ''
    const known = mailText(await requestCode(shop))
    expect(mailText(await requestCode(shop, 'nobody@example.com'))).toBe(known)
    expect(known).not.toBe('')
  })
})

describe.each(ENGINES)('Login code on %s', engine => {
  test('creates an account for a new email, with the part before the @ as the name', async () => {
    const shop = await openShop(engine)
    const { token, user } = await logInByCode(shop)
    expect(user).toMatchObject({
      email: ANITA.email,
      name: 'anita',
      role: 'user',
      hasPassword: false,
      verified: true
    })
    expect(userOf(await call(shop, 'GET /auth/me', { token }))).toEqual(user)
  })

  test('is accepted only once if four parallel requests contain it', async () => {
    const shop = await openShop(engine)
    const code = await requestCode(shop)
    const replies = await Promise.all([1, 2, 3, 4].map(() => verifyCode(shop, code)))
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      ...Array<string>(3).fill('400 INVALID_OTP')
    ])
  })
})

describe('Several login codes', () => {
  test('are valid only until one of them is used', async () => {
    const shop = await openShop('sqlite')
    const first = await requestCode(shop)
    shop.clock.advance(MINUTE)
    const second = await requestCode(shop)
    expect(statusAndCode(await verifyCode(shop, first))).toBe('200')
    expect(statusAndCode(await verifyCode(shop, second))).toBe('400 INVALID_OTP')
  })

  test('allow five new attempts if a new code is requested after five wrong attempts', async () => {
    const shop = await openShop('sqlite')
    const oldCode = await requestCode(shop)
    for (let n = 0; n < 5; n++) await verifyCode(shop, wrongCode(oldCode))
    shop.clock.advance(MINUTE)
    const newCode = await requestCode(shop)
    for (let n = 0; n < 4; n++)
      expect(statusAndCode(await verifyCode(shop, wrongCode(oldCode, newCode)))).toBe(
        '400 INVALID_OTP'
      )
    expect(statusAndCode(await verifyCode(shop, newCode))).toBe('200')
  })

  test('allow five new attempts if a new code is requested after the old code has expired', async () => {
    const shop = await openShop('sqlite')
    const expiredCode = await requestCode(shop)
    for (let n = 0; n < 4; n++) await verifyCode(shop, wrongCode(expiredCode))
    shop.clock.advance(10 * MINUTE)
    const newCode = await requestCode(shop)
    for (let n = 0; n < 4; n++) await verifyCode(shop, wrongCode(expiredCode, newCode))
    expect(statusAndCode(await verifyCode(shop, newCode))).toBe('200')
  })
})

describe.each(ENGINES)('Several login codes on %s', engine => {
  test('are all refused except the two newest', async () => {
    const shop = await openShop(engine)
    const sentCodes: string[] = []
    for (let n = 0; n < 3; n++) {
      sentCodes.push(await requestCode(shop))
      shop.clock.advance(MINUTE)
    }
    const [oldest = '', older = ''] = sentCodes
    expect(statusAndCode(await verifyCode(shop, oldest))).toBe('400 INVALID_OTP')
    expect(statusAndCode(await verifyCode(shop, older))).toBe('200')
  })

  test('are all refused after five wrong attempts, until a new code is requested', async () => {
    const shop = await openShop(engine)
    const first = await requestCode(shop)
    shop.clock.advance(MINUTE)
    const second = await requestCode(shop)
    for (let n = 0; n < 5; n++) await verifyCode(shop, wrongCode(first, second))
    for (const code of [first, second]) {
      expect((await verifyCode(shop, code)).body).toEqual({
        message: 'This code is no longer valid. Please request a new one.',
        code: 'INVALID_OTP'
      })
    }
    shop.clock.advance(MINUTE)
    expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
  })

  test('allow only five of a hundred parallel attempts from one IP', async () => {
    const shop = await openShop(engine)
    const code = await requestCode(shop)
    const guesses = Array.from({ length: 100 }, (_, n) => String(n).padStart(6, '9')).filter(
      guess => guess !== code
    )
    const replies = await Promise.all(guesses.map(guess => verifyCode(shop, guess)))
    const texts = replies.map(({ body }) => (body as { message: string }).message)
    expect(
      texts.filter(text => text === 'This code is wrong. Please check it and try again.')
    ).toHaveLength(5)
    expect(statusAndCode(await verifyCode(shop, code))).toBe('400 INVALID_OTP')
  })
})

describe("Account registered with another person's email", () => {
  test('has no password and no old sessions after the owner of the email logs in by code', async () => {
    const shop = await openShop('sqlite')
    const impostor = await register(shop)
    const { token, user } = await logInByCode(shop)
    expect(user).toMatchObject({ _id: impostor.user._id, verified: true, hasPassword: false })
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token: impostor.token }))).toBe(
      '401 UNAUTHORIZED'
    )
    expect(statusAndCode(await logIn(shop))).toBe('400 INVALID_CREDENTIALS')
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('200')
  })

  test('keeps the password that the owner of the email sets after logging in by code', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const { token } = await logInByCode(shop)
    shop.clock.advance(MINUTE)
    const proof = { otp: await requestCode(shop) }
    const changed = sessionOf(
      await call(shop, 'PUT /auth/password', { token, body: { password: 'adhirasam', proof } })
    )
    shop.clock.advance(MINUTE)
    await logInByCode(shop)
    expect(statusAndCode(await logIn(shop, { email: ANITA.email, password: 'adhirasam' }))).toBe(
      '200'
    )
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token: changed.token }))).toBe('200')
  })
})

describe("Data on an account registered with another person's email", () => {
  const fillAccount = async (shop: Shop): Promise<string> => {
    await shop.addToCatalog({ products: { laddu: {} }, deals: { now: { product: 'laddu' } } })
    const reply = await call(shop, 'POST /auth/register', { body: ANITA })
    const { token } = sessionOf(reply)
    const body = {
      name: 'Impostor',
      phoneNumber: '9876543210',
      address: { street: '1 Wrong Street' }
    }
    expect(statusAndCode(await call(shop, 'PUT /auth/profile', { token, body }))).toBe('200')
    const lines = [{ product: 'laddu', quantity: 2 }]
    expect(
      statusAndCode(await call(shop, 'PUT /cart', { token, body: { lines, version: 0 } }))
    ).toBe('200')
    expect(statusAndCode(await call(shop, 'POST /flash-deals/generate/laddu', { token }))).toBe(
      '200'
    )
    return deviceOf(reply)
  }
  const countData = async ({ database: { kysely } }: Shop): Promise<number[]> => [
    (await kysely.selectFrom('carts').select('user_id').execute()).length,
    (await kysely.selectFrom('draws').select('user_id').execute()).length
  ]

  test('is cleared when the owner logs in by code: profile, cart and draws', async () => {
    const shop = await openShop('sqlite')
    await fillAccount(shop)
    const { user } = await logInByCode(shop)
    expect(user).toMatchObject({ name: 'anita', phoneNumber: '', address: null })
    expect(await countData(shop)).toEqual([0, 0])
  })

  test('stays if the browser that registered enters the code', async () => {
    const shop = await openShop('sqlite')
    const device = await fillAccount(shop)
    const body = { email: ANITA.email, otp: await requestCode(shop) }
    const { user } = sessionOf(await call(shop, 'POST /auth/verify-otp', { body, device }))
    expect(user).toMatchObject({ name: 'Impostor', phoneNumber: '9876543210' })
    expect(await countData(shop)).toEqual([1, 1])
  })

  test('stays at later codes', async () => {
    const shop = await openShop('sqlite')
    const { token } = await logInByCode(shop)
    await call(shop, 'PUT /auth/profile', { token, body: { name: 'Anita Kumar' } })
    shop.clock.advance(MINUTE)
    expect((await logInByCode(shop)).user.name).toBe('Anita Kumar')
  })
})

describe.each(ENGINES)("Account registered with another person's email on %s", engine => {
  test('ends the session of a parallel password login when the owner of the email logs in by code', async () => {
    const shop = await openShop(engine)
    await register(shop)
    const code = await requestCode(shop)
    const [login] = await Promise.all([logIn(shop), verifyCode(shop, code)])
    const { token = '' } = login.body as { token?: string }
    expect(statusAndCode(await call(shop, 'GET /auth/me', { token }))).toBe('401 UNAUTHORIZED')
  })
})
