import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Quote } from '#lib/contract/checkout.ts'
import { fromRupees, sumPaise } from '#lib/money.ts'
import { listPapers, type Paper, toTaxView } from '#lib/tax/invoice.ts'
import { MINUTE } from '#lib/time.ts'
import { ADMIN, expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  type AdminOrdersShop,
  openCheckedShop,
  cancel,
  CART,
  change,
  LADDU,
  LEMON,
  refund,
  toRefundRequest
} from '../support/admin-orders.ts'
import { buy, callAs, myOrders, refundsOf } from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import { SELLER } from '../support/orders.ts'
import { setSettings, CITY } from '../support/places.ts'

const amountOf = ({ totalAmount }: Paper) => fromRupees(totalAmount)

async function readTaxReport(shop: AdminOrdersShop) {
  const { text } = await shop.callAsAdmin('GET /admin/tax-report?month=2026-11')
  const rows = parse(text, { bom: true }) as string[][]
  return (name: string) => rows.find(([label, all]) => label === name && all === 'All')?.slice(4, 9)
}

async function openTaxedShop(engine: Parameters<typeof openCheckedShop>[0]) {
  const shop = await openCheckedShop(engine)
  const from = '2025-09-22'
  await setSettings(shop, {
    legal: { gstin: '33ABCDE1234F1Z7' },
    tax: {
      status: 'regular',
      rates: [
        { category: '', rate: 5, hsn: '2106', from },
        { category: 'pickles', rate: 12, hsn: '2001', from }
      ]
    },
    delivery: { zones: [{ ...CITY, fee: 40, freeAbove: 0 }] }
  })
  await addCoupon(shop, 'POTLUCK', { percent: 7 })
  const lines = [
    { product: 'lemon', quantity: 5 },
    { product: 'laddu', quantity: 3 }
  ]
  const cart = { lines, coupon: 'POTLUCK' }
  const quote = (await callAs(shop.anita, shop, 'POST /cart/quote', cart)).body as Quote
  const amount = quote.total + 40
  return { shop, order: await buy(shop, shop.anita, lines, { coupon: 'POTLUCK', amount }) }
}

