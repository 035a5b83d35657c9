import fc from 'fast-check'
import { cleanStores } from 'nanostores'
import { expect, onTestFinished, test } from 'vitest'
import { priceCart, type DrawnDiscount } from '#lib/cart/pricing.ts'
import type { Quote } from '#lib/contract/checkout.ts'
import { fromRupees, sumPaise, toPaise, toRupees } from '#lib/money.ts'
import { findStateCode, STATES } from '#lib/contract/states.ts'
import { splitTax, sumTaxes, toBasisPoints } from '#lib/tax/taxes.ts'
import { toPricedCoupon } from '#server/coupons/claims.ts'
import { toQuote } from '#server/orders/checkout/cart.ts'
import type { CouponRow } from '#server/platform/db/tables.ts'
import { makeLine } from '../support/cards.ts'
import { openPage, PRIYA } from '../support/session.ts'

const IDS = ['a', 'b', 'c', 'd']
const anyPrice = fc
  .oneof(fc.integer({ min: 100, max: 50_000 }), fc.integer({ min: 100, max: 100_000_000 }))
  .map(toPaise)
const orNone = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const facts = fc.record({
  price: anyPrice,
  stock: fc.nat(120),
  salePrice: orNone(anyPrice),
  category: fc.constantFrom('x', 'y')
})
const fixedFacts = {
  ...{ pack_value: 1, pack_unit: 'kg', pack_type: 'weight', picture: undefined },
  ...{ kitchen_units: 1, extra_lead_days: 0, local_only: 0, shelf_life_days: null },
  ...{ sale_price: null, sale_from: null, sale_until: null }
}
const catalogue = fc
  .array(facts, { minLength: IDS.length, maxLength: IDS.length })
  .map(all => all.map((product, index) => ({ id: IDS[index] ?? '', ...product })))
  .map(
    all =>
      new Map(all.map(row => [row.id, { name: row.id, local_name: row.id, ...fixedFacts, ...row }]))
  )

const draws = fc
  .array(
    fc.record({
      product: fc.constantFrom(...IDS),
      percent: fc.integer({ min: 1, max: 100 }),
      state: fc.constantFrom(
        'usable' as const,
        'usable' as const,
        'ended' as const,
        'used' as const
      )
    })
  )
  .map(rows => new Map<string, DrawnDiscount>(rows.map(row => [`deal ${row.product}`, row])))

/** The browser's cart, with prices and discounts from some earlier time. */
const cart = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...IDS, 'gone'),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 49 })),
    price: anyPrice.map(toRupees),
    discount: orNone(fc.integer({ min: 1, max: 100 }))
  }),
  { maxLength: 6, selector: ({ id, discount }) => `${id} ${discount === undefined}` }
)

const coupon = fc.record({
  kind: fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), amount: fc.constant(null) }),
    fc.record({
      percent: fc.constant(null),
      amount: fc.integer({ min: 1, max: 10_000_000 }).map(toPaise)
    })
  ),
  minimum: fc.oneof(fc.constant(0), fc.nat(100_000)).map(toPaise),
  categories: fc.constantFrom('[]', '["x"]', '["z"]'),
  may_be_free: fc.constantFrom(0 as const, 1 as const)
})

/** An order from Tamil Nadu, with a tax rate for each product. */
const delivery = fc.record({
  isInterState: fc.constantFrom(...STATES.map(state => findStateCode(state) !== '33')),
  rates: fc.array(fc.constantFrom(0, 3, 5, 12, 18, 40), { minLength: 6, maxLength: 6 })
})

test(
  'browser and server agree to the paisa on random carts with draws, sales and coupons, and taxes add up in each state',
  { timeout: 120_000 },
  async () => {
    await openPage({ token: 't', user: JSON.stringify(PRIYA), send: async () => Response.json({}) })
    const { $cart, setLines } = await import('#lib/stores/cart.ts')
    const { setCoupon } = await import('#lib/stores/coupon.ts')
    const { $cartView, applyQuote } = await import('#lib/stores/quote.ts')
    const { toCartEntries } = await import('#lib/cart/entries.ts')
    onTestFinished(() => cleanStores($cartView, $cart))

    fc.assert(
      fc.property(
        cart,
        catalogue,
        draws,
        orNone(coupon),
        delivery,
        (lines, products, drawn, terms, { isInterState, rates }) => {
          const row = terms && ({ ...COUPON, ...terms, ...terms.kind } satisfies CouponRow)
          const quote = () => {
            const priced = priceCart(
              toCartEntries($cart.get()),
              products,
              drawn,
              row && toPricedCoupon(row, products.values())
            )
            const lookup = row && { code: row.code, coupon: row, person: null }
            return JSON.parse(
              JSON.stringify(toQuote({ ...priced, products, now: 0, couponLookup: lookup }))
            ) as Quote
          }
          setLines(lines.map(toLine))
          setCoupon(row && { code: row.code })
          let [before, quoted] = [$cart.get(), quote()]
          applyQuote(quoted)
          // A discount that was lost changes the lines. The page then asks for another quote.
          for (; before !== $cart.get(); applyQuote(quoted))
            [before, quoted] = [$cart.get(), quote()]

          const { total, canOrder, coupon: result, lines: viewLines } = $cartView.get()
          const discount = result && 'discount' in result ? toRupees(result.discount) : 0
          expect([toRupees(total), canOrder, discount, viewLines.map(line => line.total)]).toEqual([
            quoted.total,
            quoted.canOrder,
            quoted.coupon?.discount ?? 0,
            quoted.lines.map(line => Math.round((line.total + (line.couponDiscount ?? 0)) * 100))
          ])
          const taxes = quoted.lines.map((line, index) =>
            splitTax(fromRupees(line.total), toBasisPoints(rates[index] ?? 0), isInterState)
          )
          expect(sumPaise(Object.values(sumTaxes(taxes)))).toBe(fromRupees(quoted.total))
        }
      ),
      { numRuns: 600 }
    )
  }
)

const COUPON = {
  id: 'coupon',
  code: 'DIWALI',
  starts_at: '',
  ends_at: null,
  once_per_person: 0,
  max_uses: null,
  uses: 0,
  version: 1,
  creation_key: null,
  created_at: ''
} as const

function toLine({
  id,
  count,
  price,
  discount
}: {
  id: string
  count: number
  price: number
  discount: number | undefined
}) {
  if (discount === undefined) return makeLine(id, count, { price })
  return makeLine(id, 1, { price, discount, dealId: `deal ${id}` })
}
