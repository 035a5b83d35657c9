import { describe, expect, test } from 'vitest'
import { ShopError } from '#lib/errors.ts'
import { tooManyPasswordsText } from '#lib/messages.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import {
  ANITA,
  call,
  deviceOf,
  logIn,
  logInByCode,
  register,
  requestCode,
  statusAndCode,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const WRONG = { ...ANITA, password: 'halwa-12' }
const stranger = (n: number): string => `198.51.${Math.floor(n / 250)}.${n % 250}`
const sendCode = (shop: Shop, ip: string, device?: string): Promise<Reply> =>
  call(shop, 'POST /auth/send-otp', { body: { email: ANITA.email }, ip, ...(device && { device }) })
const logInOn = (
  shop: Shop,
  device: string,
  ip: string,
  password = ANITA.password
): Promise<Reply> =>
  call(shop, 'POST /auth/login', { body: { email: ANITA.email, password }, ip, device })

async function useUpPasswords(shop: Shop): Promise<void> {
  for (let n = 0; n < 100; n++) await logIn(shop, WRONG, stranger(Math.floor(n / 10)))
}

describe('Wrong passwords of one network', () => {
  test('do not stop the owner, who is in another network', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    for (let n = 0; n < 15; n++) await logIn(shop, WRONG, stranger(1))
    expect(statusAndCode(await logIn(shop, ANITA, stranger(1)))).toBe('429 TOO_MANY_REQUESTS')
    expect(statusAndCode(await logIn(shop, ANITA, stranger(2)))).toBe('200')
  })

  test('are limited to ten for an IPv6 /64 and to fifteen for a /48', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const tryFrom = async (ip: string): Promise<string> =>
      statusAndCode(await logIn(shop, WRONG, ip))
    for (let n = 0; n < 10; n++)
      expect(await tryFrom(`2001:db8:1:1::${n}`)).toBe('400 INVALID_CREDENTIALS')
    expect(await tryFrom('2001:db8:1:1::a')).toBe('429 TOO_MANY_REQUESTS')
    for (let n = 0; n < 5; n++)
      expect(await tryFrom(`2001:db8:1:${n + 2}::1`)).toBe('400 INVALID_CREDENTIALS')
    expect(await tryFrom('2001:db8:1:ff::1')).toBe('429 TOO_MANY_REQUESTS')
    expect(await tryFrom('2001:db8:2:1::1')).toBe('400 INVALID_CREDENTIALS')
  })
})

// Each returns the address of attempt `n`.
const NETWORKS: [string, (n: number) => string][] = [
  ['IPv4 address', () => stranger(1)],
  ['IPv6 /48', n => `2001:db8:1:${n % 100}::1`]
]

describe.each(NETWORKS)('In a whole day, one %s cannot use up', (_, ipOf) => {
  test('the wrong passwords of an account', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const replies: Reply[] = []
    for (let n = 0; n < 150; n++) {
      if (n % 15 === 0) shop.clock.advance(15 * MINUTE)
      replies.push(await logIn(shop, WRONG, ipOf(n)))
    }
    expect(replies.filter(({ status }) => status === 400).length).toBeLessThan(50)
    expect(statusAndCode(await logIn(shop, ANITA, stranger(2)))).toBe('200')
  })

  test('the codes and the code tries of an account', async () => {
    const shop = await openShop('sqlite')
    for (let hour = 0; hour < 5; hour++) {
      for (let n = 0; n < 10; n++) {
        shop.clock.advance(MINUTE)
        await sendCode(shop, ipOf(n))
        for (let tries = 0; tries < 5; tries++)
          await verifyCode(shop, wrongCode(), ANITA.email, ipOf(n))
      }
      shop.clock.advance(MINUTE)
      if (hour === 0)
        expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
      shop.clock.advance(49 * MINUTE)
    }
    expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
  })
})

test('Passwords that were not checked because too many hashes were waiting do not count', async () => {
  const shop = await openShop('sqlite')
  await register(shop)
  const { matches } = shop.app.passwords
  shop.app.passwords.matches = async () => Promise.reject(new ShopError('UNAVAILABLE'))
  for (let n = 0; n < 25; n++)
    expect(statusAndCode(await logIn(shop, WRONG, stranger(n)))).toBe('503 UNAVAILABLE')
  shop.app.passwords.matches = matches
  expect(statusAndCode(await logIn(shop, ANITA, stranger(500)))).toBe('200')
})