describe.each(ENGINES)('Refund of a paid order on %s', engine => {
  test('takes packs off before packing, with a credit note, stock and a mail', async () => {
    const shop = await openCheckedShop(engine)
    const { _id, orderNumber } = await buy(shop, shop.anita, CART)
    const packs = { [LEMON]: 2 }
    const reply = await refund(shop, _id, { packs, cause: 'broken', note: 'The lid came off.' })
    expect(reply.body).toMatchObject({
      totalAmount: 300.5,
      version: 1,
      refundable: 300.5,
      items: [{ line: LEMON, quantity: 1, total: 120 }, { line: LADDU }],
      changes: [
        { refunded: 240, creditNoteNumber: 'CN/26-27/000001', items: [{ quantity: 2, total: 240 }] }
      ]
    })
    await refund(shop, _id, { packs: { [LADDU]: 1 }, restock: false })
    await shop.reconcile()
    expect(await refundsOf(shop)).toMatchObject([
      { amount: 24_000, part: 1, state: 'processed' },
      { amount: 18_050, part: 2, state: 'processed' }
    ])
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([49, 19])
    const [order] = await myOrders(shop, shop.anita)
    expect(order).toMatchObject({ totalAmount: 120, status: 'pending', paymentStatus: 'completed' })
    expect(order?.items).toHaveLength(1)
    const { text } = await shop.callAsAdmin('GET /admin/orders/export')
    expect(parse(text, { bom: true, columns: true })).toMatchObject([
      {
        ...{ 'Total (₹)': '120.00', 'Refunded (₹)': '420.50', Packs: '1' },
        'Credit note': 'CN/26-27/000001; CN/26-27/000002'
      }
    ])
    await shop.deliverMails()
    const title = `Refund for your order ${orderNumber}`
    expect(shop.mails.find(({ subject }) => subject === title)?.text).toMatch(
      /We refund ₹240.00[^]*8\sdays[^]*broken[^]*The lid came off.[^]*Removed: 2 × lemon/
    )
    expect((await shop.auditLog(_id)).join()).toMatch(
      /refund .*1 × laddu, 250 g","refund":"₹180.50"/
    )
  })

  test('after packing leaves what was sent, up to everything that was paid', async () => {
    const shop = await openCheckedShop(engine)
    const { _id } = await buy(shop, shop.anita, CART)
    await shop.changeStatus(_id, 'pending', 'packed')
    await shop.changeStatus(_id, 'packed', 'delivered')
    const packs = { [LEMON]: 1 }
    await expectBody(refund(shop, _id, { packs, restock: false }), {
      totalAmount: 420.5,
      refundedAmount: 120,
      items: [{ quantity: 3, refundedPacks: 1 }, { quantity: 1 }],
      changes: [{ keepsItems: true, items: [{ quantity: 1, total: 120 }] }]
    })
    await refund(shop, _id, { packs: { [LEMON]: 2 }, restock: true })
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([49, 19])
    await expectOutcome(refund(shop, _id, { packs }), '409 ORDER_NOT_CHANGEABLE')
    await refund(shop, _id, { amount: 180.5 })
    await shop.reconcile()
    expect(await shop.fetchOrder(_id)).toMatchObject({
      status: 'delivered',
      paymentStatus: 'refunded',
      totalAmount: 0
    })
    expect((await refundsOf(shop)).map(({ amount }) => amount)).toEqual([12_000, 24_000, 18_050])
    await expectOk(shop.changeStatus(_id, 'delivered', 'packed'))
    await cancel(shop, _id, 'packed')
    expect([await shop.stockOf('lemon'), await shop.stockOf('laddu')]).toEqual([49, 20])
  })

  test('goes out once for each key, and to one of two administrators', async () => {
    const shop = await openCheckedShop(engine)
    const { _id } = await buy(shop, shop.anita, CART)
    const order = await shop.fetchOrder(_id)
    const send = (body: object) => shop.callAsAdmin(`POST /admin/orders/${_id}/refund`, body)
    const [first, second] = [1, 2].map(() => toRefundRequest(order, {}, { amount: 500 }))
    const replies = await Promise.all([send(first ?? {}), send(first ?? {}), send(second ?? {})])
    const codes = replies.map(statusAndCode)
    expect(codes).toSatisfy(([one, other, different]) =>
      one === '200' ? other === '200' && different !== '200' : different === '200'
    )
    expect(await refundsOf(shop)).toMatchObject([{ amount: 50_000 }])
    await expectOutcome(refund(shop, _id, { amount: 41 }), '409 ORDER_NOT_CHANGEABLE')
  })

  test('beside a cancellation and a refund at Razorpay never returns more than was paid', async () => {
    const shop = await openCheckedShop(engine)
    for (const round of [1, 2, 3]) {
      const { _id, razorpay_payment_id } = await buy(shop, shop.anita, CART)
      if (round > 1) await shop.changeStatus(_id, 'pending', 'packed')
      const status = round > 1 ? 'packed' : 'pending'
      await Promise.all([
        refund(shop, _id, { amount: 300 }),
        ...(round < 3 ? [cancel(shop, _id, status)] : []),
        shop.sandbox.createRefund(razorpay_payment_id ?? '', { amount: 30_000 })
      ])
      for (const _pass of [1, 2, 3]) {
        await shop.deliverWebhooks()
        await shop.reconcile()
        shop.clock.advance(11 * MINUTE)
      }
      const payment = await shop.sandbox.fetchPayment(razorpay_payment_id ?? '')
      expect(payment.amount_refunded).toBeLessThanOrEqual(54_050)
      await shop.callAsAdmin('POST /admin/verification', { proof: { password: ADMIN.password } })
    }
  })

  test('of packs and amounts adds up to the invoice with its taxes, also in the tax report', async () => {
    const { shop, order } = await openTaxedShop(engine)
    const { _id } = order
    for (const body of [
      { packs: { [LEMON]: 2 } },
      { amount: 99.99 },
      { packs: { [LEMON]: 3, [LADDU]: 1 } }
    ])
      await expectOk(refund(shop, _id, body))
    await shop.changeStatus(_id, 'pending', 'packed')
    await refund(shop, _id, { amount: 1.01 })
    // A pack costs the same again, although a part of its line was refunded as an amount.
    await expectBody(refund(shop, _id, { packs: { [LADDU]: 1 } }), {
      changes: [{}, {}, { credited: 502.67 }, {}, { credited: 167.87 }]
    })
    await cancel(shop, _id, 'packed')
    await expectOutcome(refund(shop, _id, { amount: 1 }), '409 ORDER_NOT_CHANGEABLE')
    await shop.reconcile()
    const refunds = (await refundsOf(shop)).map(({ amount }) => amount)
    expect([refunds.length, sumPaise(refunds)]).toEqual([6, fromRupees(order.totalAmount)])
    const left = await shop.fetchOrder(_id)
    expect(left).toMatchObject({ paymentStatus: 'refunded', refundable: 0 })
    const papers = listPapers(left, { seller: SELLER, taxText: '' })
    const [invoice, ...notes] = papers
    expect(notes).toHaveLength(6)
    expect(sumPaise(notes.map(amountOf))).toBe(invoice && amountOf(invoice))
    for (const paper of papers) {
      const total = toTaxView(left, paper)?.total ?? {}
      expect(sumPaise(Object.values(total))).toBe(amountOf(paper))
    }
    expect(invoice).toMatchObject({ totalAmount: order.totalAmount, items: order.items })
    const amountsOf = await readTaxReport(shop)
    expect(amountsOf('Credit notes')).toEqual(
      amountsOf('Invoices')?.map(amount => (amount === '0.00' ? amount : `-${amount}`))
    )
    expect(amountsOf('Net')).toEqual(Array(5).fill('0.00'))
  })
})

