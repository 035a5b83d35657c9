import { expect, test } from 'vitest'
import { sumPaise, toPaise, type Paise } from '#lib/money.ts'
import { listRefundTexts, toCancelRefund, toPaymentLabel } from '#lib/order.ts'
import { splitTax, toBasisPoints } from '#lib/tax/taxes.ts'
import { splitLine } from '#server/orders/tax/credits.ts'
import type { OrderLineRow } from '#server/platform/db/order-tables.ts'
import { seededInt } from '../support/random.ts'

const RATES = [0, 5, 12, 18, 40]
const AMOUNTS = ['coupon_discount', 'total', 'taxable', 'cgst', 'sgst', 'igst'] as const

function makeLine(int: ReturnType<typeof seededInt>): OrderLineRow {
  const [quantity, price] = [int(1, 12), toPaise(int(100, 100_000))]
  const coupon_discount = toPaise(int(0, 2) === 1 ? int(0, price * quantity + 1) : 0)
  const total = toPaise(price * quantity - coupon_discount)
  const rate = toBasisPoints(RATES[int(0, RATES.length)] ?? 0)
  const noTax = { tax_rate: null, taxable: null, cgst: null, sgst: null, igst: null }
  return {
    ...{
      order_id: 'o',
      n: 1,
      product_id: 'laddu',
      name: 'Laddu',
      local_name: '',
      category: 'sweets'
    },
    ...{ picture: null, hsn: null, percent: null, deal_id: null, list_price: price },
    ...{ pack_value: 250, pack_unit: 'g', pack_type: 'weight' },
    ...{ quantity, price, coupon_discount, total },
    ...(int(0, 4) === 0 ? noTax : { tax_rate: rate, ...splitTax(total, rate, int(0, 2) === 1) })
  }
}

test('the credit notes of 500 random lines, removed in random steps, add up exactly to the invoice', () => {
  const int = seededInt(1722)
  for (let count = 0; count < 500; count++) {
    const line = makeLine(int)
    let rest = line
    while (rest.quantity > 0) {
      const before = rest
      const packs = int(1, before.quantity + 1)
      const { removed, ...split } = splitLine(before, packs)
      rest = split.rest
      const { total, coupon_discount, taxable, cgst, sgst, igst } = removed
      expect([removed.quantity, rest.quantity]).toEqual([packs, before.quantity - packs])
      expect(total).toBe(line.price * packs - coupon_discount)
      expect(Math.min(total, coupon_discount, cgst ?? 0, igst ?? 0)).toBeGreaterThanOrEqual(0)
      expect(cgst).toBe(sgst)
      if (line.tax_rate === null) expect([taxable, igst]).toEqual([null, null])
      else expect(sumPaise([taxable, cgst, sgst, igst] as Paise[])).toBe(total)
      for (const name of AMOUNTS)
        expect((removed[name] ?? 0) + (rest[name] ?? 0)).toBe(before[name] ?? 0)
    }
    expect(AMOUNTS.map(name => rest[name] ?? 0)).toEqual([0, 0, 0, 0, 0, 0])
  }
})

test.for([
  ['completed', [0, 0, 120], ['Paid', '₹120.00 still to be refunded']],
  [
    'completed',
    [100, 20, 0],
    ['Paid', '₹100.00 refunded', 'Refund of ₹20.00 on its way (5–8 days)']
  ],
  ['refunding', [0, 0, 300], ['Refund delayed', '₹300.00 still to be refunded']],
  ['refunded', [300, 0, 0], ['Refunded']]
] as const)(
  'a payment that is %s, of which %j paise are refunded, on their way and due, says so',
  ([paymentStatus, [processed, open, due], texts]) => {
    const payment = { paymentStatus, refunds: { processed, open, due, surplus: 0 } }
    expect([toPaymentLabel(payment), ...listRefundTexts(payment)]).toEqual(texts)
  }
)

test('a cancellation refunds what is due too, but not what has gone back without a credit note', () => {
  const refunds = { processed: 100, open: 0, due: 120, surplus: 0 }
  expect(toCancelRefund({ totalAmount: 300 })).toBe(300)
  expect(toCancelRefund({ totalAmount: 300, refunds })).toBe(420)
  expect(toCancelRefund({ totalAmount: 300, refunds: { ...refunds, due: 0, surplus: 100 } })).toBe(
    200
  )
})
