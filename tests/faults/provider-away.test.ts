import { describe, expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { razorpay } from '#server/gateways/payments.ts'
import { checkOut, makeImpatient, newShopper, opened, openMarket, place } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { freePort } from '../support/server.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 100 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const amount = 120

describe.each(ENGINES)('a provider that is away on %s', engine => {
  test('and hangs holds up nothing else', async () => {
    const shop = await openMarket(engine, { products })
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => newShopper(shop)))
    await shop.sandbox.control('PUT', '/faults', { hang: 1 })
    makeImpatient(shop, 2 * SECOND)
    let answered = 0
    const waiting = shoppers.map(async shopper => {
      const { status } = await checkOut(shop, shopper, { items, amount })
      answered++
      return status
    })
    for (let read = 0; read < 50; read++) expect((await shop.get('/products')).status).toBe(200)
    expect(await newShopper(shop)).toBeDefined()
    expect(answered).toBe(0)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
    await shop.sandbox.control('PUT', '/faults', {})
    expect(await shop.violations()).toEqual([])
  })

  test('and listens nowhere charges nobody, loses nothing, and goes on when it is back', async () => {
    const shop = await openMarket(engine, { products })
    const [anita, velu] = [await newShopper(shop), await newShopper(shop)]
    const { id } = await opened(shop, anita, { items })
    const proof = await shop.sandbox.pay(id)
    const { gateway, settings } = shop.app.payments
    const nowhere = { ...settings, apiBase: `http://127.0.0.1:${await freePort()}/v1` }
    shop.app.payments.gateway = razorpay(nowhere, { pauses: [1] })
    expect(await checkOut(shop, velu, { items, amount })).toMatchObject({ status: 503 })
    expect(await place(shop, anita, proof)).toMatchObject({ status: 202, body: { status: 'checking' } })
    shop.app.payments.gateway = gateway
    expect(await place(shop, anita, proof)).toMatchObject({ status: 201, body: { status: 'pending' } })
    expect(await checkOut(shop, velu, { items, amount })).toMatchObject({ status: 200 })
    expect(await shop.violations()).toEqual([])
  })
})