describe('Refund of a paid order', () => {
  test('says at most how much, and offers to cancel an order that is not packed', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    const refuse = async (body: Parameters<typeof refund>[2]) => {
      const reply = await refund(shop, _id, body)
      return `${reply.status} ${(reply.body as { message: string }).message}`
    }
    const all = { [LEMON]: 3, [LADDU]: 1 }
    const whole = '409 This is the whole order. Please cancel it instead.'
    expect(await refuse({ packs: all })).toBe(whole)
    expect(await refuse({ amount: 540.5 })).toBe(whole)
    expect(await refuse({ amount: 540.51 })).toBe('409 At most ₹540.50 can go back.')
    expect(await refuse({ packs: { [LEMON]: 4 } })).toMatch(/409 These packs are no longer/)
    expect(await refuse({ packs: { 9: 1 } })).toMatch(/409 These packs are no longer/)
    expect(await refuse({ amount: 0.5 })).toMatch(/409 Razorpay refunds at least ₹1.00/)
    expect(await refuse({ amount: 540 })).toMatch(/409 Less than ₹1.00 would stay/)
    for (const body of [{}, { amount: 0 }])
      expect(await refuse(body)).toBe('409 Choose packs, or type an amount.')
    await shop.changeStatus(_id, 'pending', 'packed')
    expect(await refuse({ packs: all })).toMatch(/^200/)
  })

  test('is refused if it differs from the preview, and needs a recent verification', async () => {
    const shop = await openCheckedShop()
    const { _id } = await buy(shop, shop.anita, CART)
    const packs = { [LEMON]: 1 }
    await expectOutcome(refund(shop, _id, { packs, refund: 119 }), '409 EDIT_CONFLICT')
    shop.clock.advance(11 * MINUTE)
    await expectOutcome(refund(shop, _id, { packs }), '403 VERIFICATION_REQUIRED')
    await expectOk(change(shop, _id, { phone: '9000012345' }))
    expect(await refundsOf(shop)).toEqual([])
  })
})
