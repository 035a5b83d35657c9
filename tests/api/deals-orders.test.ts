import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Discount } from '#lib/contract/promotions.ts'
import { HOUR } from '#lib/time.ts'
import { call, statusAndCode } from '../support/accounts.ts'
import {
  buy,
  requestPayment,
  addShopper,
  openCheckoutShop,
  quoteOf,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const dealLine = { product: 'laddu', quantity: 1, dealId: 'festival' }

const draw = async (shop: CheckoutShop, { token }: Shopper): Promise<Discount> =>
  Discount.parse((await call(shop, 'POST /flash-deals/generate/laddu', { token })).body)
const myDiscount = async (shop: CheckoutShop, { token }: Shopper): Promise<Discount | undefined> =>
  z.array(Discount).parse((await call(shop, 'GET /flash-deals/mine', { token })).body)[0]

describe.each(ENGINES)('Drawn discount in an order on %s', engine => {
  test('is used up by a paid order but not by an unpaid one', async () => {
    const shop = await openCheckoutShop(engine, {
      products: { laddu: { price: 180 } },
      deals: { festival: { product: 'laddu', to: HOUR } }
    })
    const anita = await addShopper(shop)
    const { price } = await draw(shop, anita)
    expect(
      statusAndCode(await requestPayment(shop, anita, { items: [dealLine], amount: price }))
    ).toBe('200')
    expect(await myDiscount(shop, anita)).toMatchObject({ used: false })
    await buy(shop, anita, [dealLine])
    expect(await myDiscount(shop, anita)).toMatchObject({ used: true, price })
    expect(await draw(shop, anita)).toMatchObject({ used: true, price })
  })
})

describe('Drawn discount in an order', () => {
  test.for([1, 7, 13, 50, 99])(
    'of %i percent results in the same price in the draw, the quote and the order',
    async percent => {
      const shop = await openCheckoutShop('sqlite', {
        products: { laddu: { price: 180.55 } },
        deals: { festival: { product: 'laddu', percent: 99, to: HOUR } },
        randomInt: () => percent
      })
      const anita = await addShopper(shop)
      const { discount, price } = await draw(shop, anita)
      expect(discount).toBe(percent)
      expect(await quoteOf(shop, anita, [dealLine])).toMatchObject({
        total: price,
        lines: [{ price, discount }]
      })
      expect(await buy(shop, anita, [dealLine])).toMatchObject({
        totalAmount: price,
        items: [{ price, discount }]
      })
      expect(await shop.violations()).toEqual([])
    }
  )
})
