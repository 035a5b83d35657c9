import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  advanceOrder,
  buy,
  callAs,
  CUSTOMER,
  type CheckoutShop,
  myOrders,
  openCheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { testClock } from '../support/shop.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  laddu: { price: 180.5 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]

async function subjectsTo(shop: CheckoutShop, address: string): Promise<string[]> {
  await shop.deliverMails()
  return shop.mails.filter(({ to }) => to === address).map(({ subject }) => subject)
}

describe('Order', () => {
  test('is confirmed by a mail that lists the items as text and escapes user input in the HTML part', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const customerDetails = {
      name: '<b>Anita</b> & "Co"',
      email: 'anita@example.com',
      phone: '98765 43210'
    }
    await buy(shop, anita, [...lemons, { product: 'laddu', quantity: 1 }], { customerDetails })
    await shop.deliverMails()
    const mail = shop.mails.find(({ to }) => to === 'anita@example.com')
    for (const text of [
      '2 × lemon, 250 g: ₹240.00',
      '1 × laddu, 250 g: ₹180.50',
      'Total: ₹420.50',
      '14 Nandi Koil Street'
    ]) {
      expect(mail?.text).toContain(text)
    }
    expect(mail?.html).toContain('&#60;b&#62;Anita&#60;/b&#62; &#38; &#34;Co&#34;')
    expect(mail?.html).toContain('<a href="http://localhost:4321/orders"')
    expect(mail?.html).not.toContain('<b>Anita')
    expect(mail?.replyTo).toEqual({ name: 'Palagaram', address: 'hello@palagaram.example' })
    const toOwner = shop.mails.find(({ to }) => to === 'hello@palagaram.example')
    expect(toOwner?.replyTo?.address).toBe('anita@example.com')
    for (const fact of ['Phone 9876543210', 'Customer’s email: anita@example.com'])
      expect(toOwner?.text).toContain(fact)
    expect(toOwner?.html).toMatch(/<a href="http:\/\/localhost:4321\/admin\/orders\?order=[\w-]+"/)
  })
})

describe.each(ENGINES)('Order on %s', engine => {
  test('goes from pending to packed to delivered and mails the shopper at each step', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { _id, orderNumber } = await buy(shop, anita, lemons, { deliveryDate: '2026-11-24' })
    await expect(advanceOrder(shop, _id, 'delivered')).rejects.toThrow(
      'Someone else changed this order'
    )
    shop.clock.advance(HOUR)
    const packed = await Promise.all([
      advanceOrder(shop, _id, 'packed'),
      advanceOrder(shop, _id, 'packed')
    ])
    expect(packed.map(({ status, canCancel }) => [status, canCancel])).toEqual([
      ['packed', false],
      ['packed', false]
    ])
    shop.clock.advance(HOUR)
    await advanceOrder(shop, _id, 'delivered')
    await expect(advanceOrder(shop, _id, 'packed')).rejects.toThrow(
      'Someone else changed this order'
    )
    await expect(advanceOrder(shop, 'nobody', 'packed')).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND'
    })
    expect(await myOrders(shop, anita)).toMatchObject([
      {
        status: 'delivered',
        history: [
          { status: 'pending', at: '2026-11-21T04:00:00.000Z' },
          { status: 'packed', at: '2026-11-21T05:00:00.000Z' },
          { status: 'delivered', at: '2026-11-21T06:00:00.000Z' }
        ]
      }
    ])
    shop.clock.advance(HOUR)
    expect(await subjectsTo(shop, 'anita@example.com')).toEqual([
      `Your order ${orderNumber} at Palagaram`,
      `Your order ${orderNumber} is packed`,
      `Your order ${orderNumber} has been delivered`
    ])
    expect(shop.mails.find(({ subject }) => /is packed/.test(subject))?.text).toContain(
      '24 November 2026'
    )
  })

  test('is listed only for its own shopper, newest first', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const first = await buy(shop, anita, lemons)
    shop.clock.advance(HOUR)
    const second = await buy(shop, anita, lemons)
    await buy(shop, bala, lemons)
    expect((await myOrders(shop, anita)).map(({ _id }) => _id)).toEqual([second._id, first._id])
    expect(statusAndCode(await callAs(anita, shop, 'GET /orders/nothing'))).toBe(
      '404 ORDER_NOT_FOUND'
    )
    expect(statusAndCode(await shop.get('/orders/my-orders'))).toBe('401 UNAUTHORIZED')
  })
})

