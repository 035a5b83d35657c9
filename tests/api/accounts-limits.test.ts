import { describe, expect, test } from 'vitest'
import { codeResendText, tooManyPasswordsText } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { codeLimits, codeTryLimits, passwordLimits } from '#server/accounts/attempt-limits.ts'
import {
  addAttempts,
  ANITA,
  call,
  deleteAccount,
  deviceOf,
  expectOk,
  expectOutcome,
  logIn,
  logInByCode,
  OTHER_IP,
  register,
  requestCode,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

const WRONG = { ...ANITA, password: 'halwa-12' }
const TOO_MANY = '429 TOO_MANY_REQUESTS'
const stranger = (n: number) => `198.51.100.${n}`
const sendCode = (shop: Shop, ip?: string, device?: string) =>
  call(shop, 'POST /auth/send-otp', { body: ANITA, ...(ip && { ip }), ...(device && { device }) })
const logInOn = (shop: Shop, device: string, password = ANITA.password) =>
  call(shop, 'POST /auth/login', { body: { ...ANITA, password }, ip: stranger(1), device })

describe.each([
  [
    'network',
    undefined,
    {
      passwords: [
        '10 in 15 min: passwords for A of 203.0.113.9',
        '600 in 15 min: passwords of 203.0.113.9',
        '30 in 1440 min: passwords for A, daily of 203.0.113.9',
        '100 in 1440 min: passwords for A, daily'
      ],
      tries: [
        '5 in 1440 min: code tries for A of 203.0.113.9',
        '30 in 1440 min: code tries for A, daily of 203.0.113.9',
        '100 in 1440 min: code tries for A, daily',
        '1200 in 60 min: codeTries of 203.0.113.9'
      ],
      codes: [
        '600 in 60 min: codes of 203.0.113.9',
        '5 in 60 min: codes for A of 203.0.113.9',
        '10 in 60 min: codes for A, hourly',
        '8 in 1440 min: codes for A, daily of 203.0.113.9',
        '20 in 1440 min: codes for A, daily'
      ]
    }
  ],
  [
    'known browser',
    'D',
    {
      passwords: [
        '10 in 15 min: passwords for A on D',
        '100 in 1440 min: passwords for A, daily on D'
      ],
      tries: ['5 in 1440 min: code tries for A on D'],
      codes: ['5 in 60 min: codes for A on D', '20 in 1440 min: codes for A, daily on D']
    }
  ]
])('The limits of a %s for an account', (_, device, expected) => {
  test('leave the account to others, so that one source cannot lock it', () => {
    const source = { ip: '203.0.113.9', device }
    const limits = {
      passwords: Object.values(passwordLimits('A', source)).flat(),
      tries: Object.values(codeTryLimits('A', source)).flat(),
      codes: codeLimits('A', source)
    }
    for (const [name, texts] of Object.entries(expected))
      expect(
        limits[name as keyof typeof limits].map(
          ({ key, max, window }) => `${max} in ${window / MINUTE} min: ${key}`
        )
      ).toEqual(texts)
  })
})

test.for([
  ['register', 600, 'POST /auth/register'],
  ['get codes', 600, 'POST /auth/send-otp'],
  ['try codes', 1200, 'POST /auth/verify-otp'],
  ['try passwords', 600, 'POST /auth/login']
] as const)('Visitors of one network can %s %i times', async ([, max, line]) => {
  const shop = await openShop()
  const ask = (n: number, ip?: string) =>
    call(shop, line, {
      body: { ...ANITA, email: `a${n}@example.com`, otp: '123456' },
      ...(ip && { ip })
    })
  const { status } = await ask(1)
  await addAttempts(shop, max - 2)
  expect((await ask(2)).status).toBe(status)
  await expectOutcome(ask(3), TOO_MANY)
  expect((await ask(3, OTHER_IP)).status).toBe(status)
})

test.for(ENGINES)(
  'Passwords are refused for 15 minutes after ten wrong ones of a network, but codes are not, on %s',
  async engine => {
    const shop = await openShop(engine)
    await register(shop)
    for (const email of [ANITA.email, 'nobody@example.com']) {
      for (let n = 0; n < 10; n++)
        await expectOutcome(logIn(shop, { ...WRONG, email }), '400 INVALID_CREDENTIALS')
      expect(await logIn(shop, { ...ANITA, email })).toMatchObject({
        status: 429,
        body: { message: tooManyPasswordsText(900), code: 'TOO_MANY_REQUESTS' },
        headers: { 'retry-after': '900' }
      })
    }
    expect(tooManyPasswordsText(900)).toBe(
      'Too many attempts. Please wait 15 minutes, or log in with a code.'
    )
    await expectOk(logIn(shop, ANITA, stranger(2)))
    shop.clock.advance(15 * MINUTE - SECOND)
    await expectOutcome(logIn(shop), TOO_MANY)
    await expectOk(verifyCode(shop, await requestCode(shop)))
  }
)

describe('Passwords', () => {
  test('count only if they are wrong, and at most ten until a correct one', async () => {
    const shop = await openShop()
    await register(shop)
    for (const wrong of [9, 9, 9, 2]) {
      for (let n = 0; n < wrong; n++) await logIn(shop, WRONG)
      await expectOk(logIn(shop))
    }
    await logIn(shop, WRONG)
    await expectOutcome(logIn(shop), TOO_MANY, 'after 30 wrong ones in a day')
  })

  test('are accepted twenty times an hour for one account', async () => {
    const shop = await openShop()
    await register(shop)
    await logIn(shop)
    await addAttempts(shop, 18)
    await expectOk(logIn(shop))
    await expectOutcome(logIn(shop), TOO_MANY)
    shop.clock.advance(HOUR)
    await expectOk(logIn(shop))
  })
})

describe('Codes', () => {
  test('are sent once a minute', async () => {
    const shop = await openShop()
    await expectOk(sendCode(shop))
    shop.clock.advance(MINUTE - SECOND)
    expect(await sendCode(shop, OTHER_IP)).toMatchObject({
      status: 429,
      body: { message: codeResendText(1) },
      headers: { 'retry-after': '1' }
    })
    expect(codeResendText(1)).toBe('You can request another code in 1 second.')
    shop.clock.advance(SECOND)
    await expectOk(sendCode(shop))
  })

  test('stay valid for their owner after any number of tries from another network', async () => {
    const shop = await openShop()
    const code = await requestCode(shop)
    const guess = (ip: string) => verifyCode(shop, wrongCode(code), ANITA.email, ip)
    await guess(stranger(1))
    await addAttempts(shop, 97)
    for (let n = 0; n < 5; n++) await guess(stranger(1))
    await expectOutcome(guess(stranger(2)), '400 INVALID_OTP')
    await expectOk(verifyCode(shop, code))
  })

  test('can be tried a hundred times a day from all networks', async () => {
    const shop = await openShop()
    const code = await requestCode(shop)
    const guess = (n: number) => verifyCode(shop, wrongCode(code), ANITA.email, stranger(n))
    await guess(1)
    await addAttempts(shop, 98)
    await expectOutcome(guess(2), '400 INVALID_OTP')
    await expectOutcome(verifyCode(shop, code), TOO_MANY)
  })
})

test('A known browser can log in while strangers have used up all limits of the account', async () => {
  const shop = await openShop()
  const device = (await logInByCode(shop)).device ?? ''
  const ip = stranger(1)
  shop.clock.advance(MINUTE)
  await sendCode(shop, ip)
  await verifyCode(shop, wrongCode(), ANITA.email, ip)
  await logIn(shop, WRONG, ip)
  await addAttempts(shop, 1200)
  shop.clock.advance(MINUTE)
  await expectOutcome(sendCode(shop, stranger(2)), TOO_MANY)
  await expectOutcome(logIn(shop, ANITA, stranger(2)), TOO_MANY)
  await expectOutcome(logInOn(shop, device, 'halwa-12'), '400 INVALID_CREDENTIALS')
  await expectOk(sendCode(shop, ip, device))
  await shop.deliverMails()
  const body = { email: ANITA.email, otp: shop.mails.at(-1)?.subject.slice(0, 6) }
  await expectOk(call(shop, 'POST /auth/verify-otp', { body, ip, device }))
})

describe('A browser', () => {
  type Change = (shop: Shop, token: string) => Promise<unknown>
  const PASSWORD = { password: ANITA.password }

  /** Tells whether a stranger behind the same address can use up its tries. */
  async function isKnown(shop: Shop, device: string) {
    shop.clock.advance(DAY)
    await logIn(shop, WRONG, stranger(1))
    await addAttempts(shop, 9)
    return (await logInOn(shop, device)).status !== 429
  }

  async function openWithDevice(): Promise<{ shop: Shop; token: string; device: string }> {
    const shop = await openShop()
    const { token, device = '' } = await register(shop)
    return { shop, token, device }
  }

  test('is known for 180 days, also after a logout, and after a change of the password', async () => {
    const { shop, token, device } = await openWithDevice()
    const body = { ...PASSWORD, proof: PASSWORD }
    const changed = deviceOf(await call(shop, 'PUT /auth/password', { token, body, device }))
    await call(shop, 'POST /auth/logout', { token })
    shop.clock.advance(178 * DAY)
    expect(await isKnown(shop, changed)).toBe(true)
    expect(await isKnown(shop, changed)).toBe(false)
  })

  test.for<[string, Change]>([
    [
      'a change of the password elsewhere',
      (shop, token) =>
        call(shop, 'PUT /auth/password', { token, body: { ...PASSWORD, proof: PASSWORD } })
    ],
    [
      '“log out everywhere”',
      (shop, token) => call(shop, 'POST /auth/logout-everywhere', { token })
    ],
    [
      'the deletion of the account',
      async (shop, token) => {
        await deleteAccount(shop, { token })
        await register(shop)
      }
    ],
    ['the first code of the owner of the address', shop => logInByCode(shop)]
  ])('is unknown after %s', async ([, change]) => {
    const { shop, token, device } = await openWithDevice()
    await change(shop, token)
    expect(await isKnown(shop, device)).toBe(false)
  })

  test('is unknown if its token was changed or belongs to another account', async () => {
    const { shop, device } = await openWithDevice()
    const other = await register(shop, { email: 'bala@example.com' })
    for (const wrong of [
      other.device ?? '',
      device.replace(/\.\d/, '.9'),
      device.replace(/.$/, last => (last === '0' ? '1' : '0'))
    ])
      expect(await isKnown(shop, wrong), wrong).toBe(false)
    expect(await isKnown(shop, device)).toBe(true)
  })
})
