import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome } from '../support/accounts.ts'
import {
  addShopper,
  attemptPayment,
  buy,
  callAs,
  CUSTOMER,
  LEMONS,
  myOrders,
  openLemonShop,
  openPayment,
  refundsOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES } from '../support/database.ts'
import { testClock } from '../support/shop.ts'

const cancel = (shop: CheckoutShop, shopper: Shopper, id: string) =>
  callAs(shopper, shop, `POST /orders/${id}/cancel`)

describe('Order', () => {
  test('is confirmed by a mail that lists the items as text and escapes user input in the HTML part', async () => {
    const { shop, anita } = await openLemonShop()
    const customerDetails = { ...CUSTOMER, name: '<b>Anita</b> & "Co"', phone: '98765 43210' }
    await buy(shop, anita, [...LEMONS, { product: 'laddu', quantity: 1 }], { customerDetails })
    await shop.deliverMails()
    const mail = shop.mails.find(({ to }) => to === 'anita@example.com')
    for (const text of [
      '2 × lemon, 250 g: ₹240.00',
      '1 × laddu, 250 g: ₹180.50',
      'Total: ₹420.50',
      '14 Nandi Koil Street'
    ])
      expect(mail?.text).toContain(text)
    expect(mail?.html).toContain('&#60;b&#62;Anita&#60;/b&#62; &#38; &#34;Co&#34;')
    expect(mail?.html).toMatch(/<a href="http:\/\/localhost:4321\/orders\/link#[\w-]{43}"/)
    const toOwner = shop.mails.find(({ to }) => to === 'hello@palagaram.example')
    expect(toOwner?.replyTo?.address).toBe('anita@example.com')
    expect(toOwner?.text).toContain('Phone +91 98765 43210')
    expect(toOwner?.html).toMatch(/localhost:4321\/admin\/orders\?order=[\w-]+"/)
  })

  test('fills the name and phone number of an empty profile, and changes no other profile', async () => {
    const { shop, anita, bala } = await openLemonShop()
    const profileOf = async (shopper: Shopper) => (await callAs(shopper, shop, 'GET /auth/me')).body
    await buy(shop, anita)
    const filled = { name: CUSTOMER.name, phoneNumber: CUSTOMER.phone, address: null }
    expect(await profileOf(anita)).toMatchObject(filled)
    const customerDetails = { ...CUSTOMER, name: 'Grandmother', phone: '9000000001' }
    await buy(shop, anita, LEMONS, { customerDetails })
    expect(await profileOf(anita)).toMatchObject(filled)
    const profile = { name: 'Bala', phoneNumber: '', address: { city: 'Madurai' } }
    await expectOk(callAs(bala, shop, 'PUT /auth/profile', profile))
    await buy(shop, bala)
    expect(await profileOf(bala)).toMatchObject({ name: 'Bala', phoneNumber: '' })
  })
})

describe.each(ENGINES)('Order on %s', engine => {
  test('is listed only for its own shopper, newest first', async () => {
    const { shop, anita, bala } = await openLemonShop(engine)
    const first = await buy(shop, anita)
    shop.clock.advance(HOUR)
    const second = await buy(shop, anita)
    await buy(shop, bala)
    expect((await myOrders(shop, anita)).map(({ _id }) => _id)).toEqual([second._id, first._id])
    const unknown = await callAs(anita, shop, 'GET /orders/nothing')
    await expectOutcome(unknown, '404 ORDER_NOT_FOUND')
    await expectOutcome(shop.get('/orders/my-orders'), '401 UNAUTHORIZED')
  })

  test('changes stock number and ETag of the products and their live level, and so does its cancellation', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const read = async (etag: string) => {
      const { headers, body } = await shop.get('/products/lemon', { 'if-none-match': etag })
      const live = (await shop.get('/catalog/live?ids=lemon')).body as { products: object[] }
      const [{ stock }, [level]] = [body as { stock: number }, live.products]
      return { stock, level, etag: String(headers['etag']) }
    }
    const buyPacks = async (quantity: number) =>
      (await buy(shop, anita, [{ product: 'lemon', quantity }]))._id
    await buyPacks(4)
    const before = await read('')
    expect(before).toMatchObject({ stock: 6, level: { stock: 'in' } })
    const order = await buyPacks(1)
    const sold = await read(before.etag)
    expect(sold).toMatchObject({ stock: 5, level: { stock: 'low', left: 5 } })
    await cancel(shop, anita, order)
    expect(await read(sold.etag)).toEqual(before)
    await buyPacks(6)
    expect(await read('')).toMatchObject({ stock: 0, level: { stock: 'out' } })
  })
})

