import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#lib/time.ts'
import {
  ADMIN,
  call,
  logIn,
  logInAsAdmin,
  logInByCode,
  register,
  requestCode,
  sessionOf,
  statusAndCode
} from '../support/accounts.ts'
import { openBackupShop } from '../support/backups.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply, Shop } from '../support/shop.ts'

type Action = (shop: Shop, token: string) => Promise<Reply>

const AGAIN = '403 VERIFICATION_REQUIRED'

const makeDeal = (shop: Shop, discountPercentage: number) => ({
  productId: 'laddu',
  discountPercentage,
  startTime: new Date(shop.clock()).toISOString(),
  endTime: new Date(shop.clock() + HOUR).toISOString()
})

const createDeal = (shop: Shop, token: string, percent: number): Promise<Reply> =>
  call(shop, 'POST /discounted-products', { token, body: makeDeal(shop, percent) })

const changeDeal = (shop: Shop, token: string, id: unknown, percent: number): Promise<Reply> =>
  call(shop, `PATCH /discounted-products/${id}`, { token, body: { ...makeDeal(shop, percent), version: 1 } })

const verify = (shop: Shop, token: string, proof: object): Promise<Reply> =>
  call(shop, 'POST /admin/verification', { token, body: { proof } })

async function openShopWithAdmin(engine: (typeof ENGINES)[number] = 'sqlite') {
  const shop = await openBackupShop(engine, { products: { laddu: {} } })
  const { token } = await logInAsAdmin(shop)
  return { shop, token }
}

const ACTIONS: [name: string, action: Action][] = [
  ['backup', (shop, token) => call(shop, 'POST /admin/backups', { token })],
  [
    'change of a role',
    async (shop, token) => {
      const { user } = await logInByCode(shop)
      return call(shop, `POST /admin/users/${user._id}/staff`, { token, body: { from: null, to: 'manager' } })
    }
  ],
  ['new deal over 50%', (shop, token) => createDeal(shop, token, 51)],
  [
    'change of a deal to over 50%',
    async (shop, token) => {
      const { body } = await createDeal(shop, token, 50)
      return changeDeal(shop, token, (body as { id: string }).id, 51)
    }
  ]
]

describe('Recent verification', () => {
  test.for(ACTIONS)('is needed for a %s, and the login counts for ten minutes', async ([, action]) => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(10 * MINUTE)
    expect(statusAndCode(await action(shop, token))).toBe(AGAIN)
    shop.clock.advance(HOUR)
    expect(statusAndCode(await verify(shop, token, { password: ADMIN.password }))).toBe('200')
    shop.clock.advance(10 * MINUTE - 1)
    expect((await action(shop, token)).status).toBeLessThan(300)
  })

  test('is not needed for lower discounts', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    const { status, body } = await createDeal(shop, token, 40)
    expect(status).toBe(201)
    const { id } = body as { id: string }
    expect(statusAndCode(await changeDeal(shop, token, id, 50))).toBe('200')
    expect(statusAndCode(await call(shop, `DELETE /discounted-products/${id}`, { token }))).toBe('200')
  })

  test('is refused for a wrong password', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    expect(statusAndCode(await verify(shop, token, { password: 'guessed' }))).toBe('400 INVALID_CREDENTIALS')
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe(AGAIN)
  })

  test('counts only for the session in which it happened', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    const other = sessionOf(await logIn(shop, ADMIN))
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe(AGAIN)
    expect(statusAndCode(await createDeal(shop, other.token, 60))).toBe('201')
  })

  test('is not offered to shoppers', async () => {
    const { shop } = await openShopWithAdmin()
    const { token } = await register(shop)
    expect(statusAndCode(await verify(shop, token, { password: 'kesari-47' }))).toBe('403 FORBIDDEN')
  })
})

describe.each(ENGINES)('Recent verification on %s', engine => {
  test('works by code, and is needed in sessions from before an upgrade', async () => {
    const { shop, token } = await openShopWithAdmin(engine)
    await shop.write(trx => trx.updateTable('sessions').set({ identity_verified_at: null }).execute())
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe(AGAIN)
    const otp = await requestCode(shop, ADMIN.email)
    expect(statusAndCode(await verify(shop, token, { otp }))).toBe('200')
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe('201')
  })
})
