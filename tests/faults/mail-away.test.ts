import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Mail } from '#server/gateways/mail.ts'
import { buy, newShopper, openMarket } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('a mail server on %s', engine => {
  test('that is away costs no order; its mails go out once it is back', async () => {
    const sent: Mail[] = []
    let isAway = true
    const mail = {
      place: 'a mail server',
      async send(mail: Mail): Promise<void> {
        if (isAway) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        sent.push(mail)
      }
    }
    const shop = await openMarket(engine, { products, mail })
    const anita = await newShopper(shop)
    const orders = [await buy(shop, anita, items), await buy(shop, anita, items)]
    await shop.deliver()
    shop.clock.advance(MINUTE)
    await shop.deliver()
    isAway = false
    shop.clock.advance(5 * MINUTE)
    await shop.deliver()
    await shop.deliver()
    const wanted = orders.flatMap(({ _id }) => [`order-placed-${_id}`, `order-placed-owner-${_id}`])
    expect(sent.map(({ id }) => id).sort()).toEqual(wanted.sort())
    expect(await shop.violations()).toEqual([])
  })

  test('that hangs delays no checkout', async () => {
    const mail = { place: 'a mail server', send: () => new Promise<never>(() => undefined) }
    const shop = await openMarket(engine, { products, mail })
    const anita = await newShopper(shop)
    await buy(shop, anita, items)
    void shop.deliver()
    expect((await buy(shop, anita, items)).status).toBe('pending')
    expect(await shop.violations()).toEqual([])
  })
})
