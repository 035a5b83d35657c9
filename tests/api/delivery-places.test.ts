import { describe, expect, test } from 'vitest'
import { addDays, HOUR, MINUTE, toDayInIndia } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  advanceAndReconcile,
  advanceOrder,
  buy,
  callAs,
  openPayment,
  placeOrder
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES } from '../support/database.ts'
import {
  FIRST,
  LEMONS,
  ONE_PER_DAY,
  openPlacesShop,
  readPlaces,
  requestLemons,
  SECOND,
  setSettings,
  THIRD
} from '../support/places.ts'

test.for(BOTH_ENGINES)(
  'Places on a day are taken by exactly five of many buyers for five places, on %s',
  async engine => {
    const shop = await openPlacesShop({ calendar: { ordersPerDay: 5 } }, engine)
    const deliveryDate = addDays(toDayInIndia(shop.clock()), 2)
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
    const replies = await Promise.all(
      shoppers.map(shopper => requestLemons(shop, shopper, { deliveryDate }))
    )
    const outcomes = replies.map(statusAndCode)
    expect(outcomes.filter(outcome => outcome === '200')).toHaveLength(5)
    // On a busy computer, some buyers wait too long for a connection to the database.
    expect(
      outcomes.filter(outcome => !/^(200|409 DAY_FULL|503 UNAVAILABLE)$/.test(outcome))
    ).toEqual([])
    expect((await readPlaces(shop))[deliveryDate]).toEqual([5, 10])
  }
)

test.for(ENGINES)(
  'Places of a day are released when the checkout is replaced or expires, and when the order is cancelled, on %s',
  async engine => {
    const shop = await openPlacesShop({ calendar: { unitsPerDay: 6 } }, engine)
    const { anita, bala } = shop
    const deliveryDate = FIRST
    await openPayment(shop, anita, { extra: { deliveryDate } })
    await openPayment(shop, anita, { extra: { deliveryDate: SECOND } })
    expect(await readPlaces(shop)).toEqual({ [SECOND]: [1, 2] })
    await openPayment(shop, bala, { extra: { deliveryDate } })
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [SECOND]: [1, 2] })
    await advanceAndReconcile(shop, 40 * MINUTE)
    expect(await readPlaces(shop)).toEqual({})
    const order = await buy(shop, anita, LEMONS, { deliveryDate })
    const request = async (quantity: number) =>
      statusAndCode(await requestLemons(shop, bala, { deliveryDate }, quantity))
    expect(await request(5)).toBe('409 DAY_FULL')
    await expectOk(callAs(anita, shop, `POST /orders/${order._id}/cancel`))
    expect(await request(6)).toBe('200')
    expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 6] })
  }
)

describe('A full day', () => {
  test('is refused with the next one that has a place, and nothing is reserved', async () => {
    const shop = await openPlacesShop({ calendar: { ordersPerDay: 1, closedDates: [SECOND] } })
    const { _id } = await buy(shop, shop.bala, LEMONS, { deliveryDate: FIRST })
    // A delivered order keeps its place.
    for (const to of ['packed', 'delivered'] as const) await advanceOrder(shop, _id, to)
    expect(await requestLemons(shop, shop.anita, { deliveryDate: FIRST })).toMatchObject({
      status: 409,
      body: {
        code: 'DAY_FULL',
        nextDay: THIRD,
        fields: { deliveryDate: 'This day is full. Please choose another one.' }
      }
    })
    expect(await shop.stockOf('lemon')).toBe(1)
  })

  test('is left out if no day is chosen, and so are days on which the kitchen can’t cook so much', async () => {
    const shop = await openPlacesShop({ calendar: { ordersPerDay: 1, unitsPerDay: 10 } })
    await buy(shop, shop.bala, LEMONS, { deliveryDate: FIRST })
    expect(await buy(shop, shop.anita, LEMONS)).toMatchObject({ deliveryDate: SECOND })
    await expectOutcome(requestLemons(shop, shop.anita, {}, 11), '409 DAY_FULL')
  })
})

test('A day that has closed is refused after the cut-off, and so is one of another month, but an open checkout can be paid', async () => {
  const shop = await openPlacesShop({ calendar: { cutOff: '09:35' } })
  const { anita, bala } = shop
  const { id } = await openPayment(shop, anita, { extra: { deliveryDate: FIRST } })
  shop.clock.advance(5 * MINUTE)
  expect(await requestLemons(shop, bala, { deliveryDate: FIRST })).toMatchObject({
    status: 409,
    body: { code: 'DAY_CLOSED', nextDay: SECOND }
  })
  for (const deliveryDate of ['2026-11-14', '2027-11-21'])
    expect(await requestLemons(shop, bala, { deliveryDate })).toMatchObject({
      status: 400,
      body: { fields: { deliveryDate: expect.any(String) } }
    })
  await expectBody(placeOrder(shop, anita, await shop.sandbox.pay(id)), {
    deliveryDate: FIRST
  })
  expect(await buy(shop, bala, LEMONS)).toMatchObject({ deliveryDate: SECOND })
})

test('Without delivery rules, an order has no delivery date, but takes a place on the first day', async () => {
  const shop = await openPlacesShop({})
  expect(await buy(shop, shop.anita, LEMONS)).toMatchObject({ deliveryDate: null })
  expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2] })
  shop.clock.advance(15 * HOUR)
  await buy(shop, shop.bala, LEMONS)
  expect(await readPlaces(shop)).toEqual({ [FIRST]: [1, 2], [SECOND]: [1, 2] })
  await setSettings(shop, ONE_PER_DAY)
  expect(await buy(shop, shop.bala, LEMONS)).toMatchObject({ deliveryDate: THIRD })
})
