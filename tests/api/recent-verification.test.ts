import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminProduct, ImportReport } from '#lib/contract/catalog.ts'
import type { AdminCoupon } from '#lib/contract/promotions.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import {
  ADMIN,
  call,
  expectOk,
  expectOutcome,
  logIn,
  logInAsAdmin,
  logInByCode,
  requestCode,
  sessionOf
} from '../support/accounts.ts'
import { type BackupShop, openBackupShop } from '../support/backups.ts'
import { KESARI } from '../support/admin-products.ts'
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

const createDeal = (shop: Shop, token: string, percent: number) =>
  call(shop, 'POST /discounted-products', { token, body: makeDeal(shop, percent) })

async function changeDeal(shop: Shop, token: string, percent: number) {
  const { id } = (await createDeal(shop, token, 40)).body as { id: string }
  const body = { ...makeDeal(shop, percent), version: 1 }
  return call(shop, `PATCH /discounted-products/${id}`, { token, body })
}

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

const createCoupon = (shop: Shop, token: string, terms: object) => {
  const body = { ...COUPON, code: `C${randomUUID().slice(0, 8)}`, ...terms, key: randomUUID() }
  return call(shop, 'POST /admin/coupons', { token, body })
}

const saleOf = (shop: Shop, price: number) => ({
  price,
  from: new Date(shop.clock()).toISOString(),
  until: new Date(shop.clock() + HOUR).toISOString()
})

async function changeProduct(shop: Shop, token: string, fields: object) {
  const line = '/admin/products/laddu'
  const { version } = (await call(shop, `GET ${line}`, { token })).body as AdminProduct
  return call(shop, `PATCH ${line}`, { token, body: { ...fields, version } })
}

async function importTable(shop: Shop, token: string, csv: string) {
  const send = (body: object) => call(shop, 'POST /admin/products/import', { token, body })
  const preview = await send({ csv })
  const reply = await send({ csv, basis: (preview.body as ImportReport).basis })
  expect((await send({ csv })).body, 'nothing has changed').toEqual(preview.body)
  return reply
}

const verify = (shop: Shop, token: string, proof: object) =>
  call(shop, 'POST /admin/verification', { token, body: { proof } })

async function openShopWithAdmin(engine: (typeof ENGINES)[number] = 'sqlite') {
  const products = { laddu: { price: 100 }, murukku: { price: 100 } }
  const shop = await openBackupShop(engine, { products })
  const { token } = await logInAsAdmin(shop)
  return { shop, token }
}

const SALE_COLUMNS = 'Sale price,Sale from,Sale until'

/** The price of the laddu stays above 50 until the step that lowers it to 60. */
const ACTIONS: [name: string, action: Action][] = [
  ['backup', (shop, token) => call(shop, 'POST /admin/backups', { token })],
  [
    'change of a role',
    async (shop, token) => {
      const { user } = await logInByCode(shop)
      const body = { from: null, to: 'manager' }
      return call(shop, `POST /admin/users/${user._id}/staff`, { token, body })
    }
  ],
  ['new deal over 50%', (shop, token) => createDeal(shop, token, 51)],
  ['change of a deal to over 50%', (shop, token) => changeDeal(shop, token, 51)],
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
      const { id } = (await createCoupon(shop, token, { code: 'DIWALI' })).body as AdminCoupon
      const body = { ...COUPON, code: 'DIWALI', minimum: 199.99, version: 1 }
      return call(shop, `PATCH /admin/coupons/${id}`, { token, body })
    }
  ],
  [
    'price below half of the stored one',
    (shop, token) => changeProduct(shop, token, { price: 49.99 })
  ],
  [
    'sale price below half of the price',
    (shop, token) => changeProduct(shop, token, { sale: saleOf(shop, 49.99) })
  ],
  [
    'new product with a sale price below half of its price',
    (shop, token) => {
      const draft = { ...KESARI, price: 100, sale: saleOf(shop, 49.99), pictures: [], hidden: true }
      return call(shop, 'POST /admin/products', { token, body: { ...draft, key: randomUUID() } })
    }
  ],
  [
    'import of a low price',
    (shop, token) => importTable(shop, token, 'Id,Price\nmurukku,90\nladdu,49.99')
  ],
  [
    'import of a low sale price',
    (shop, token) => {
      const row = 'laddu,100,49.99,2026-12-01T00:00,2026-12-02T00:00'
      return importTable(shop, token, `Id,Price,${SALE_COLUMNS}\n${row}`)
    }
  ],
  [
    'price that is lowered below half in two steps',
    async (shop, token) => {
      await expectOk(changeProduct(shop, token, { price: 60 }))
      return changeProduct(shop, token, { price: 49.99 })
    }
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
      const order = await shop.sandbox.createOrder(24_000, { notes })
      const { razorpay_payment_id: id } = await shop.sandbox.pay(order)
      await shop.deliverWebhooks()
      const body = { decision: 'refund' }
      return call(shop, `POST /admin/unmatched-payments/${id}`, { token, body })
    }
  ]
]

describe('Recent verification', () => {
  test('is needed for actions that could do much damage', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(10 * MINUTE)
    for (const [name, action] of ACTIONS) await expectOutcome(action(shop, token), AGAIN, name)
  })

  test('lasts ten minutes, in the session in which it happened', async () => {
    const { shop, token } = await openShopWithAdmin()
    const dare = async (as = token) =>
      (await createCoupon(shop, as, { amount: null, percent: 51 })).status
    shop.clock.advance(10 * MINUTE - 1)
    expect(await dare(), 'the login counts').toBe(201)
    shop.clock.advance(1)
    await expectOutcome(verify(shop, token, { password: 'guessed' }), '400 INVALID_CREDENTIALS')
    const other = sessionOf(await logIn(shop, ADMIN))
    expect([await dare(), await dare(other.token)]).toEqual([403, 201])
    await expectOk(verify(shop, token, { password: ADMIN.password }))
    shop.clock.advance(10 * MINUTE - 1)
    expect(await dare()).toBe(201)
    shop.clock.advance(1)
    expect(await dare()).toBe(403)
  })

  test('is not needed for lower discounts and for coupons and prices of at least half', async () => {
    const { shop, token } = await openShopWithAdmin()
    shop.clock.advance(HOUR)
    await expectOk(changeDeal(shop, token, 50))
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
      await expectOk(changeProduct(shop, token, fields))
    await expectOutcome(changeProduct(shop, token, { price: 40 }), AGAIN)
    shop.clock.advance(DAY)
    await expectOk(changeProduct(shop, token, { price: 40 }))
  })
})

test.for(ENGINES)(
  'Verification works by code, and is needed in sessions from before an upgrade, on %s',
  async engine => {
    const { shop, token } = await openShopWithAdmin(engine)
    await shop.database.kysely.updateTable('sessions').set({ identity_verified_at: null }).execute()
    await expectOutcome(createDeal(shop, token, 60), AGAIN)
    const otp = await requestCode(shop, ADMIN.email)
    await expectOk(verify(shop, token, { otp }))
    await expectOutcome(createDeal(shop, token, 60), '201')
  }
)
