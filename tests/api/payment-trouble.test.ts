import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { razorpay } from '#server/gateways/payments.ts'
import { makeImpatient, myOrders, newShopper, opened, openMarket, place } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe.each(ENGINES)('a provider in trouble on %s', engine => {
  test('that is away: nothing is charged, the same press of the button goes on later', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const key = randomUUID()
    for (const trouble of ['errorBefore', 'tooMany', 'html', 'hang']) {
      await shop.sandbox.control('PUT', '/faults', { [trouble]: 1 })
      if (trouble === 'hang') makeImpatient(shop, 200)
      await expect(opened(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      expect((await shop.get('/products')).status).toBe(200)
    }
    await shop.sandbox.control('PUT', '/faults', {})
    makeImpatient(shop, 5000)
    const { id } = await opened(shop, anita, { items: lemons, key })
    await place(shop, anita, await shop.sandbox.pay(id))
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })

  test.for(['loseAnswer', 'errorAfter'])(
    'that does its work and %s: its order is adopted, not made twice',
    async trouble => {
      const shop = await openMarket(engine, { products })
      const anita = await newShopper(shop)
      const key = randomUUID()
      await shop.sandbox.control('PUT', '/faults', { [trouble]: 1 })
      await expect(opened(shop, anita, { items: lemons, key })).rejects.toThrow('503')
      await shop.sandbox.control('PUT', '/faults', {})
      await opened(shop, anita, { items: lemons, key })
      expect((await shop.sandbox.ask('GET', '/orders')).body['count']).toBe(1)
    }
  )

  test('when a payment comes: the shopper is told that it is being checked, the goods are kept, and it ends well', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { id } = await opened(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    await shop.sandbox.control('PUT', '/faults', { hang: 1 })
    makeImpatient(shop, 200)
    const reply = await place(shop, anita, proof)
    expect(reply).toMatchObject({ status: 202, body: { status: 'checking', paymentStatus: 'pending' } })
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'checking' }])
    await shop.sandbox.control('PUT', '/faults', { errorBefore: 1 })
    shop.clock.advance(2 * DAY)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
    await shop.sandbox.control('PUT', '/faults', {})
    makeImpatient(shop, 5000)
    shop.clock.advance(10 * MINUTE)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })

  test('that says with a wrong key nothing: no hold is let go for it', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    await opened(shop, anita, { items: lemons })
    const settings = { ...shop.app.payments.settings, keySecret: 'wrong' }
    shop.app.payments.gateway = razorpay(settings, { pauses: [] })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await shop.stockOf('lemon')).toBe(8)
  })
})
