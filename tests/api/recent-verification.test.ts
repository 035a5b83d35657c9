import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminProduct, ImportReport, Sale } from '#lib/contract/catalog.ts'
import type { AdminCoupon } from '#lib/contract/promotions.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
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
import { KESARI } from '../support/admin-products.ts'
import { type BackupShop, openBackupShop } from '../support/backups.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply, Shop } from '../support/shop.ts'

type Action = (shop: BackupShop, token: string) => Promise<Reply>

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
  call(shop, `PATCH /discounted-products/${id}`, {
    token,
    body: { ...makeDeal(shop, percent), version: 1 }
  })

const COUPON = {
  percent: null,
  amount: 100,
  minimum: 200,
  startTime: '2026-11-20T00:00:00.000Z',
  endTime: null,
  oncePerPerson: false,
  maxUses: null,
  categories: [],
  mayBeFree: false
}

const createCoupon = (shop: Shop, token: string, terms: object): Promise<Reply> => {
  const body = { ...COUPON, code: `C${randomUUID().slice(0, 8)}`, ...terms, key: randomUUID() }
  return call(shop, 'POST /admin/coupons', { token, body })
}

const saleOf = (shop: Shop, price: number): Sale => ({
  price,
  from: new Date(shop.clock()).toISOString(),
  until: new Date(shop.clock() + HOUR).toISOString()
})

const changeProduct = async (shop: Shop, token: string, fields: object): Promise<Reply> => {
  const { version } = (await call(shop, 'GET /admin/products/laddu', { token }))
    .body as AdminProduct
  return call(shop, 'PATCH /admin/products/laddu', { token, body: { ...fields, version } })
}

const importTable = async (shop: Shop, token: string, csv: string): Promise<Reply> => {
  const preview = await call(shop, 'POST /admin/products/import', { token, body: { csv } })
  const { basis } = preview.body as ImportReport
  const reply = await call(shop, 'POST /admin/products/import', { token, body: { csv, basis } })
  // A refused import changes nothing.
  const again = await call(shop, 'POST /admin/products/import', { token, body: { csv } })
  if (reply.status === 403) expect(again.body).toEqual(preview.body)
  return reply
}

const verify = (shop: Shop, token: string, proof: object): Promise<Reply> =>
  call(shop, 'POST /admin/verification', { token, body: { proof } })

async function openShopWithAdmin(engine: (typeof ENGINES)[number] = 'sqlite') {
  const shop = await openBackupShop(engine, {
    products: { laddu: { price: 100 }, murukku: { price: 100 } }
  })
  const { token } = await logInAsAdmin(shop)
  return { shop, token }
}

const ACTIONS: [name: string, action: Action][] = [
  ['backup', (shop, token) => call(shop, 'POST /admin/backups', { token })],
  [
    'change of a role',
    async (shop, token) => {
      const { user } = await logInByCode(shop)
      return call(shop, `POST /admin/users/${user._id}/staff`, {
        token,
        body: { from: null, to: 'manager' }
      })
    }
  ],
  ['new deal over 50%', (shop, token) => createDeal(shop, token, 51)],
  [
    'change of a deal to over 50%',
    async (shop, token) => {
      const { body } = await createDeal(shop, token, 50)
      return changeDeal(shop, token, (body as { id: string }).id, 51)
    }
  ],
  [
    'coupon of more than half its minimum',
    (shop, token) => createCoupon(shop, token, { amount: 100.01, minimum: 200 })
  ],
  [
    'coupon without a minimum',
    (shop, token) => createCoupon(shop, token, { amount: 1, minimum: 0 })
  ],
  ['coupon over 50%', (shop, token) => createCoupon(shop, token, { amount: null, percent: 51 })],
  [
    'change of a coupon to more than half its minimum',
    async (shop, token) => {
      const code = `C${randomUUID().slice(0, 8)}`
      const { id } = (await createCoupon(shop, token, { code })).body as AdminCoupon
      const body = { ...COUPON, code, minimum: 199.99, version: 1 }
      return call(shop, `PATCH /admin/coupons/${id}`, { token, body })
    }
  ],
  [
    'price below half of the stored one',
    (shop, token) => changeProduct(shop, token, { price: 49.99 })
  ],
  [
    'price that is lowered below half in two steps',
    async (shop, token) => {
      await changeProduct(shop, token, { price: 60 })
      return changeProduct(shop, token, { price: 49.99 })
    }
  ],
  [
    'sale price below half of the price',
    (shop, token) => changeProduct(shop, token, { sale: saleOf(shop, 49.99) })
  ],
  [
    'new product with a sale price below half of its price',
    (shop, token) =>
      call(shop, 'POST /admin/products', {
        token,
        body: {
          ...KESARI,
          price: 100,
          sale: saleOf(shop, 49.99),
          pictures: [],
          hidden: true,
          key: randomUUID()
        }
      })
  ],
  [
    'import of a low price',
    (shop, token) => importTable(shop, token, 'Id,Price\nmurukku,90\nladdu,49.99')
  ],
  [
    'import of a low sale price',
    (shop, token) =>
      importTable(
        shop,
        token,
        'Id,Price,Sale price,Sale from,Sale until\nladdu,100,49.99,2026-12-01T00:00,2026-12-02T00:00'
      )
  ],
  ['export of the orders', (shop, token) => call(shop, 'GET /admin/orders/export', { token })],
  ['removal of the demo', (shop, token) => call(shop, 'DELETE /admin/demo-data', { token })],
  [
    'confirmation of the live shop',
    (shop, token) => call(shop, 'POST /admin/confirm-live', { token })
  ],
  [
    'refund of a payment without an order',
    async (shop, token) => {
      const notes = { shop: (await readIdentity(shop.database.kysely)).id }
      const { sandbox, deliverWebhooks } = shop
      const { razorpay_payment_id: id } = await sandbox.pay(
        await sandbox.createOrder(24_000, { notes })
      )
      await deliverWebhooks()
      return call(shop, `POST /admin/unmatched-payments/${id}`, {
        token,
        body: { decision: 'refund' }
      })
    }
  ]
]

