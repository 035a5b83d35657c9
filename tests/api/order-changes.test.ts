import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Quote } from '#lib/contract/checkout.ts'
import { fromRupees } from '#lib/money.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { MINUTE } from '#lib/time.ts'
import { expectOutcome, statusAndCode } from '../support/accounts.ts'
import { openCheckedShop, cancel, CART, change, LADDU, LEMON } from '../support/admin-orders.ts'
import { buy, callAs, myOrders, refundsOf, ADDRESS, addShopper } from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import { SELLER } from '../support/orders.ts'
import { setSettings, CITY, readPlaces } from '../support/places.ts'

const sumOf = (items: readonly { total: number }[]): number =>
  items.reduce((sum, { total }) => sum + fromRupees(total), 0)

describe.each(ENGINES)('Change of a paid order on %s', engine => {
  test('removes packs, refunds them with a credit note, restores the stock and mails the shopper', async () => {
    const shop = await openCheckedShop(engine)
    const { _id, orderNumber } = await buy(shop, shop.anita, CART)
    const changed = await change(shop, _id, { lines: [{ line: LEMON, quantity: 1 }] })
    expect(changed.body).toMatchObject({
      totalAmount: 300.5,
      version: 1,
      refundable: 300.5,
      items: [{ line: LEMON, quantity: 1, total: 120 }, { line: LADDU }],
      changes: [
        { refunded: 240, creditNoteNumber: 'CN/26-27/000001', items: [{ quantity: 2, total: 240 }] }
      ]
    })
    await change(shop, _id, { lines: [{ line: LADDU, quantity: 0 }] })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([
      { amount: 24_000, part: 1, state: 'processed' },
      { amount: 18_050, part: 2, state: 'processed' }
    ])
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([49, 20])
    const [order] = await myOrders(shop, shop.anita)
    expect(order).toMatchObject({ totalAmount: 120, status: 'pending', paymentStatus: 'completed' })
    expect(order?.items).toHaveLength(1)
    await shop.deliverMails()
    const title = `We changed your order ${orderNumber}`
    expect(shop.mails.find(({ subject }) => subject === title)?.text).toMatch(
      /Removed: 2 × lemon[^]*We refund ₹240.00/
    )
    expect((await shop.auditLog(_id)).join()).toMatch(/changed .*0 × laddu","refund":"₹180.50"/)
  })

  test('is refused to the second of two administrators, and if the cancellation was first', async () => {
    const shop = await openCheckedShop(engine)
    const { _id } = await buy(shop, shop.anita, CART)
    const body = { version: 0, refund: 120, lines: [{ line: LEMON, quantity: 2 }] }
    const send = () => shop.callAsAdmin(`POST /admin/orders/${_id}/change`, body)
    const replies = (await Promise.all([send(), send(), send()])).map(statusAndCode)
    expect(replies.toSorted()).toEqual(['200', '409 EDIT_CONFLICT', '409 EDIT_CONFLICT'])
    expect(await refundsOf(shop)).toHaveLength(1)
    await cancel(shop, _id)
    await expectOutcome(
      change(shop, _id, { lines: [{ line: LEMON, quantity: 1 }] }),
      '409 ORDER_NOT_CHANGEABLE'
    )
    await shop.reconcile()
  })

  test('is in the tax report of its month, and all credit notes add up to the invoice', async () => {
    const shop = await openCheckedShop(engine)
    const rates = [{ category: '', rate: 5, hsn: '2106', from: '2025-09-22' }] as const
    await setSettings(shop, {
      legal: { gstin: '33ABCDE1234F1Z7' },
      tax: { status: 'regular', rates: [...rates] }
    })
    await addCoupon(shop, 'POTLUCK', { percent: 7 })
    const lines = [
      { product: 'lemon', quantity: 5 },
      { product: 'laddu', quantity: 3 }
    ]
    const cart = { lines, coupon: 'POTLUCK' }
    const { total } = (await callAs(shop.anita, shop, 'POST /cart/quote', cart)).body as Quote
    const order = await buy(shop, shop.anita, lines, { coupon: 'POTLUCK', amount: total })
    for (const changed of [
      { line: LEMON, quantity: 2 },
      { line: LADDU, quantity: 2 }
    ])
      expect((await change(shop, order._id, { lines: [changed] })).status).toBe(200)
    await cancel(shop, order._id)
    const left = await shop.fetchOrder(order._id)
    const [invoice, ...notes] = listPapers(left, { seller: SELLER, taxText: '' })
    expect(notes).toHaveLength(3)
    expect(sumOf(notes.flatMap(note => note.items))).toBe(sumOf(invoice?.items ?? []))
    expect(invoice).toMatchObject({ totalAmount: order.totalAmount, items: order.items })
    const { text } = await shop.callAsAdmin('GET /admin/tax-report?month=2026-11')
    const rows = parse(text, { bom: true }) as string[][]
    const amountsOf = (name: string) =>
      rows.find(([label, all]) => label === name && all === 'All')?.slice(4, 9)
    expect(amountsOf('Credit notes')).toEqual(
      amountsOf('Invoices')?.map(amount => (amount === '0.00' ? amount : `-${amount}`))
    )
    expect(amountsOf('Net')).toEqual(Array(5).fill('0.00'))
  })
})

describe('Change of a paid order', () => {
  test('and a later cancellation refund together exactly what was paid', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    await change(shop, _id, { lines: [{ line: LEMON, quantity: 2 }] })
    await shop.reconcile()
    await change(shop, _id, { lines: [{ line: LEMON, quantity: 1 }] })
    // The refund of the second change is not sent yet.
    expect((await cancel(shop, _id)).body).toMatchObject({ refundable: 0, refund: 'due' })
    await shop.reconcile()
    expect((await refundsOf(shop)).map(({ amount }) => amount)).toEqual([12_000, 12_000, 30_050])
    expect(await shop.fetchOrder(_id)).toMatchObject({
      paymentStatus: 'refunded',
      creditNoteNumber: 'CN/26-27/000003'
    })
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([50, 20])
  })

  test('counts what has gone back at Razorpay', async () => {
    const shop = await openCheckedShop()
    const { _id, razorpay_payment_id } = await buy(shop, shop.anita, CART)
    const payment = razorpay_payment_id ?? ''
    await shop.sandbox.createRefund(payment, { amount: 10_000 })
    await shop.deliverWebhooks()
    const reply = await change(shop, _id, { lines: [{ line: LEMON, quantity: 2 }] })
    expect(reply.body).toMatchObject({
      refundable: 420.5,
      changes: [{ credited: 120, refunded: 20 }]
    })
    await shop.reconcile()
    await shop.deliverWebhooks()
    // The shop's own refund is not taken for one made at Razorpay.
    expect((await shop.fetchOrder(_id)).reversals).toMatchObject([{ amount: 100 }])
    await shop.sandbox.createRefund(payment)
    await shop.deliverWebhooks()
    expect(await shop.fetchOrder(_id)).toMatchObject({ status: 'cancelled', refundable: 0 })
    shop.clock.advance(11 * MINUTE)
    await shop.reconcile()
  })

  test('keeps the last pack, needs whole rupees for Razorpay, and only takes packs away', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    const refuse = async (lines: object[]): Promise<string> => {
      const reply = await change(shop, _id, { lines })
      return `${reply.status} ${(reply.body as { message: string }).message}`
    }
    const all = [LEMON, LADDU].map(line => ({ line, quantity: 0 }))
    expect(await refuse(all)).toMatch(/409 The last pack can’t be removed. Please cancel the order/)
    expect(await refuse([{ line: LEMON, quantity: 4 }])).toMatch(/409 Packs can only be removed/)
    expect(await refuse([{ line: 9, quantity: 0 }])).toMatch(/409 Packs can only be removed/)
    expect(await refuse([])).toBe('409 Nothing is changed yet.')
    await shop.changeStatus(_id, 'pending', 'packed')
    expect(await refuse([{ line: LEMON, quantity: 2 }])).toMatch(/^200/)
    await shop.changeStatus(_id, 'packed', 'delivered')
    expect(await refuse([{ line: LEMON, quantity: 1 }])).toBe(
      '409 Only pending and packed orders can be changed.'
    )
  })

  test('is refused if the refund differs from the preview, and needs a recent verification', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    const lines = [{ line: LEMON, quantity: 2 }]
    await expectOutcome(change(shop, _id, { lines, refund: 119 }), '409 EDIT_CONFLICT')
    shop.clock.advance(11 * MINUTE)
    await expectOutcome(change(shop, _id, { lines }), '403 VERIFICATION_REQUIRED')
    expect((await change(shop, _id, { phone: '9000012345' })).status).toBe(200)
    expect(await refundsOf(shop)).toEqual([])
  })

  test('lowers the total in the CSV and on the dashboard', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    await change(shop, _id, { lines: [{ line: LEMON, quantity: 0 }] })
    const { text } = await shop.callAsAdmin('GET /admin/orders/export')
    const [row] = parse(text, { bom: true, columns: true }) as Record<string, string>[]
    expect(row).toMatchObject({
      'Total (₹)': '180.50',
      Packs: '1',
      'Credit note': 'CN/26-27/000001'
    })
    const { sales } = (await shop.callAsAdmin('GET /admin/dashboard')).body as {
      sales: { total: number }[]
    }
    expect(sales.at(-1)).toMatchObject({ orders: 1, total: 180.5 })
  })
})

