import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { expectOk, expectOutcome, logInByCode, statusAndCode } from '../support/accounts.ts'
import {
  addCustomer,
  addShopper,
  addUnverified,
  buy,
  callAs,
  expectInvariants,
  openLemonShop,
  openPayment,
  placeOrder,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'
import {
  FIRST,
  LEMONS,
  openPlacesShop,
  readPlaces,
  requestLemons,
  SECOND as NEXT
} from '../support/places.ts'
import type { Reply } from '../support/shop.ts'

const BUSY = { calendar: { ordersPerDay: 20, unitsPerDay: 100 } }
const onFirst = { deliveryDate: FIRST }
const onNext = { deliveryDate: NEXT }

function make<Item>(count: number, add: (n: number) => Promise<Item>) {
  return Promise.all(Array.from({ length: count }, (_, n) => add(n)))
}

const addNetworks = (shop: CheckoutShop, count: number) =>
  make(count, n => addUnverified(shop, `198.51.100.${n}`))

async function openBusyShop(engine: Engine = 'sqlite') {
  const shop = await openPlacesShop(BUSY, engine)
  expectInvariants(shop)
  return shop
}

/**
 * Sends all requests at the same time. Returns for example `{ '200': 4, '403
 * VERIFICATION_REQUIRED': 6 }`.
 */
async function tally(
  shoppers: readonly Shopper[],
  request: (shopper: Shopper) => Promise<Reply>
): Promise<object> {
  const counts: Record<string, number> = {}
  for (const outcome of (await Promise.all(shoppers.map(request))).map(statusAndCode)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

describe.each(ENGINES)('A day on %s', engine => {
  test('is reserved by unverified accounts of one network only up to a fifth', async () => {
    const shop = await openBusyShop(engine)
    const strangers = await make(8, () => addUnverified(shop))
    expect(await tally(strangers, each => requestLemons(shop, each, onFirst, 50))).toEqual({
      '409 FIRST_ORDER_LIMIT': 8
    })
    expect(await tally(strangers, each => requestLemons(shop, each, onFirst))).toEqual({
      '200': 4,
      '403 VERIFICATION_REQUIRED': 4
    })
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [4, 8] })
    await expectOk(requestLemons(shop, shop.anita, onFirst))
    const [elsewhere = shop.bala] = await addNetworks(shop, 1)
    await expectOk(requestLemons(shop, elsewhere, onFirst))
  })

  test('is reserved by all accounts without a delivered order only up to half, until they pay', async () => {
    const shop = await openBusyShop(engine)
    const customer = await addCustomer(shop, LEMONS)
    const strangers = await addNetworks(shop, 10)
    const opened = await Promise.all(strangers.map(each => requestLemons(shop, each, onNext)))
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await requestLemons(shop, shop.anita, onNext)).toMatchObject({
      status: 409,
      body: {
        code: 'FIRST_ORDER_LIMIT',
        fields: {
          deliveryDate:
            'Other shoppers are just paying for this day. Please try again in a few minutes.'
        }
      }
    })
    await expectOk(requestLemons(shop, customer, onNext))
    const [stranger = shop.bala] = strangers
    const { id } = opened[0]?.body as PaymentOrder
    await placeOrder(shop, stranger, await shop.sandbox.pay(id ?? ''))
    await expectOk(requestLemons(shop, shop.anita, onNext))
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [NEXT]: [12, 24] })
  })

  test('is left out for the next one if the shopper has not chosen it', async () => {
    const shop = await openBusyShop(engine)
    for (const each of await addNetworks(shop, 10)) await requestLemons(shop, each, onFirst)
    expect(await buy(shop, shop.anita)).toMatchObject(onNext)
    const tooMuch = await requestLemons(shop, shop.bala, {}, 21)
    await expectOutcome(tooMuch, '409 FIRST_ORDER_LIMIT')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [10, 20], [NEXT]: [1, 2] })
  })
})

async function openStockShop(engine: Engine) {
  const { shop, anita } = await openLemonShop(engine, {
    products: {
      lemon: { price: 120, stock: 60 },
      mango: { price: 90, stock: 15 },
      rare: { price: 50, stock: 4 }
    }
  })
  const take = (shopper: Shopper, packs: Record<string, number>, extra = {}) => {
    const items = Object.entries(packs).map(([product, quantity]) => ({ product, quantity }))
    return requestPayment(shop, shopper, { items, extra })
  }
  return { shop, anita, take }
}