describe('Order', () => {
  test('fills the name and phone number of an empty profile, and changes no other profile', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const profileOf = async (shopper: Shopper) => (await callAs(shopper, shop, 'GET /auth/me')).body
    await buy(shop, anita, lemons)
    expect(await profileOf(anita)).toMatchObject({
      name: CUSTOMER.name,
      phoneNumber: CUSTOMER.phone,
      address: null
    })
    const gift = { customerDetails: { ...CUSTOMER, name: 'Grandmother', phone: '9000000001' } }
    await buy(shop, anita, lemons, gift)
    expect(await profileOf(anita)).toMatchObject({
      name: CUSTOMER.name,
      phoneNumber: CUSTOMER.phone
    })
    const profile = { name: 'Bala', phoneNumber: '', address: { city: 'Madurai' } }
    expect((await callAs(bala, shop, 'PUT /auth/profile', profile)).status).toBe(200)
    await buy(shop, bala, lemons)
    expect(await profileOf(bala)).toMatchObject({ name: 'Bala', phoneNumber: '' })
  })
})

describe.each(ENGINES)('Invoice numbers on %s', engine => {
  test('start at 1 in each Indian financial year and have no gaps after concurrent orders', async () => {
    // 18:00 UTC on 31 March is 23:30 in India, half an hour before the next financial year.
    const shop = await openCheckoutShop(engine, {
      products,
      clock: testClock('2027-03-31T18:00:00.000Z')
    })
    const shoppers = await Promise.all(Array.from({ length: 6 }, () => addShopper(shop)))
    const ordersInMarch = await Promise.all(shoppers.map(shopper => buy(shop, shopper, lemons)))
    expect(ordersInMarch.map(({ invoiceNumber }) => invoiceNumber).toSorted()).toEqual(
      [1, 2, 3, 4, 5, 6].map(no => `PG/26-27/00000${no}`)
    )
    shop.clock.advance(HOUR)
    const ordersInApril = await Promise.all(shoppers.map(shopper => buy(shop, shopper, lemons)))
    expect(ordersInApril.map(({ invoiceNumber }) => invoiceNumber).toSorted()).toEqual(
      [1, 2, 3, 4, 5, 6].map(no => `PG/27-28/00000${no}`)
    )
    expect(await shop.violations()).toEqual([])
  })
})

describe.each(ENGINES)('Stock number on %s', engine => {
  test.for(['/products/lemon', '/products'])(
    'of GET %s is the true one, ETag included, after each order',
    async path => {
      const shop = await openCheckoutShop(engine, {
        products: { lemon: { category: 'pickles', stock: 50 } }
      })
      const anita = await addShopper(shop)
      const readStock = async (etag: string) => {
        const { headers, body } = await shop.get(path, { 'if-none-match': etag })
        const [product] = [body].flat() as { stock: number }[]
        return { stock: product?.stock, etag: String(headers['etag']) }
      }
      const before = await readStock('')
      const { _id } = await buy(shop, anita, lemons)
      const sold = await readStock(before.etag)
      expect([before.stock, sold.stock]).toEqual([50, 48])
      await callAs(anita, shop, `POST /orders/${_id}/cancel`)
      expect(await readStock(sold.etag)).toEqual(before)
    }
  )
})

describe.each(ENGINES)('Public stock level on %s', engine => {
  const readCatalogVersion = async ({ database }: CheckoutShop): Promise<number> => {
    const row = await database.kysely
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'catalog')
      .executeTakeFirstOrThrow()
    return row.value
  }

  test('triggers no publish while the level stays "in", and contains the number of packs if the level is "low"', async () => {
    const shop = await openCheckoutShop(engine, {
      products: { lemon: { category: 'pickles', stock: 9 } }
    })
    const anita = await addShopper(shop)
    const oneLemon = [{ product: 'lemon', quantity: 1 }]
    const versions = [await readCatalogVersion(shop)]
    const fetchLiveProduct = async () =>
      ((await shop.get('/catalog/live')).body as { products: object[] }).products[0]
    for (const left of [8, 7, 6]) {
      await buy(shop, anita, oneLemon)
      expect(await shop.stockOf('lemon')).toBe(left)
    }
    versions.push(await readCatalogVersion(shop))
    expect(versions[1]).toBe(versions[0])
    expect(await fetchLiveProduct()).toMatchObject({ stock: 'in' })
    await buy(shop, anita, oneLemon)
    expect(await fetchLiveProduct()).toMatchObject({ stock: 'low', left: 5 })
    await buy(shop, anita, oneLemon)
    expect(await fetchLiveProduct()).toMatchObject({ stock: 'low', left: 4 })
    await buy(shop, anita, [{ product: 'lemon', quantity: 4 }])
    expect(await fetchLiveProduct()).toMatchObject({ stock: 'out' })
  })
})