describe.each(ENGINES)('A hundred wrong passwords a day from many networks on %s', engine => {
  test('close the password for a day, but not login by code', async () => {
    const shop = await openShop(engine)
    await register(shop)
    await useUpPasswords(shop)
    shop.clock.advance(19 * HOUR)
    const refused = await logIn(shop, ANITA, stranger(500))
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: tooManyPasswordsText(3600), code: 'TOO_MANY_REQUESTS' }
    ])
    expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
  })
})

describe('Wrong codes', () => {
  test('of one network leave the code of the owner valid', async () => {
    const shop = await openShop('sqlite')
    const code = await requestCode(shop)
    for (let n = 0; n < 200; n++) await verifyCode(shop, wrongCode(code), ANITA.email, stranger(1))
    expect(statusAndCode(await verifyCode(shop, code, ANITA.email, stranger(1)))).toBe(
      '400 INVALID_OTP'
    )
    expect(statusAndCode(await verifyCode(shop, code))).toBe('200')
  })

  test('are limited to a hundred a day over all networks', async () => {
    const shop = await openShop('sqlite')
    const code = await requestCode(shop)
    for (let n = 0; n < 100; n++)
      expect(statusAndCode(await verifyCode(shop, wrongCode(code), ANITA.email, stranger(n)))).toBe(
        '400 INVALID_OTP'
      )
    expect(statusAndCode(await verifyCode(shop, code))).toBe('429 TOO_MANY_REQUESTS')
  })
})

test('Tries without a valid code do not use up the tries of an account', async () => {
  const shop = await openShop('sqlite')
  const [early] = [await requestCode(shop), shop.clock.advance(11 * MINUTE)]
  for (let n = 0; n < 200; n++) await verifyCode(shop, wrongCode(), ANITA.email, stranger(n))
  for (let n = 0; n < 10; n++)
    expect(statusAndCode(await verifyCode(shop, early))).toBe('400 OTP_EXPIRED')
  expect(statusAndCode(await verifyCode(shop, await requestCode(shop)))).toBe('200')
})

describe('A browser that has logged in to the account before', () => {
  test('can log in by password and by code while strangers have used up all limits of the account', async () => {
    const shop = await openShop('sqlite')
    await logInByCode(shop)
    shop.clock.advance(MINUTE)
    const device = deviceOf(await verifyCode(shop, await requestCode(shop)))
    const ip = stranger(0)
    for (let n = 0; n < 20; n++) {
      shop.clock.advance(20 * MINUTE)
      await sendCode(shop, stranger(n))
    }
    for (let n = 0; n < 100; n++)
      await verifyCode(shop, wrongCode(), ANITA.email, stranger(Math.floor(n / 5)))
    await useUpPasswords(shop)
    shop.clock.advance(MINUTE)
    expect(statusAndCode(await sendCode(shop, ip))).toBe('429 TOO_MANY_REQUESTS')
    expect(statusAndCode(await logInOn(shop, device, ip, 'halwa-12'))).toBe(
      '400 INVALID_CREDENTIALS'
    )
    expect(statusAndCode(await sendCode(shop, ip, device))).toBe('200')
    await shop.deliverMails()
    const otp = /^\d{6}/.exec(shop.mails.at(-1)?.subject ?? '')?.[0]
    const body = { email: ANITA.email, otp }
    expect(statusAndCode(await call(shop, 'POST /auth/verify-otp', { body, ip, device }))).toBe(
      '200'
    )
  })

  test('has limits of its own', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const device = deviceOf(await logIn(shop))
    for (let n = 0; n < 10; n++) await logInOn(shop, device, stranger(n), 'halwa-12')
    expect(statusAndCode(await logInOn(shop, device, stranger(99)))).toBe('429 TOO_MANY_REQUESTS')
    expect(statusAndCode(await logIn(shop))).toBe('200')
  })

  test('is not a browser that has logged in to another account', async () => {
    const shop = await openShop('sqlite')
    await register(shop)
    const bala = { ...ANITA, email: 'bala@example.com' }
    const device = deviceOf(await call(shop, 'POST /auth/register', { body: bala }))
    for (let n = 0; n < 10; n++) await logIn(shop, WRONG, stranger(1))
    expect(statusAndCode(await logInOn(shop, device, stranger(1)))).toBe('429 TOO_MANY_REQUESTS')
  })

  test('is not the browser of a person who had registered with an address of somebody else', async () => {
    const shop = await openShop('sqlite')
    const impostor = deviceOf(await call(shop, 'POST /auth/register', { body: ANITA }))
    await logInByCode(shop)
    for (let n = 0; n < 10; n++) await logIn(shop, WRONG, stranger(1))
    expect(statusAndCode(await logInOn(shop, impostor, stranger(1)))).toBe('429 TOO_MANY_REQUESTS')
  })

  test('gets the token in the reply, and no cookie', async () => {
    const shop = await openShop('sqlite')
    const reply = await call(shop, 'POST /auth/register', { body: ANITA })
    expect([deviceOf(reply), reply.headers['set-cookie']]).toEqual([
      expect.stringMatching(/^[\w-]{22}\.\d{13}\.[0-9a-f]{64}$/),
      undefined
    ])
  })
})

