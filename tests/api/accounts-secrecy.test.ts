import { expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import {
  logInAsAdmin,
  ANITA,
  call,
  logIn,
  requestCode,
  register,
  sessionOf,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

test.for(ENGINES)(
  'Logs contain no email, name, phone number, message, password, code or token on %s',
  async engine => {
    const lines: string[] = []
    const shop = await openShop(engine, { logTarget: { write: line => void lines.push(line) } })
    const first = await register(shop)
    await register(shop).catch(() => undefined)
    await logIn(shop, { ...ANITA, password: 'halwa-12' })
    const second = sessionOf(await logIn(shop))
    const code = await requestCode(shop)
    await verifyCode(shop, wrongCode(code))
    const third = sessionOf(await verifyCode(shop, code))
    shop.clock.advance(MINUTE)
    const otp = await requestCode(shop)
    const fourth = sessionOf(
      await call(shop, 'PUT /auth/password', {
        token: third.token,
        body: { password: 'adhirasam', proof: { otp } }
      })
    )
    await call(shop, 'PUT /auth/profile', {
      token: fourth.token,
      body: { name: 'Anita', phoneNumber: '9876543210' }
    })
    await call(shop, 'GET /auth/me?token=adhirasam', { token: fourth.token })
    const admin = await logInAsAdmin(shop)
    const message = { name: 'Anita', email: ANITA.email, message: 'A private matter' }
    await shop.post('/contact?email=anita@example.com', message)
    await shop.post('/contact', { ...message, email: 'no' })
    await shop.deliverMails()
    for (const table of ['sessions', 'outbox'])
      await shop.database.kysely.schema.dropTable(table).execute()
    await shop.post('/contact', { ...message, phone: '9876543210' })
    await logIn(shop, { ...ANITA, password: 'adhirasam' })
    await call(shop, 'GET /auth/me', { token: fourth.token })
    const log = lines.join('')
    expect(log).toContain('"path":"/api/auth/login"')
    expect(log).toMatch(/no such table|does not exist/)
    const tokens = [first, second, third, fourth, admin].map(({ token }) => token)
    const secrets = [
      ...tokens,
      code,
      otp,
      'anita@',
      'Anita',
      'private matter',
      ANITA.password,
      'halwa-12',
      'adhirasam',
      '9876543210'
    ]
    expect(secrets.filter(secret => log.includes(secret))).toEqual([])
  }
)
