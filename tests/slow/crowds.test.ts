import { expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { addDays, MINUTE, SECOND } from '#lib/time.ts'
import { logInByCode, statusAndCode } from '../support/accounts.ts'
import { addUnverified, expectInvariants, orderOf, placeOrder } from '../support/checkout.ts'
import { FIRST, openPlacesShop, readPlaces, requestLemons } from '../support/places.ts'

test('300 shoppers behind one address of a carrier all get their order in an hour', async () => {
  const shop = await openPlacesShop({ calendar: { ordersPerDay: 20, unitsPerDay: 100 } })
  expectInvariants(shop)
  const paying: { due: number; pay: () => Promise<void> }[] = []
  for (let n = 0; n < 300; n++) {
    shop.clock.advance(12 * SECOND)
    let shopper = await addUnverified(shop)
    let reply = await requestLemons(shop, shopper)
    if (reply.status === 403) {
      const { token } = await logInByCode(shop, `${shopper.name}@example.com`)
      shopper = { ...shopper, token }
      reply = await requestLemons(shop, shopper)
    }
    expect(statusAndCode(reply)).toBe('200')
    const { id } = reply.body as PaymentOrder
    paying.push({
      due: shop.clock() + ((n % 4) + 1) * MINUTE,
      pay: async () =>
        void orderOf(await placeOrder(shop, shopper, await shop.sandbox.pay(id ?? '')))
    })
    for (const each of paying.filter(({ due }) => due <= shop.clock())) {
      await each.pay()
      paying.splice(paying.indexOf(each), 1)
    }
  }
  for (const { pay } of paying) await pay()
  const places = await readPlaces(shop)
  expect(Object.values(places).reduce((sum, [orders]) => sum + orders, 0)).toBe(300)
  for (let n = 0; n < 14; n++) expect(places[addDays(FIRST, n)]).toEqual([20, 40])
})
