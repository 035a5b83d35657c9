import { describe, expect, test } from 'vitest'
import { codeResendText, tooManyRequestsText } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  addAttempts,
  ANITA,
  call,
  OTHER_IP,
  logIn,
  logInByCode,
  requestCode,
  statusAndCode,
  register,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const sendCode = (shop: Shop, email = ANITA.email, ip?: string): Promise<Reply> =>
  call(shop, 'POST /auth/send-otp', { body: { email }, ...(ip && { ip }) })
const refusalOf = ({ status, body, headers }: Reply): unknown => [
  status,
  (body as { message?: string }).message,
  headers['retry-after']
]

describe('Requests for login codes', () => {
  test.for(['anita@example.com', 'nobody@example.com'])(
    'are limited to one per minute for %s',
    async email => {
      const shop = await openShop('sqlite')
      await register(shop)
      expect(statusAndCode(await sendCode(shop, email))).toBe('200')
      shop.clock.advance(MINUTE - SECOND)
      expect(refusalOf(await sendCode(shop, email, OTHER_IP))).toEqual([
        429,
        codeResendText(1),
        '1'
      ])
      expect(codeResendText(1)).toBe('You can request another code in 1 second.')
      shop.clock.advance(SECOND)
      expect(statusAndCode(await sendCode(shop, email))).toBe('200')
    }
  )

  test('are limited to twenty per day for one email', async () => {
    const shop = await openShop('sqlite')
    for (let n = 0; n < 20; n++) {
      expect(statusAndCode(await sendCode(shop, ANITA.email, `198.51.100.${n % 3}`))).toBe('200')
      shop.clock.advance(HOUR / 2)
    }
    expect(refusalOf(await sendCode(shop))).toEqual([
      429,
      tooManyRequestsText(10 * 3600),
      String(10 * 3600)
    ])
    shop.clock.advance(10 * HOUR)
    await deleteExpired(shop)
    expect(statusAndCode(await sendCode(shop))).toBe('200')
  })

  test('are limited to six hundred per hour from one IP, even for different emails', async () => {
    const shop = await openShop('sqlite')
    await sendCode(shop, 'a1@example.com')
    await addAttempts(shop, 598)
    expect(statusAndCode(await sendCode(shop, 'a2@example.com'))).toBe('200')
    shop.clock.advance(15 * MINUTE)
    expect(refusalOf(await sendCode(shop))).toEqual([429, tooManyRequestsText(2700), '2700'])
    expect(statusAndCode(await sendCode(shop, ANITA.email, OTHER_IP))).toBe('200')
    shop.clock.advance(45 * MINUTE)
    expect(statusAndCode(await sendCode(shop))).toBe('200')
  })

  test('count towards the same limit if they come from one IPv6 /64 network', async () => {
    const shop = await openShop('sqlite')
    const ipOf = (n: number): string => `2001:db8:0:7::${n.toString(16)}`
    await sendCode(shop, 'a1@example.com', ipOf(1))
    await addAttempts(shop, 598)
    expect(statusAndCode(await sendCode(shop, 'a2@example.com', ipOf(2)))).toBe('200')
    expect(statusAndCode(await sendCode(shop, ANITA.email, ipOf(3)))).toBe('429 TOO_MANY_REQUESTS')
    expect(statusAndCode(await sendCode(shop, ANITA.email, '2001:db8:0:8::1'))).toBe('200')
  })

  test('do not count towards the limits if they are refused', async () => {
    const shop = await openShop('sqlite')
    await sendCode(shop)
    for (let n = 0; n < 30; n++) await sendCode(shop)
    expect(statusAndCode(await sendCode(shop, 'bala@example.com'))).toBe('200')
  })

  test('succeed while the mail server is down', async () => {
    const shop = await openShop('sqlite', {
      mail: { send: () => Promise.reject(new Error('down')) }
    })
    expect(statusAndCode(await sendCode(shop))).toBe('200')
    await shop.deliverMails()
    const waiting = await shop.database.kysely.selectFrom('outbox').select('state').execute()
    expect(waiting).toEqual([{ state: 'waiting' }])
  })
})