test.for(BOTH_ENGINES)(
  'The stock of a product is reserved by unverified accounts of one network up to a fifth, and by all together up to half on %s',
  async engine => {
    const { shop, take } = await openStockShop(engine)
    const strangers = await make(4, n => addUnverified(shop, `2001:db8:7:${n}::1`))
    expect(await tally(strangers, each => take(each, { lemon: 10 }))).toEqual({
      '200': 1,
      '403 VERIFICATION_REQUIRED': 3
    })
    const verified = await make(4, () => addShopper(shop))
    expect(await tally(verified, each => take(each, { lemon: 10 }))).toEqual({
      '200': 2,
      '409 FIRST_ORDER_LIMIT': 2
    })
    expect(await shop.stockOf('lemon')).toBe(30)
  }
)

test.for(ENGINES)(
  'The stock of a product is reserved by one account up to a fifth, but at least ten packs, until an order is delivered on %s',
  async engine => {
    const { shop, anita, take } = await openStockShop(engine)
    await buy(shop, anita, [{ product: 'rare', quantity: 2 }])
    const tooMany = await take(anita, { lemon: 13 })
    await expectOutcome(tooMany, '409 FIRST_ORDER_LIMIT')
    expect(tooMany.text).toContain(
      'We keep at most 12 packs for a first order. Please call us for more.'
    )
    expect((await take(anita, { mango: 11 })).text).toContain('at most 10 packs')
    await expectOk(take(anita, { mango: 10 }))
    const customer = await addCustomer(shop, [{ product: 'lemon', quantity: 1 }])
    await expectOk(take(customer, { lemon: 59 }))
  }
)

test.for(ENGINES)(
  'The uses of a coupon are reserved by one network up to a fifth, and by all new accounts together up to half on %s',
  async engine => {
    const products = { lemon: { price: 120, stock: 5000 } }
    const { shop } = await openLemonShop(engine, { products })
    await addCoupon(shop, 'DIWALI10', { max_uses: 20 })
    const use = (shopper: Shopper) =>
      requestPayment(shop, shopper, { amount: 216, extra: { coupon: 'DIWALI10' } })
    const strangers = await make(8, () => addUnverified(shop))
    expect(await tally(strangers, use)).toEqual({ '200': 4, '403 VERIFICATION_REQUIRED': 4 })
    const verified = await make(10, () => addShopper(shop))
    expect(await tally(verified, use)).toEqual({ '200': 6, '409 FIRST_ORDER_LIMIT': 4 })
    await expectOk(use(await addCustomer(shop, LEMONS)))
  }
)

describe('An unverified shopper', () => {
  test('who is asked for a verified address goes on with a code', async () => {
    const shop = await openBusyShop()
    for (const each of await make(4, () => addUnverified(shop)))
      await requestLemons(shop, each, onFirst)
    const late = await addUnverified(shop)
    expect(await requestLemons(shop, late, onFirst)).toMatchObject({
      status: 403,
      body: {
        code: 'VERIFICATION_REQUIRED',
        message: 'Please confirm your email address with a code to order.'
      }
    })
    const { token } = await logInByCode(shop, `${late.name}@example.com`)
    await expectOk(requestLemons(shop, { ...late, token }, onFirst))
  })

  test('leaves no network in the order once it is paid or cancelled', async () => {
    const { shop } = await openLemonShop()
    const [paid, cancelled] = [await addUnverified(shop), await addUnverified(shop)]
    const { id } = await openPayment(shop, paid)
    const { orderId } = await openPayment(shop, cancelled)
    const listNetworks = () => shop.database.kysely.selectFrom('orders').select('network').execute()
    const known = { network: '203.0.113.9' }
    expect(await listNetworks()).toEqual([known, known])
    await placeOrder(shop, paid, await shop.sandbox.pay(id))
    await callAs(cancelled, shop, `POST /orders/${orderId}/cancel`)
    expect(await listNetworks()).toEqual([{ network: null }, { network: null }])
  })
})