test.for(BOTH_ENGINES)(
  'Invoice numbers start at 1 in each Indian financial year and have no gaps after concurrent orders on %s',
  async engine => {
    // 18:00 UTC on 31 March is 23:30 in India, half an hour before the next financial year.
    const clock = testClock('2027-03-31T18:00:00.000Z')
    const { shop } = await openLemonShop(engine, { clock, products: { lemon: { stock: 50 } } })
    const shoppers = await Promise.all(Array.from({ length: 4 }, () => addShopper(shop)))
    const buyAll = async () => {
      const orders = await Promise.all(shoppers.map(shopper => buy(shop, shopper)))
      return orders.map(({ invoiceNumber }) => invoiceNumber).toSorted()
    }
    expect(await buyAll()).toEqual([1, 2, 3, 4].map(no => `PG/26-27/00000${no}`))
    shop.clock.advance(HOUR)
    expect(await buyAll()).toEqual([1, 2, 3, 4].map(no => `PG/27-28/00000${no}`))
  }
)

test.for(BOTH_ENGINES)(
  'Cancelling an order restores the stock, refunds the payment, sends mails and creates a credit note, each only once, on %s',
  async engine => {
    const { shop, anita } = await openLemonShop(engine)
    const { _id, canCancel } = await buy(shop, anita)
    expect(canCancel).toBe(true)
    const replies = await Promise.all([1, 2, 3].map(() => cancel(shop, anita, _id)))
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    await expectBody(cancel(shop, anita, _id), {
      status: 'cancelled',
      paymentStatus: 'refunding',
      canCancel: false,
      creditNoteNumber: 'CN/26-27/000001',
      history: [{ status: 'pending' }, { status: 'cancelled' }]
    })
    expect(await shop.stockOf('lemon')).toBe(10)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'cancelled', paymentStatus: 'refunded' }
    ])
    await shop.deliverMails()
    const mails = shop.mails.filter(({ subject }) => /cancelled/.test(subject))
    expect(mails.map(({ to }) => to).toSorted()).toEqual([
      'anita@example.com',
      'hello@palagaram.example'
    ])
  }
)

describe.each(ENGINES)('Cancelling an order on %s', engine => {
  const REFUSED = '409 ORDER_NOT_CANCELLABLE'

  test('is refused if a payment is settled while the provider is asked about payments', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { id, orderId } = await openPayment(shop, anita)
    const { gateway } = shop.app.payments
    shop.app.payments.gateway = {
      ...gateway,
      async listOrderPayments(providerOrder) {
        const payments = await gateway.listOrderPayments(providerOrder)
        await shop.sandbox.pay(id)
        await shop.deliverWebhooks()
        return payments
      }
    }
    await expectOutcome(cancel(shop, anita, orderId), REFUSED)
    expect(await myOrders(shop, anita)).toMatchObject([
      { status: 'pending', paymentStatus: 'completed' }
    ])
  })

  test('is refused on later days (India time), for packed orders and for orders with a perishable item', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const refuse = async (id: string) => await expectOutcome(cancel(shop, anita, id), REFUSED)
    const mixed = await buy(shop, anita, [...LEMONS, { product: 'laddu', quantity: 1 }])
    expect(mixed).toMatchObject({ canCancel: false, cancelBlock: 'perishable' })
    await refuse(mixed._id)
    const today = await buy(shop, anita)
    shop.clock.advance(14.75 * HOUR)
    await refuse(today._id)
    const packed = await buy(shop, anita)
    const { kysely } = shop.database
    const status = { fulfilment_status: 'packed' } as const
    await kysely.updateTable('orders').set(status).where('id', '=', packed._id).execute()
    await refuse(packed._id)
    const blocks = (await myOrders(shop, anita)).map(({ cancelBlock }) => cancelBlock)
    expect(blocks.toSorted()).toEqual(['later_day', 'packed', 'perishable'])
    expect(await refundsOf(shop)).toEqual([])
  })

  test('is refused for the fourth paid order in a day, and possible again the next day', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const cancelNew = async () => cancel(shop, anita, (await buy(shop, anita))._id)
    for (let order = 1; order <= 3; order++) await expectOk(cancelNew())
    const refused = await cancelNew()
    await expectOutcome(refused, REFUSED)
    expect(refused.text).toContain('Please call us to cancel this one.')
    expect(await shop.stockOf('lemon')).toBe(8)
    shop.clock.advance(DAY)
    await expectOk(cancelNew())
  })

  test('releases the stock of an unpaid order, but is refused while a payment is in progress', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const first = await openPayment(shop, anita)
    const cancelled = { status: 200, body: { status: 'cancelled' } }
    for (let n = 0; n < 2; n++)
      expect(await cancel(shop, anita, first.orderId)).toMatchObject(cancelled)
    expect(await shop.stockOf('lemon')).toBe(10)
    const second = await openPayment(shop, anita)
    await attemptPayment(shop, second.id, 'pending')
    await expectOutcome(cancel(shop, anita, second.orderId), REFUSED)
  })
})
