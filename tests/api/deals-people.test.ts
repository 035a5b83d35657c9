import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Discount } from '#lib/contract/promotions.ts'
import { HOUR } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { ANITA, call, logInByCode, register, statusAndCode } from '../support/accounts.ts'
import {
  addShopper,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  requestPayment,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const products = { laddu: { price: 180 } }

const draw = (shop: Shop, token: string): Promise<Reply> =>
  call(shop, 'POST /flash-deals/generate/laddu', { token })
const percentOf = (reply: Reply): number => Discount.parse(reply.body).discount
const listMyDiscounts = async (shop: Shop, token: string): Promise<Discount[]> =>
  z.array(Discount).parse((await call(shop, 'GET /flash-deals/mine', { token })).body)
const readDraws = ({ database }: Shop): Promise<unknown[]> =>
  database.kysely.selectFrom('draws').selectAll().execute()

/** Each draw has another percentage. */
async function openDeals(engine: Engine): Promise<Shop> {
  let drawn = 0
  return openShop(engine, {
    products,
    deals: { now: { product: 'laddu', percent: 90 } },
    randomInt: () => ++drawn
  })
}
const registerAs = async (shop: Shop, email: string): Promise<string> =>
  (await register(shop, { email })).token
const deleteAccount = (shop: Shop, token: string): Promise<Reply> =>
  call(shop, 'DELETE /auth/me', { token, body: { proof: { password: ANITA.password } } })

describe.each(ENGINES)('A person with several accounts on %s', engine => {
  test.for([
    ['meena.raja@gmail.com', 'm.e.enaraja+deals@googlemail.com', 'Gmail ignores dots and tags'],
    ['meena@example.com', 'meena+2@example.com', 'other providers ignore tags']
  ] as const)('draws one discount as %s and %s, because %s', async ([first, second]) => {
    const shop = await openDeals(engine)
    const token = await registerAs(shop, first)
    const other = await registerAs(shop, second)
    expect(percentOf(await draw(shop, token))).toBe(1)
    expect(percentOf(await draw(shop, other))).toBe(1)
    expect(await listMyDiscounts(shop, token)).toEqual([])
    expect(percentOf(await draw(shop, token))).toBe(1)
    expect(await readDraws(shop)).toHaveLength(1)
  })

  test('uses the discount once', async () => {
    const shop = await openCheckoutShop(engine, { products, deals: { now: { product: 'laddu' } } })
    const [anita, again] = [await addShopper(shop, 'anita'), await addShopper(shop, 'anita+2')]
    const line = { product: 'laddu', quantity: 1, dealId: 'now' }
    const { price } = Discount.parse((await draw(shop, anita.token)).body)
    const { orderId } = await openPayment(shop, anita, { items: [line], amount: price })
    const usedBy = async (shopper: Shopper): Promise<boolean> =>
      Discount.parse((await draw(shop, shopper.token)).body).used
    expect(await usedBy(again)).toBe(true)
    expect(statusAndCode(await requestPayment(shop, again, { items: [line], amount: price }))).toBe(
      '409 PRICE_CHANGED'
    )
    await callAs(anita, shop, `POST /orders/${orderId}/cancel`)
    expect(await usedBy(again)).toBe(false)
    await buy(shop, again, [line])
    expect([await usedBy(anita), await usedBy(again)]).toEqual([true, true])
    expect(await shop.violations()).toEqual([])
  })

  test('is forgotten when the deal has ended', async () => {
    const shop = await openDeals(engine)
    const { token } = await register(shop)
    await draw(shop, token)
    await draw(shop, await registerAs(shop, 'bala@example.com'))
    await deleteAccount(shop, token)
    shop.clock.advance(HOUR)
    await deleteExpired(shop.app)
    expect(await readDraws(shop)).toEqual([expect.objectContaining({ percent: 2, person: null })])
  })
})

describe('A person with several accounts', () => {
  test.for([
    ['meena.raja@example.com', 'meenaraja@example.com'],
    ['meena@example.com', 'meena@example.org'],
    ['+1@example.com', '+2@example.com']
  ] as const)('is not assumed for %s and %s', async ([first, second]) => {
    const shop = await openDeals('sqlite')
    expect(percentOf(await draw(shop, await registerAs(shop, first)))).toBe(1)
    expect(percentOf(await draw(shop, await registerAs(shop, second)))).toBe(2)
  })

  test('finds the old discount after the account was deleted and registered again', async () => {
    const shop = await openDeals('sqlite')
    const { token } = await register(shop)
    await draw(shop, token)
    expect((await deleteAccount(shop, token)).status).toBe(200)
    expect(JSON.stringify(await readDraws(shop))).not.toContain('anita')
    shop.clock.advance(1)
    const again = await register(shop)
    expect(percentOf(await draw(shop, again.token))).toBe(1)
    const verified = await logInByCode(shop)
    expect(await listMyDiscounts(shop, verified.token)).toMatchObject([{ discount: 1 }])
  })

  test('cannot take the discount of a verified address with an unverified one', async () => {
    const shop = await openDeals('sqlite')
    const { token } = await logInByCode(shop)
    await draw(shop, token)
    expect(percentOf(await draw(shop, await registerAs(shop, 'anita+stranger@example.com')))).toBe(
      2
    )
    expect(await listMyDiscounts(shop, token)).toMatchObject([{ discount: 1 }])
  })
})
