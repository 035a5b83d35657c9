import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  ANITA,
  call,
  deviceOf,
  expectOk,
  expectOutcome,
  logIn,
  logInByCode,
  OTHER_IP,
  register,
  requestCode,
  sessionOf,
  statusAndCode,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

const BALA = 'bala@example.com'
const sendCode = (shop: Shop, email: string, ip?: string) =>
  call(shop, 'POST /auth/send-otp', { body: { email }, ...(ip && { ip }) })

describe('Login code', () => {
  test('is in the subject and text of a mail, and stored only as a MAC', async () => {
    const shop = await openShop()
    expect(await sendCode(shop, ' Anita@Example.com ')).toMatchObject({
      status: 200,
      body: {
        message: 'This shop can’t send emails yet, so no code was sent.',
        sent: false,
        resendAfter: 60,
        expiresIn: 600
      }
    })
    await shop.deliverMails()
    const [mail, ...others] = shop.mails
    const code = /^\d{6}/.exec(mail?.subject ?? '')?.[0] ?? 'no code'
    expect([mail?.to, others]).toEqual([ANITA.email, []])
    expect(mail?.text.split('\n')[0]).toContain(code)
    expect(mail?.text).toContain('expires in 10 minutes')
    expect(mail?.html).toContain(`>${code}</b>`)
    expect(mail?.html).not.toMatch(/<script|<img|href=/)
    const [row] = await shop.database.kysely.selectFrom('otp_codes').selectAll().execute()
    expect(row?.mac).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(code)
  })

  test('has six digits and can be entered with spaces and hyphens', async () => {
    const shop = await openShop()
    const code = await requestCode(shop)
    for (const otp of ['12345', '1234567', 'abcdef', ''])
      expect(await verifyCode(shop, otp)).toMatchObject({
        status: 400,
        body: { fields: { otp: FIELD_TEXTS.codeRequired } }
      })
    const typed = ` ${code.slice(0, 3)}-${code.slice(3)} `
    await expectOk(verifyCode(shop, typed))
  })

  test('is valid for ten minutes, and only for its email', async () => {
    const shop = await openShop()
    const [anitaCode, balaCode] = [await requestCode(shop), await requestCode(shop, BALA)]
    if (anitaCode !== balaCode)
      await expectOutcome(verifyCode(shop, anitaCode, BALA), '400 INVALID_OTP')
    shop.clock.advance(10 * MINUTE - SECOND)
    await expectOk(verifyCode(shop, anitaCode))
    shop.clock.advance(SECOND)
    expect((await verifyCode(shop, balaCode, BALA)).body).toEqual({
      message: 'This code has expired. Please request a new one.',
      code: 'OTP_EXPIRED'
    })
  })

  test('does not reveal by reply or mail whether the email has an account', async () => {
    const shop = await openShop()
    await register(shop)
    const [known, unknown] = [
      await sendCode(shop, ANITA.email),
      await sendCode(shop, 'nobody@example.com', OTHER_IP)
    ]
    const { date: _, ...headers } = known.headers
    expect(unknown).toMatchObject({ text: known.text, headers })
    await shop.deliverMails()
    const texts = shop.mails.map(({ text }) => text.replace(/\d{6}/, ''))
    expect([texts.length, new Set(texts).size]).toEqual([2, 1])
    const wrong = wrongCode(...shop.mails.map(({ subject }) => subject.slice(0, 6)))
    expect((await verifyCode(shop, wrong)).text).toBe(
      (await verifyCode(shop, wrong, 'nobody@example.com')).text
    )
  })
})

describe.each(ENGINES)('Login code on %s', engine => {
  test('is accepted only once if four parallel requests contain it', async () => {
    const shop = await openShop(engine)
    const code = await requestCode(shop)
    const replies = await Promise.all([1, 2, 3, 4].map(() => verifyCode(shop, code)))
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      ...Array<string>(3).fill('400 INVALID_OTP')
    ])
  })

  test('of the two newest is valid until one of them is used', async () => {
    const shop = await openShop(engine)
    const codes: string[] = []
    for (let n = 0; n < 3; n++) {
      codes.push(await requestCode(shop))
      shop.clock.advance(MINUTE)
    }
    const outcomes: string[] = []
    for (const code of codes) outcomes.push(statusAndCode(await verifyCode(shop, code)))
    expect(outcomes).toEqual(['400 INVALID_OTP', '200', '400 INVALID_OTP'])
  })

  test('is refused after five wrong attempts, until a new one allows five more', async () => {
    const shop = await openShop(engine)
    const code = await requestCode(shop)
    for (let n = 0; n < 5; n++)
      expect((await verifyCode(shop, wrongCode(code))).text).toContain('This code is wrong')
    expect((await verifyCode(shop, code)).body).toEqual({
      message: 'This code is no longer valid. Please request a new one.',
      code: 'INVALID_OTP'
    })
    shop.clock.advance(MINUTE)
    const newCode = await requestCode(shop)
    for (let n = 0; n < 4; n++) await verifyCode(shop, wrongCode(code, newCode))
    await expectOk(verifyCode(shop, newCode))
  })
})

