import { describe, expect, test } from 'vitest'
import { brotliDecompressSync } from 'node:zlib'
import type {
  Bookings,
  KitchenDay,
  LabelFacts,
  PackedLines,
  PricedKitchenDay
} from '#lib/contract/kitchen.ts'
import { DAY } from '#lib/time.ts'
import { deleteExpiredOrderData } from '#server/orders/clean-up.ts'
import { call, statusAndCode } from '../support/accounts.ts'
import { LADDUS, LEMONS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { addShopper, buy, CUSTOMER } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const TUESDAY = '2026-11-24'

async function openKitchen(engine: Engine = 'sqlite') {
  const shop = await openAdminOrdersShop(engine)
  const { token } = await addShopper(shop, 'kumar', 'kitchen')
  const callAsKitchen = (line: string, body?: unknown): Promise<Reply> =>
    call(shop, line, { token, body })
  const readDay = async (date = TUESDAY): Promise<KitchenDay> =>
    (await callAsKitchen(`GET /admin/kitchen/day?date=${date}`)).body as KitchenDay
  return {
    ...shop,
    token,
    callAsKitchen,
    readDay,
    tick: (id: string, lines: { n: number; quantity: number }[], isPacked = true) =>
      callAsKitchen(`POST /admin/kitchen/orders/${id}/ticks`, { lines, isPacked }),
    packedOn: async () =>
      (await readDay()).orders.map(({ lines }) => lines.map(({ isPacked }) => isPacked)),
    setOrder: (
      id: string,
      changes: {
        kitchen_day?: string | null
        delivery_date?: string
        fulfilment_status?: 'cancelled' | 'delivered'
      }
    ) => shop.write(trx => trx.updateTable('orders').set(changes).where('id', '=', id).execute())
  }
}

test('A past day in the kitchen shows only parcels that have not arrived', async () => {
  const shop = await openKitchen()
  const [arrived, waiting] = [
    await buy(shop, shop.anita, LEMONS),
    await buy(shop, shop.anita, LADDUS)
  ]
  await shop.setOrder(arrived._id, { kitchen_day: TUESDAY, fulfilment_status: 'delivered' })
  await shop.setOrder(waiting._id, { kitchen_day: TUESDAY })
  expect((await shop.readDay()).orders).toHaveLength(2)
  shop.clock.advance(5 * DAY)
  expect((await shop.readDay()).orders).toMatchObject([{ _id: waiting._id }])
})

describe.each(ENGINES)('A day in the kitchen on %s', engine => {
  test('has the orders that are cooked on it, and old orders that are due on it', async () => {
    const shop = await openKitchen(engine)
    const courier = await buy(shop, shop.anita, LEMONS)
    const old = await buy(shop, shop.anita, LADDUS)
    const other = await buy(shop, shop.anita, LADDUS)
    const cancelled = await buy(shop, shop.anita, LADDUS)
    await shop.setOrder(courier._id, { kitchen_day: TUESDAY, delivery_date: '2026-11-27' })
    await shop.setOrder(old._id, { kitchen_day: null, delivery_date: TUESDAY })
    await shop.setOrder(other._id, { kitchen_day: '2026-11-25', delivery_date: TUESDAY })
    await shop.setOrder(cancelled._id, { kitchen_day: TUESDAY, fulfilment_status: 'cancelled' })
    const { day, orders } = await shop.readDay()
    expect(day).toBe(TUESDAY)
    expect(orders.map(({ _id }) => _id).toSorted()).toEqual([courier._id, old._id].toSorted())
    expect(orders.find(({ _id }) => _id === courier._id)).toMatchObject({
      deliveryDate: '2026-11-27',
      customerDetails: { name: CUSTOMER.name, phone: CUSTOMER.phone },
      lines: [
        {
          n: expect.any(Number),
          product: { id: 'lemon' },
          category: 'pickles',
          quantity: 2,
          isPacked: false
        }
      ]
    })
  })

  test('keeps the ticks, as long as the line has the same number of packs', async () => {
    const shop = await openKitchen(engine)
    const order = await buy(shop, shop.anita, [...LEMONS, ...LADDUS])
    await shop.setOrder(order._id, { kitchen_day: TUESDAY })
    const [lemons, laddus] = (await shop.readDay()).orders[0]?.lines ?? []
    if (!lemons || !laddus) throw new Error('The order has two lines')
    expect((await shop.tick(order._id, [lemons, laddus])).body as PackedLines).toEqual({
      packed: [lemons.n, laddus.n]
    })
    expect((await shop.tick(order._id, [laddus])).status).toBe(200)
    expect((await shop.tick(order._id, [laddus], false)).body).toEqual({ packed: [lemons.n] })
    expect(await shop.packedOn()).toEqual([[true, false]])
    expect((await shop.tick(order._id, [{ ...laddus, quantity: 9 }])).body).toEqual({
      packed: [lemons.n]
    })
    await shop.write(trx =>
      trx
        .updateTable('order_lines')
        .set(row => ({ quantity: 1, total: row.ref('price') }))
        .where('n', '=', lemons.n)
        .execute()
    )
    expect(await shop.packedOn()).toEqual([[false, false]])
  })
})

describe('The kitchen', () => {
  test('sees no email address, price or payment of a day, and managers see the amounts', async () => {
    const shop = await openKitchen()
    const order = await buy(shop, shop.anita, LEMONS)
    await shop.setOrder(order._id, { kitchen_day: TUESDAY })
    const { text } = await shop.callAsKitchen(`GET /admin/kitchen/day?date=${TUESDAY}`)
    expect(text).toContain(CUSTOMER.name)
    for (const secret of [CUSTOMER.email, 'otal', 'rice', 'ayment', '240'])
      expect(text).not.toContain(secret)
    expect(statusAndCode(await shop.callAsKitchen('GET /admin/orders/day'))).toBe('403 FORBIDDEN')
    const priced = (await shop.callAsAdmin(`GET /admin/orders/day?date=${TUESDAY}`))
      .body as PricedKitchenDay
    expect(priced.orders).toMatchObject([{ _id: order._id, totalAmount: 240 }])
  })

  test('gets today without a date, and cannot tick a cancelled or unknown order', async () => {
    const shop = await openKitchen()
    const order = await buy(shop, shop.anita, LEMONS)
    await shop.setOrder(order._id, { fulfilment_status: 'cancelled' })
    expect((await shop.callAsKitchen('GET /admin/kitchen/day')).body).toMatchObject({ orders: [] })
    expect(statusAndCode(await shop.callAsKitchen('GET /admin/kitchen/day?date=today'))).toBe(
      '400 INVALID_INPUT'
    )
    for (const id of [order._id, 'unknown']) {
      expect(statusAndCode(await shop.tick(id, [{ n: 0, quantity: 2 }]))).toBe(
        '404 ORDER_NOT_FOUND'
      )
    }
  })

  test('gets a long day compressed, if its browser accepts that', async () => {
    const shop = await openKitchen()
    for (let count = 0; count < 3; count++) {
      await shop.setOrder((await buy(shop, shop.anita, LEMONS))._id, { kitchen_day: TUESDAY })
    }
    const read = (encoding: string): Promise<Reply> =>
      shop.get(`/admin/kitchen/day?date=${TUESDAY}`, {
        authorization: `Bearer ${shop.token}`,
        'accept-encoding': encoding
      })
    const [plain, compressed] = [await read('identity'), await read('gzip, br')]
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(compressed.raw.length),
      vary: 'Accept-Encoding'
    })
    expect(brotliDecompressSync(compressed.raw)).toEqual(plain.raw)
    expect(compressed.raw.length).toBeLessThan(plain.raw.length / 2)
  })

  test('loses its ticks after 60 days', async () => {
    const shop = await openKitchen()
    const order = await buy(shop, shop.anita, LEMONS)
    await shop.setOrder(order._id, { kitchen_day: TUESDAY })
    await shop.tick(order._id, (await shop.readDay()).orders[0]?.lines ?? [])
    await shop.write(trx => deleteExpiredOrderData(trx, shop.clock() + 59 * DAY))
    expect(await shop.packedOn()).toEqual([[true]])
    await shop.write(trx => deleteExpiredOrderData(trx, shop.clock() + 61 * DAY))
    expect(await shop.packedOn()).toEqual([[false]])
  })

  test('gets the texts of labels with the usual price, but not the bookings of a month', async () => {
    const shop = await openKitchen()
    const allergens = 'Contains milk'
    await shop.write(trx =>
      trx
        .updateTable('products')
        .set({ allergens, shelf_life_days: 15 })
        .where('id', '=', 'laddu')
        .execute()
    )
    const { products, maker } = (await shop.callAsKitchen('GET /admin/kitchen/labels'))
      .body as LabelFacts
    expect(products).toMatchObject([
      { id: 'laddu', mrp: 180.5, allergens, shelfLifeDays: 15 },
      { id: 'lemon' }
    ])
    expect(Object.keys(maker).toSorted()).toEqual([
      'address',
      'email',
      'fssai',
      'legalName',
      'name',
      'phone'
    ])
    expect(
      statusAndCode(await shop.callAsKitchen('GET /admin/kitchen/bookings?month=2026-11'))
    ).toBe('403 FORBIDDEN')
  })
})

test('Managers see orders and units of each day of a month', async () => {
  const shop = await openKitchen()
  const rows = ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map(day => ({
    day,
    orders: 2,
    units: 7
  }))
  await shop.write(trx => trx.insertInto('delivery_days').values(rows).execute())
  const read = async (month: string): Promise<Reply> =>
    shop.callAsAdmin(`GET /admin/kitchen/bookings?month=${month}`)
  expect((await read('2026-11')).body as Bookings).toEqual(rows.slice(1, 3))
  expect(statusAndCode(await read('2026-13'))).toBe('400 INVALID_INPUT')
})
