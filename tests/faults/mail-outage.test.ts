import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { buy, addShopper, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]

describe.each(ENGINES)('Mail server outage on %s', engine => {
  test('orders succeed while the mail server is down, and their mails are sent when it is up again', async () => {
    const sent: Mail[] = []
    let isDown = true
    const mail = {
      place: 'a mail server',
      async send(mail: Mail): Promise<void> {
        if (isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        sent.push(mail)
      }
    }
    const shop = await openCheckoutShop(engine, { products, mail })
    const anita = await addShopper(shop)
    const orders = [await buy(shop, anita, items), await buy(shop, anita, items)]
    await shop.deliverMails()
    shop.clock.advance(MINUTE)
    await shop.deliverMails()
    isDown = false
    shop.clock.advance(5 * MINUTE)
    await shop.deliverMails()
    await shop.deliverMails()
    const expectedIds = orders.flatMap(({ _id }) => [
      `order-placed-${_id}`,
      `order-placed-owner-${_id}`
    ])
    expect(sent.map(({ id }) => id).sort()).toEqual(expectedIds.sort())
    expect(await shop.violations()).toEqual([])
  })

  test('a mail server that hangs does not delay checkouts', async () => {
    const mail = { place: 'a mail server', send: () => new Promise<never>(() => undefined) }
    const shop = await openCheckoutShop(engine, { products, mail })
    const anita = await addShopper(shop)
    await buy(shop, anita, items)
    void shop.deliverMails()
    expect((await buy(shop, anita, items)).status).toBe('pending')
    expect(await shop.violations()).toEqual([])
  })
})