describe("Account registered with another person's email", () => {
  const fillAccount = async (shop: Shop) => {
    await shop.addToCatalog({ products: { laddu: {} }, deals: { now: { product: 'laddu' } } })
    const reply = await call(shop, 'POST /auth/register', { body: ANITA })
    const { token } = sessionOf(reply)
    const profile = { name: 'Impostor', phoneNumber: '9876543210', address: { street: '1 Street' } }
    const cart = { lines: [{ product: 'laddu', quantity: 2 }], version: 0 }
    const replies = [
      await call(shop, 'PUT /auth/profile', { token, body: profile }),
      await call(shop, 'PUT /cart', { token, body: cart }),
      await call(shop, 'POST /flash-deals/generate/laddu', { token })
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    return deviceOf(reply)
  }
  const countData = async ({ database: { kysely } }: Shop) => [
    (await kysely.selectFrom('sessions').select('user_id').execute()).length,
    (await kysely.selectFrom('carts').select('user_id').execute()).length,
    (await kysely.selectFrom('draws').select('user_id').execute()).length
  ]

  test('loses password, sessions, profile, cart and draws when the owner logs in by code', async () => {
    const shop = await openShop()
    await fillAccount(shop)
    const { user } = await logInByCode(shop)
    const unused = { phoneNumber: '', address: null, hasPassword: false, verified: true }
    expect(user).toMatchObject({ name: 'anita', ...unused })
    expect(await countData(shop)).toEqual([1, 0, 0])
    await expectOutcome(logIn(shop), '400 INVALID_CREDENTIALS')
  })

  test('keeps its data if the browser that registered enters the code', async () => {
    const shop = await openShop()
    const device = await fillAccount(shop)
    const body = { email: ANITA.email, otp: await requestCode(shop) }
    const { user } = sessionOf(await call(shop, 'POST /auth/verify-otp', { body, device }))
    expect(user).toMatchObject({ name: 'Impostor', phoneNumber: '9876543210' })
    expect(await countData(shop)).toEqual([1, 1, 1])
  })

  test('keeps password, sessions and name of its owner at later codes', async () => {
    const shop = await openShop()
    await register(shop)
    const { token } = await logInByCode(shop)
    await call(shop, 'PUT /auth/profile', { token, body: { name: 'Anita K' } })
    shop.clock.advance(MINUTE)
    const body = { password: 'adhirasam', proof: { otp: await requestCode(shop) } }
    const changed = sessionOf(await call(shop, 'PUT /auth/password', { token, body }))
    shop.clock.advance(MINUTE)
    expect((await logInByCode(shop)).user.name).toBe('Anita K')
    await expectOk(logIn(shop, { ...ANITA, password: 'adhirasam' }))
    await expectOk(call(shop, 'GET /auth/me', { token: changed.token }))
  })
})

test.for(ENGINES)(
  'Expired sessions, codes, counts and their mails are deleted on %s',
  async engine => {
    const shop = await openShop(engine)
    const { kysely } = shop.database
    const countRows = async () => {
      const tables = ['sessions', 'otp_codes', 'rate_counts', 'outbox'] as const
      const rows = tables.map(table => kysely.selectFrom(table).selectAll().execute())
      return (await Promise.all(rows)).map(({ length }) => length)
    }
    await shop.post('/contact', { name: 'Anita', email: ANITA.email, message: 'Vanakkam' })
    await logInByCode(shop)
    // A mail with a code that is not delivered yet.
    await sendCode(shop, BALA)
    const [sessions, codes, counts = 0] = await countRows()
    expect([sessions, codes]).toEqual([1, 2])
    for (const [wait, mails] of [
      [0, 3],
      [11 * MINUTE, 2]
    ] as const) {
      shop.clock.advance(wait)
      await deleteExpired(shop)
      expect(await countRows()).toEqual([1, 2, counts, mails])
    }
    shop.clock.advance(DAY + HOUR)
    await deleteExpired(shop)
    expect(await countRows()).toEqual([1, 0, 0, 2])
    shop.clock.advance(29 * DAY)
    await deleteExpired(shop)
    expect(await countRows()).toEqual([0, 0, 0, 2])
  }
)
