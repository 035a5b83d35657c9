import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { addDays, MINUTE, SECOND } from '#lib/time.ts'
import { logInByCode, statusAndCode } from '../support/accounts.ts'
import {
  addCustomer,
  addShopper,
  addUnverified,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  orderOf,
  placeOrder,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import {
  FIRST,
  LEMONS,
  openPlacesShop,
  readPlaces,
  requestLemons,
  SECOND as NEXT,
  setSettings
} from '../support/places.ts'
import type { Reply } from '../support/shop.ts'

const BUSY = { calendar: { ordersPerDay: 20, unitsPerDay: 100 } }
const onFirst = { deliveryDate: FIRST }

function make<Item>(count: number, add: (n: number) => Promise<Item>): Promise<Item[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => add(n)))
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

const payAndPlace = async (
  shop: CheckoutShop,
  shopper: Shopper,
  { id }: { id: string | null }
): Promise<void> => {
  orderOf(await placeOrder(shop, shopper, await shop.sandbox.pay(id ?? '')))
}

describe.each(ENGINES)('A day on %s', engine => {
  test('is reserved by unverified accounts of one network only up to a fifth', async () => {
    const shop = await openPlacesShop(BUSY, engine)
    const strangers = await make(26, () => addUnverified(shop))
    expect(await tally(strangers, each => requestLemons(shop, each, onFirst, 50))).toEqual({
      '409 FIRST_ORDER_LIMIT': 26
    })
    expect(await tally(strangers, each => requestLemons(shop, each, onFirst))).toEqual({
      '200': 4,
      '403 VERIFICATION_REQUIRED': 22
    })
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [4, 8] })
    expect((await requestLemons(shop, shop.anita, onFirst)).status).toBe(200)
    const elsewhere = await addUnverified(shop, '198.51.100.7')
    expect((await requestLemons(shop, elsewhere, onFirst)).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('is reserved by all accounts without a delivered order only up to half, until they pay', async () => {
    const shop = await openPlacesShop(BUSY, engine)
    const customer = await addCustomer(shop, LEMONS)
    const strangers = await make(20, n => addUnverified(shop, `198.51.100.${n}`))
    const opened = await Promise.all(
      strangers.map(each => requestLemons(shop, each, { deliveryDate: NEXT }))
    )
    expect(opened.map(statusAndCode).toSorted()).toEqual([
      ...Array<string>(10).fill('200'),
      ...Array<string>(10).fill('403 VERIFICATION_REQUIRED')
    ])
    expect(await requestLemons(shop, shop.anita, { deliveryDate: NEXT })).toMatchObject({
      status: 409,
      body: {
        code: 'FIRST_ORDER_LIMIT',
        fields: {
          deliveryDate:
            'Other shoppers are just paying for this day. Please try again in a few minutes.'
        }
      }
    })
    expect((await requestLemons(shop, customer, { deliveryDate: NEXT })).status).toBe(200)
    const n = opened.findIndex(({ status }) => status === 200)
    await payAndPlace(shop, strangers[n] ?? shop.anita, opened[n]?.body as PaymentOrder)
    expect((await requestLemons(shop, shop.anita, { deliveryDate: NEXT })).status).toBe(200)
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [NEXT]: [12, 24] })
    expect(await shop.violations()).toEqual([])
  })

  test('is left out for the next one if the shopper has not chosen it', async () => {
    const shop = await openPlacesShop(BUSY, engine)
    for (const each of await make(10, n => addUnverified(shop, `198.51.100.${n}`)))
      expect((await requestLemons(shop, each, onFirst)).status).toBe(200)
    expect(await buy(shop, shop.anita, LEMONS)).toMatchObject({ deliveryDate: NEXT })
    const tooMuch = await requestLemons(shop, shop.bala, {}, 21)
    expect(statusAndCode(tooMuch)).toBe('409 FIRST_ORDER_LIMIT')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [10, 20], [NEXT]: [1, 2] })
    expect(await shop.violations()).toEqual([])
  })
})

