import { describe, expect, test } from 'vitest'
import type { KitchenDay, LabelFacts } from '#lib/contract/kitchen.ts'
import type { AdminOrderList } from '#lib/contract/desk.ts'
import { DAY } from '#lib/time.ts'
import { deleteExpiredOrderData } from '#server/orders/clean-up.ts'
import { call, expectBody, expectOutcome } from '../support/accounts.ts'
import { LADDUS, LEMONS, openAdminOrdersShop } from '../support/admin-orders.ts'
import { addShopper, buy, CUSTOMER } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const TUESDAY = '2026-11-24'

interface OrderChanges {
  kitchen_day?: string | null
  delivery_date?: string
  fulfilment_status?: 'cancelled' | 'delivered'
}

async function openKitchen(engine: Engine = 'sqlite') {
  const shop = await openAdminOrdersShop(engine)
  const { token } = await addShopper(shop, 'kumar', 'kitchen')
  const callAsKitchen = (line: string, body?: unknown) => call(shop, line, { token, body })
  const readOrders = async () =>
    ((await callAsKitchen(`GET /admin/kitchen/day?date=${TUESDAY}`)).body as KitchenDay).orders
  return {
    ...shop,
    callAsKitchen,
    readOrders,
    tick: (id: string, lines: { n: number; quantity: number }[], isPacked = true) =>
      callAsKitchen(`POST /admin/kitchen/orders/${id}/ticks`, { lines, isPacked }),
    ticks: async () =>
      (await readOrders()).map(({ lines }) => lines.map(({ isPacked }) => isPacked)),
    async buyFor(changes: OrderChanges, items = LEMONS) {
      const { _id } = await buy(shop, shop.anita, items)
      await shop.write(trx =>
        trx.updateTable('orders').set(changes).where('id', '=', _id).execute()
      )
      return _id
    }
  }
}

describe.each(ENGINES)('A day in the kitchen on %s', engine => {
  test('has the orders that are cooked on it or due without such a day, later only those that have not arrived', async () => {
    const shop = await openKitchen(engine)
    const day = { kitchen_day: TUESDAY }
    const courier = await shop.buyFor({ ...day, delivery_date: '2026-11-27' })
    const old = await shop.buyFor({ kitchen_day: null, delivery_date: TUESDAY })
    await shop.buyFor({ kitchen_day: '2026-11-25', delivery_date: TUESDAY })
    await shop.buyFor({ ...day, fulfilment_status: 'cancelled' })
    const arrived = await shop.buyFor({ ...day, fulfilment_status: 'delivered' })
    const orders = await shop.readOrders()
    expect(orders.map(({ _id }) => _id).toSorted()).toEqual([courier, old, arrived].toSorted())
    expect(orders.find(({ _id }) => _id === courier)).toMatchObject({
      deliveryDate: '2026-11-27',
      customerDetails: { name: CUSTOMER.name, phone: CUSTOMER.phone },
      lines: [{ product: { id: 'lemon' }, category: 'pickles', quantity: 2, isPacked: false }]
    })
    const due = `status=pending&from=${TUESDAY}&until=${TUESDAY}&cooked=true`
    const { body } = await shop.callAsAdmin(`GET /admin/orders?${due}`)
    expect((body as AdminOrderList).orders.map(({ _id }) => _id)).toEqual([old, courier])
    shop.clock.advance(5 * DAY)
    const waiting = (await shop.readOrders()).map(({ _id }) => _id)
    expect(waiting.toSorted()).toEqual([courier, old].toSorted())
  })

  test('keeps the ticks for 60 days, as long as the line has the same number of packs', async () => {
    const shop = await openKitchen(engine)
    const id = await shop.buyFor({ kitchen_day: TUESDAY }, [...LEMONS, ...LADDUS])
    const [lemons, laddus] = (await shop.readOrders())[0]?.lines ?? []
    if (!lemons || !laddus) throw new Error('The order has two lines')
    const both = { packed: [lemons.n, laddus.n] }
    expect((await shop.tick(id, [lemons, laddus])).body).toEqual(both)
    expect((await shop.tick(id, [laddus])).body).toEqual(both)
    const one = { packed: [lemons.n] }
    expect((await shop.tick(id, [laddus], false)).body).toEqual(one)
    expect((await shop.tick(id, [{ ...laddus, quantity: 9 }])).body).toEqual(one)
    await shop.write(trx => deleteExpiredOrderData(trx, shop.clock() + 59 * DAY))
    expect(await shop.ticks()).toEqual([[true, false]])
    await shop.tick(id, [laddus])
    await shop.write(trx =>
      trx
        .updateTable('order_lines')
        .set(row => ({ quantity: 1, total: row.ref('price') }))
        .where('n', '=', lemons.n)
        .execute()
    )
    expect(await shop.ticks()).toEqual([[false, true]])
    await shop.write(trx => deleteExpiredOrderData(trx, shop.clock() + 61 * DAY))
    expect(await shop.ticks()).toEqual([[false, false]])
  })
})

describe('The kitchen', () => {
  test('sees no email address, price or payment of a day, and managers see the amounts', async () => {
    const shop = await openKitchen()
    const _id = await shop.buyFor({ kitchen_day: TUESDAY })
    const { text } = await shop.callAsKitchen(`GET /admin/kitchen/day?date=${TUESDAY}`)
    expect(text).toContain(CUSTOMER.name)
    for (const secret of [CUSTOMER.email, 'otal', 'rice', 'ayment', '240'])
      expect(text).not.toContain(secret)
    await expectBody(shop.callAsAdmin(`GET /admin/orders/day?date=${TUESDAY}`), {
      orders: [{ _id, totalAmount: 240 }]
    })
  })

  test('gets today without a date, and cannot tick a cancelled or unknown order', async () => {
    const shop = await openKitchen()
    const cancelled = await shop.buyFor({ fulfilment_status: 'cancelled' })
    await expectBody(shop.callAsKitchen('GET /admin/kitchen/day'), {
      day: '2026-11-21',
      orders: []
    })
    await expectOutcome(
      shop.callAsKitchen('GET /admin/kitchen/day?date=today'),
      '400 INVALID_INPUT'
    )
    for (const id of [cancelled, 'unknown'])
      await expectOutcome(shop.tick(id, [{ n: 0, quantity: 2 }]), '404 ORDER_NOT_FOUND')
  })

  test('gets the texts of labels with the usual price', async () => {
    const shop = await openKitchen()
    const facts = { allergens: 'Contains milk', shelf_life_days: 15 }
    await shop.write(trx =>
      trx.updateTable('products').set(facts).where('id', '=', 'laddu').execute()
    )
    const { products, maker } = (await shop.callAsKitchen('GET /admin/kitchen/labels'))
      .body as LabelFacts
    expect(products).toMatchObject([
      { id: 'laddu', mrp: 180.5, allergens: facts.allergens, shelfLifeDays: 15 },
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
  })
})

test('Managers see orders and units of each day of a month', async () => {
  const shop = await openAdminOrdersShop('sqlite')
  const rows = ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map(day => ({
    day,
    orders: 2,
    units: 7
  }))
  await shop.write(trx => trx.insertInto('delivery_days').values(rows).execute())
  const read = (month: string) => shop.callAsAdmin(`GET /admin/kitchen/bookings?month=${month}`)
  expect((await read('2026-11')).body).toEqual(rows.slice(1, 3))
  await expectOutcome(read('2026-13'), '400 INVALID_INPUT')
})