describe.each(ENGINES)('The token of a known browser on %s', engine => {
  const NEW_PASSWORD = 'jangiri-58'

  /**
   * Tells whether the owner can log in while a stranger behind the same address has used up its
   * tries.
   */
  async function isKnown(shop: Shop, device: string, password = ANITA.password): Promise<boolean> {
    shop.clock.advance(24 * HOUR)
    for (let n = 0; n < 10; n++) await logIn(shop, WRONG, stranger(7))
    const { status } = await logInOn(shop, device, stranger(7), password)
    return status === 200
  }

  async function openWithDevice(): Promise<{ shop: Shop; token: string; device: string }> {
    const shop = await openShop(engine)
    const { token, device = '' } = await register(shop)
    return { shop, token, device }
  }

  test('stays valid after a logout, and is renewed by each login', async () => {
    const { shop, token, device } = await openWithDevice()
    await call(shop, 'POST /auth/logout', { token })
    expect(await isKnown(shop, device)).toBe(true)
    expect(deviceOf(await logInOn(shop, device, stranger(8)))).not.toBe(device)
  })

  test('ends with the password, whose change starts a new one', async () => {
    const { shop, token, device } = await openWithDevice()
    const body = { password: NEW_PASSWORD, proof: { password: ANITA.password } }
    const changed = deviceOf(await call(shop, 'PUT /auth/password', { token, body, device }))
    expect(await isKnown(shop, device, NEW_PASSWORD)).toBe(false)
    expect(await isKnown(shop, changed, NEW_PASSWORD)).toBe(true)
  })

  test('ends with "log out everywhere"', async () => {
    const { shop, token, device } = await openWithDevice()
    await call(shop, 'POST /auth/logout-everywhere', { token })
    expect(await isKnown(shop, device)).toBe(false)
  })

  test('ends after 180 days', async () => {
    const { shop, device } = await openWithDevice()
    shop.clock.advance(178 * 24 * HOUR)
    expect(await isKnown(shop, device)).toBe(true)
    expect(await isKnown(shop, device)).toBe(false)
  })

  test('ends with the account', async () => {
    const { shop, token, device } = await openWithDevice()
    const body = { proof: { password: ANITA.password } }
    expect(statusAndCode(await call(shop, 'DELETE /auth/me', { token, body, device }))).toBe('200')
    await register(shop)
    expect(await isKnown(shop, device)).toBe(false)
  })

  test.for([
    ['another time', (device: string) => device.replace(/\.\d/, '.9')],
    ['another id', (device: string) => device.replace(/^./, first => (first === 'A' ? 'B' : 'A'))],
    [
      'another signature',
      (device: string) => device.replace(/.$/, last => (last === '0' ? '1' : '0'))
    ],
    ['the form of an earlier version', (device: string) => device.replace(/\.\d+/, '')],
    ['other text', () => '"; DROP TABLE users']
  ] as const)('is not accepted with %s', async ([, change]) => {
    const { shop, device } = await openWithDevice()
    expect(await isKnown(shop, change(device))).toBe(false)
  })
})