describe('Recent verification', () => {
  test.for(ACTIONS)(
    'is needed for a %s, and the login counts for ten minutes',
    async ([, action]) => {
      const { shop, token } = await openShopWithAdmin()
      shop.clock.advance(10 * MINUTE)
      expect(statusAndCode(await action(shop, token))).toBe(AGAIN)
      shop.clock.advance(HOUR)
      expect(statusAndCode(await verify(shop, token, { password: ADMIN.password }))).toBe('200')
      shop.clock.advance(10 * MINUTE - 1)
      expect((await action(shop, token)).status).toBeLessThan(300)
    }
  )

  test('is not needed for lower discounts', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    const { status, body } = await createDeal(shop, token, 40)
    expect(status).toBe(201)
    const { id } = body as { id: string }
    expect(statusAndCode(await changeDeal(shop, token, id, 50))).toBe('200')
    expect(statusAndCode(await call(shop, `DELETE /discounted-products/${id}`, { token }))).toBe(
      '200'
    )
  })

  test('is not needed for lower prices and coupons of at most half', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    for (const terms of [
      { amount: 100, minimum: 200 },
      { amount: null, percent: 50 }
    ])
      expect((await createCoupon(shop, token, terms)).status).toBe(201)
    for (const fields of [
      { sale: saleOf(shop, 50) },
      { sale: null, price: 50 },
      { price: 120 },
      { price: 60 }
    ])
      expect(statusAndCode(await changeProduct(shop, token, fields))).toBe('200')
    expect(statusAndCode(await changeProduct(shop, token, { price: 40 }))).toBe(AGAIN)
    shop.clock.advance(DAY)
    expect(statusAndCode(await changeProduct(shop, token, { price: 40 }))).toBe('200')
  })

  test('is refused for a wrong password', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    expect(statusAndCode(await verify(shop, token, { password: 'guessed' }))).toBe(
      '400 INVALID_CREDENTIALS'
    )
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
    expect(statusAndCode(await verify(shop, token, { password: 'kesari-47' }))).toBe(
      '403 FORBIDDEN'
    )
  })
})

describe.each(ENGINES)('Recent verification on %s', engine => {
  test('works by code, and is needed in sessions from before an upgrade', async () => {
    const { shop, token } = await openShopWithAdmin(engine)
    await shop.write(trx =>
      trx.updateTable('sessions').set({ identity_verified_at: null }).execute()
    )
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe(AGAIN)
    const otp = await requestCode(shop, ADMIN.email)
    expect(statusAndCode(await verify(shop, token, { otp }))).toBe('200')
    expect(statusAndCode(await createDeal(shop, token, 60))).toBe('201')
  })
})