describe('Change of the delivery of a paid order', () => {
  test('of date, phone and address within the state is mailed, without personal data in the audit log', async () => {
    const shop = await openCheckedShop()
    const { _id, orderNumber } = await buy(shop, shop.anita, CART)
    const shippingAddress = { ...ADDRESS, street: '9 Mela Chinthamani' }
    const details = { deliveryDate: '2026-11-27', phone: '+91 90000 12345', shippingAddress }
    expect((await change(shop, _id, details)).body).toMatchObject({
      deliveryDate: '2026-11-27',
      customerDetails: { phone: '9000012345', name: 'Anita Kumar' },
      shippingAddress,
      changes: [
        {
          deliveryDate: '2026-11-27',
          hasNewPhone: true,
          hasNewAddress: true,
          refunded: 0
        }
      ]
    })
    await shop.deliverMails()
    const title = `We changed your order ${orderNumber}`
    expect(shop.mails.find(({ subject }) => subject === title)?.text).toMatch(
      /27 November 2026[^]*9 Mela Chinthamani[^]*9000012345/
    )
    const [log] = await shop.auditLog(_id)
    expect(log).toContain('"deliveryDate":"2026-11-27","phone":"changed","address":"changed"')
    expect(log).not.toMatch(/Chinthamani|90000/)
    await expectOutcome(change(shop, _id, details), '409 ORDER_NOT_CHANGEABLE')
    const wrong = await change(shop, _id, {
      deliveryDate: '2026-11-21',
      shippingAddress: { ...ADDRESS, state: 'Kerala', pincode: '682001' }
    })
    expect(wrong.body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: {
        deliveryDate: expect.any(String),
        'shippingAddress.state': expect.stringContaining('same state')
      }
    })
  })

  test('gives back kitchen units and moves the place, to a full or closed day only if it is confirmed', async () => {
    const shop = await openCheckedShop()
    const [first, second, closed] = ['2026-11-25', '2026-11-26', '2026-11-27'] as const
    await setSettings(shop, { calendar: { ordersPerDay: 1, closedDates: [closed] } })
    const { _id } = await buy(shop, shop.anita, CART, { deliveryDate: first })
    await buy(shop, await addShopper(shop), CART, { deliveryDate: second })
    await change(shop, _id, { lines: [{ line: LEMON, quantity: 1 }] })
    expect(await readPlaces(shop)).toEqual({ [first]: [1, 2], [second]: [1, 4] })
    for (const [deliveryDate, refusal] of [
      [second, '409 DAY_FULL'],
      [closed, '409 DAY_CLOSED'],
      ['2026-11-22', '400 INVALID_INPUT']
    ] as const) {
      await expectOutcome(change(shop, _id, { deliveryDate }), refusal)
    }
    expect(await readPlaces(shop)).toEqual({ [first]: [1, 2], [second]: [1, 4] })
    const full = await change(shop, _id, { deliveryDate: second, confirmDay: true })
    expect(full.body).toMatchObject({ deliveryDate: second, version: 2 })
    expect(await readPlaces(shop)).toEqual({ [second]: [2, 6] })
    expect((await change(shop, _id, { deliveryDate: closed, confirmDay: true })).status).toBe(200)
    await cancel(shop, _id)
    expect(await readPlaces(shop)).toEqual({ [second]: [1, 4] })
  })

  test('of the address stays in the zone and for the same fee', async () => {
    const shop = await openCheckedShop()
    await setSettings(shop, { delivery: { zones: [{ ...CITY, fee: 40, freeAbove: 0 }] } })
    const { _id, deliveryFee } = await buy(shop, shop.anita, CART, { amount: 580.5 })
    expect(deliveryFee).toBe(40)
    const move = (pincode: string) =>
      change(shop, _id, { shippingAddress: { ...ADDRESS, pincode } })
    expect((await move('641001')).body).toMatchObject({
      fields: { 'shippingAddress.pincode': expect.stringContaining('zone') }
    })
    expect((await move('560001')).body).toMatchObject({
      fields: { 'shippingAddress.state': expect.stringContaining('Karnataka') }
    })
    expect((await move('620018')).body).toMatchObject({ shippingAddress: { pincode: '620018' } })
    await change(shop, _id, { lines: [{ line: LEMON, quantity: 1 }] })
    expect((await shop.fetchOrder(_id)).totalAmount).toBe(340.5)
    await cancel(shop, _id)
    await shop.reconcile()
    expect((await refundsOf(shop)).map(({ amount }) => amount)).toEqual([24_000, 34_050])
  })
})