describe.each(ENGINES)('Requests for login codes on %s', engine => {
  test('send only one code if they are made in parallel', async () => {
    const shop = await openShop(engine)
    const replies = await Promise.all(
      [1, 2, 3, 4].map(n => sendCode(shop, ANITA.email, `198.51.100.${n}`))
    )
    expect(replies.map(statusAndCode).sort()).toEqual([
      '200',
      ...Array<string>(3).fill('429 TOO_MANY_REQUESTS')
    ])
    await shop.deliverMails()
    expect(shop.mails).toHaveLength(1)
  })
})

describe('Requests for login codes', () => {
  test('are limited to five per hour for one email and IP, and to ten from all IPs', async () => {
    const shop = await openShop('sqlite')
    for (let n = 0; n < 10; n++) {
      const ip = `198.51.100.${Math.floor(n / 5)}`
      expect(statusAndCode(await sendCode(shop, ANITA.email, ip))).toBe('200')
      shop.clock.advance(5 * MINUTE)
      if (n === 4)
        expect(statusAndCode(await sendCode(shop, ANITA.email, ip))).toBe('429 TOO_MANY_REQUESTS')
    }
    expect(refusalOf(await sendCode(shop))).toEqual([429, tooManyRequestsText(600), '600'])
    expect(tooManyRequestsText(600)).toBe('Too many requests. Please try again in 10 minutes.')
    shop.clock.advance(10 * MINUTE)
    expect(statusAndCode(await sendCode(shop))).toBe('200')
  })
})

test('One IP can try 1,200 login codes per hour', async () => {
  const shop = await openShop('sqlite')
  await verifyCode(shop, wrongCode(), 'a1@example.com')
  await addAttempts(shop, 1198)
  expect(statusAndCode(await verifyCode(shop, wrongCode(), 'a2@example.com'))).toBe(
    '400 INVALID_OTP'
  )
  const code = await requestCode(shop)
  expect(refusalOf(await verifyCode(shop, code))).toEqual([429, tooManyRequestsText(3600), '3600'])
  expect(statusAndCode(await verifyCode(shop, code, ANITA.email, OTHER_IP))).toBe('200')
})

const countRows = async ({ database: { kysely } }: Shop): Promise<number[]> => {
  const [sessions, codes, rates, mails] = await Promise.all([
    kysely.selectFrom('sessions').select('token_hash').execute(),
    kysely.selectFrom('otp_codes').select('id').execute(),
    kysely.selectFrom('rate_counts').select('key').execute(),
    kysely.selectFrom('outbox').select('id').execute()
  ])
  return [sessions, codes, rates, mails].map(rows => rows.length)
}

describe.each(ENGINES)('Cleanup of expired data on %s', engine => {
  test('deletes sessions, codes, attempts, rate counts and mails with codes', async () => {
    const shop = await openShop(engine)
    await logInByCode(shop)
    expect(await countRows(shop)).toEqual([1, 1, 8, 1])
    await deleteExpired(shop)
    expect(await countRows(shop)).toEqual([1, 1, 8, 0])
    shop.clock.advance(DAY + HOUR)
    await deleteExpired(shop)
    expect(await countRows(shop)).toEqual([1, 0, 0, 0])
    shop.clock.advance(29 * DAY)
    await deleteExpired(shop)
    expect(await countRows(shop)).toEqual([0, 0, 0, 0])
  })

  test('keeps the counts of rate limits that still apply', async () => {
    const shop = await openShop(engine)
    await register(shop)
    for (let n = 0; n < 10; n++) await logIn(shop, { ...ANITA, password: 'halwa-12' })
    await deleteExpired(shop)
    expect(statusAndCode(await logIn(shop))).toBe('429 TOO_MANY_REQUESTS')
  })
})

describe('Cleanup of expired data', () => {
  test('deletes an undelivered mail only if it contains an expired code', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', { name: 'Anita', email: ANITA.email, message: 'Vanakkam' })
    await sendCode(shop)
    await deleteExpired(shop)
    // The message to the shop, the receipt and the code.
    expect((await countRows(shop))[3]).toBe(3)
    shop.clock.advance(11 * MINUTE)
    await deleteExpired(shop)
    expect((await countRows(shop))[3]).toBe(2)
  })
})