const products = {
  lemon: { price: 120, stock: 60 },
  mango: { price: 90, stock: 15 },
  rare: { price: 50, stock: 4 }
} as const

const take = (
  shop: CheckoutShop,
  shopper: Shopper,
  quantity: number,
  product = 'lemon'
): Promise<Reply> => requestPayment(shop, shopper, { items: [{ product, quantity }] })

describe.each(ENGINES)('The stock of a product on %s', engine => {
  test('is reserved by unverified accounts of one network up to a fifth, and by all together up to half', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const strangers = await make(4, n => addUnverified(shop, `2001:db8:7:${n}::1`))
    expect(await tally(strangers, each => take(shop, each, 10))).toEqual({
      '200': 1,
      '403 VERIFICATION_REQUIRED': 3
    })
    const verified = await make(4, () => addShopper(shop))
    expect(await tally(verified, each => take(shop, each, 10))).toEqual({
      '200': 2,
      '409 FIRST_ORDER_LIMIT': 2
    })
    expect(await shop.stockOf('lemon')).toBe(30)
    expect(await shop.violations()).toEqual([])
  })

  test('is reserved by one account up to a fifth, but at least ten packs, until an order is delivered', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    await buy(shop, anita, [{ product: 'rare', quantity: 2 }])
    const tooMany = await take(shop, anita, 13)
    expect(statusAndCode(tooMany)).toBe('409 FIRST_ORDER_LIMIT')
    expect(tooMany.text).toContain(
      'We keep at most 12 packs for a first order. Please call us for more.'
    )
    expect((await take(shop, anita, 11, 'mango')).text).toContain('at most 10 packs')
    expect((await take(shop, anita, 10, 'mango')).status).toBe(200)
    expect((await take(shop, anita, 2, 'rare')).status).toBe(200)
    const customer = await addCustomer(shop, [{ product: 'lemon', quantity: 1 }])
    expect((await take(shop, customer, 59)).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('An unverified shopper on %s', engine => {
  test('is asked for a code only if nothing is beyond the limit of the account alone', async () => {
    const shop = await openCheckoutShop(engine, { products })
    await setSettings(shop, BUSY)
    const request = async (packs: Record<string, number>, deliveryDate: string) => {
      const items = Object.entries(packs).map(([product, quantity]) => ({ product, quantity }))
      return statusAndCode(
        await requestPayment(shop, await addUnverified(shop), { items, extra: { deliveryDate } })
      )
    }
    // Four orders are a fifth of the day, and 12 packs of the lemons.
    for (let n = 0; n < 4; n++) expect(await request({ lemon: 3 }, FIRST)).toBe('200')
    expect(await request({ lemon: 1 }, NEXT)).toBe('403 VERIFICATION_REQUIRED')
    expect(await request({ rare: 1 }, FIRST)).toBe('403 VERIFICATION_REQUIRED')
    expect(await request({ lemon: 1, mango: 15 }, NEXT)).toBe('409 FIRST_ORDER_LIMIT')
    expect(await request({ mango: 15 }, FIRST)).toBe('409 FIRST_ORDER_LIMIT')
    expect(await request({ rare: 1, lemon: 20 }, FIRST)).toBe('409 FIRST_ORDER_LIMIT')
    expect(await request({ lemon: 12, mango: 9 }, NEXT)).toBe('409 FIRST_ORDER_LIMIT')
  })
})

describe.each(ENGINES)('A verified shopper on %s', engine => {
  test('is not sent to another day if no day would help', async () => {
    const shop = await openCheckoutShop(engine, { products })
    await setSettings(shop, BUSY)
    const lemon = { items: [{ product: 'lemon', quantity: 1 }], extra: onFirst }
    for (const each of await make(10, n => addUnverified(shop, `198.51.100.${n}`)))
      expect((await requestPayment(shop, each, lemon)).status).toBe(200)
    const anita = await addShopper(shop)
    expect((await requestPayment(shop, anita, lemon)).text).toContain('just paying for this day')
    const mangos = { items: [{ product: 'mango', quantity: 11 }], extra: onFirst }
    expect((await requestPayment(shop, anita, mangos)).text).toContain('at most 10 packs')
  })
})

describe.each(ENGINES)('The uses of a coupon on %s', engine => {
  test('are reserved by one network up to a fifth, and by all new accounts together up to half', async () => {
    const shop = await openCheckoutShop(engine, {
      products: { lemon: { price: 120, stock: 5000 } }
    })
    await addCoupon(shop, 'DIWALI10', { max_uses: 20 })
    const use = (shopper: Shopper): Promise<Reply> =>
      requestPayment(shop, shopper, { items: LEMONS, amount: 216, extra: { coupon: 'DIWALI10' } })
    const strangers = await make(8, () => addUnverified(shop))
    expect(await tally(strangers, use)).toEqual({ '200': 4, '403 VERIFICATION_REQUIRED': 4 })
    const verified = await make(10, () => addShopper(shop))
    expect(await tally(verified, use)).toEqual({ '200': 6, '409 FIRST_ORDER_LIMIT': 4 })
    expect((await use(await addCustomer(shop, LEMONS))).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })
})

describe('An unverified shopper', () => {
  test('who is asked for a verified address goes on with a code', async () => {
    const shop = await openPlacesShop(BUSY)
    for (const each of await make(4, () => addUnverified(shop)))
      await requestLemons(shop, each, onFirst)
    const late = await addUnverified(shop)
    const refused = await requestLemons(shop, late, onFirst)
    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'VERIFICATION_REQUIRED',
        message: 'Please confirm your email address with a code to order.'
      }
    })
    const { token } = await logInByCode(shop, `${late.name}@example.com`)
    expect((await requestLemons(shop, { ...late, token }, onFirst)).status).toBe(200)
  })

  test('leaves no network in the order once it is paid or cancelled', async () => {
    const shop = await openPlacesShop(BUSY)
    const [paid, cancelled] = [await addUnverified(shop), await addUnverified(shop)]
    const payment = await openPayment(shop, paid, { items: LEMONS })
    const { orderId } = await openPayment(shop, cancelled, { items: LEMONS })
    const listNetworks = async () =>
      (await shop.database.kysely.selectFrom('orders').select('network').execute()).map(
        ({ network }) => network
      )
    expect(await listNetworks()).toEqual(['203.0.113.9', '203.0.113.9'])
    await payAndPlace(shop, paid, payment)
    await callAs(cancelled, shop, `POST /orders/${orderId}/cancel`)
    expect(await listNetworks()).toEqual([null, null])
  })
})

test(
  '300 shoppers behind one address of a carrier all get their order in an hour',
  { timeout: 120_000 },
  async () => {
    const shop = await openPlacesShop(BUSY)
    const paying: { due: number; pay: () => Promise<void> }[] = []
    for (let n = 0; n < 300; n++) {
      shop.clock.advance(12 * SECOND)
      let shopper = await addUnverified(shop)
      let reply = await requestLemons(shop, shopper)
      if (reply.status === 403) {
        const { token } = await logInByCode(shop, `${shopper.name}@example.com`)
        shopper = { ...shopper, token }
        reply = await requestLemons(shop, shopper)
      }
      expect(statusAndCode(reply)).toBe('200')
      const order = reply.body as PaymentOrder
      paying.push({
        due: shop.clock() + ((n % 4) + 1) * MINUTE,
        pay: () => payAndPlace(shop, shopper, order)
      })
      for (const each of paying.filter(({ due }) => due <= shop.clock())) {
        await each.pay()
        paying.splice(paying.indexOf(each), 1)
      }
    }
    for (const { pay } of paying) await pay()
    const places = await readPlaces(shop)
    expect(Object.values(places).reduce((sum, [orders]) => sum + orders, 0)).toBe(300)
    for (let n = 0; n < 14; n++) expect(places[addDays(FIRST, n)]).toEqual([20, 40])
    expect(await shop.violations()).toEqual([])
  }
)
