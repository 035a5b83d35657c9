import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminCoupon, CouponDraft } from '#lib/contract/promotions.ts'
import { DAY, HOUR } from '#lib/time.ts'
import {
  addShopper,
  buy,
  callAs,
  openCheckoutShop,
  type CheckoutShop
} from '../support/checkout.ts'
import { couponOf } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const catalog = { products: { laddu: { price: 200 } } } as const
const items = [{ product: 'laddu', quantity: 2 }]

function makeDraft({ clock }: CheckoutShop, changes: Partial<CouponDraft> = {}): CouponDraft {
  return {
    key: randomUUID(),
    code: 'diwali 10',
    percent: 10,
    amount: null,
    minimum: 0,
    startTime: new Date(clock()).toISOString(),
    endTime: null,
    oncePerPerson: true,
    maxUses: null,
    categories: [],
    mayBeFree: false,
    ...changes
  }
}

async function openShop(engine: 'sqlite' | 'postgres' = 'sqlite') {
  const shop = await openCheckoutShop(engine, catalog)
  const owner = await addShopper(shop, 'owner', 'owner')
  const send = (line: string, body?: object): Promise<Reply> => callAs(owner, shop, line, body)
  const create = async (changes: Partial<CouponDraft> = {}): Promise<AdminCoupon> =>
    (await send('POST /admin/coupons', makeDraft(shop, changes))).body as AdminCoupon
  return { shop, send, create }
}

describe.each(ENGINES)('Coupons of the owner on %s', engine => {
  test('are created, used, changed and ended, and each change is in the history', async () => {
    const { shop, send, create } = await openShop(engine)
    const anita = await addShopper(shop)
    const { id, ...coupon } = await create()
    expect(coupon).toMatchObject({ code: 'DIWALI10', version: 1, uses: 0, state: 'running' })
    await buy(shop, anita, items, { coupon: 'DIWALI10', amount: 360 })
    const change = {
      ...makeDraft(shop, { code: 'DIWALI10', percent: 20, oncePerPerson: false }),
      version: 1
    }
    const changed = (await send(`PATCH /admin/coupons/${id}`, change)).body
    expect(changed).toMatchObject({ percent: 20, version: 2, uses: 1 })
    expect(await couponOf(shop, anita, items, 'DIWALI10')).toMatchObject({ discount: 80 })
    expect((await send(`POST /admin/coupons/${id}/end`)).body).toMatchObject({ state: 'ended' })
    expect((await send(`POST /admin/coupons/${id}/end`)).status).toBe(200)
    expect(await couponOf(shop, anita, items, 'DIWALI10')).toMatchObject({ problem: 'unknown' })
    const { body } = await send(`GET /admin/audit?kinds=coupon&id=${id}`)
    expect((body as { action: string }[]).map(({ action }) => action).sort()).toEqual([
      'changed',
      'created',
      'ended'
    ])
    expect((await send('GET /admin/coupons')).body).toMatchObject([{ id, state: 'ended', uses: 1 }])
  })

  test('creates one coupon if it is sent twice, and refuses a code that another coupon has', async () => {
    const { shop, send, create } = await openShop(engine)
    const draft = makeDraft(shop)
    const replies = [
      await send('POST /admin/coupons', draft),
      await send('POST /admin/coupons', draft)
    ]
    expect(new Set(replies.map(({ body }) => (body as AdminCoupon).id)).size).toBe(1)
    const other = await send('POST /admin/coupons', makeDraft(shop))
    expect(other.body).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { code: expect.stringContaining('Another') }
    })
    const { id } = await create({ code: 'PONGAL' })
    const renamed = await send(`PATCH /admin/coupons/${id}`, { ...makeDraft(shop), version: 1 })
    expect(renamed.body).toMatchObject({ fields: { code: expect.stringContaining('Another') } })
  })
})

describe('Coupon form', () => {
  test('changes the new coupon if the form is sent again with another code, because the reply was lost', async () => {
    const { shop, send, create } = await openShop()
    const key = randomUUID()
    const { id } = await create({ key })
    expect(await create({ key, code: 'PONGAL' })).toMatchObject({ id, code: 'PONGAL' })
    expect(await create({ key, code: 'PONGAL' })).toMatchObject({ id, version: 2 })
    expect((await send('GET /admin/coupons')).body).toHaveLength(1)
    const other = await send('POST /admin/coupons', makeDraft(shop, { key, code: 'DIWALI' }))
    expect(other.body).toMatchObject({ code: 'EDIT_CONFLICT' })
  })

  test('asks for the password again before a discount above 50 % or a free one', async () => {
    const { shop, send } = await openShop()
    shop.clock.advance(HOUR)
    for (const changes of [{ percent: 51 }, { mayBeFree: true }]) {
      const { body } = await send('POST /admin/coupons', makeDraft(shop, changes))
      expect(body).toMatchObject({ code: 'VERIFICATION_REQUIRED' })
    }
  })

  test('reports a conflict with a newer version', async () => {
    const { shop, send, create } = await openShop()
    const { id } = await create()
    const change = (percent: number) =>
      send(`PATCH /admin/coupons/${id}`, { ...makeDraft(shop, { percent }), version: 1 })
    expect((await change(15)).status).toBe(200)
    expect((await change(20)).body).toMatchObject({ code: 'EDIT_CONFLICT' })
  })

  test.for([
    [{ code: 'abc' }, 'code'],
    [{ percent: null }, 'discount'],
    [{ percent: 10, amount: 50 }, 'discount'],
    [{ endTime: '2020-01-01T00:00:00.000Z' }, 'endTime'],
    [{ categories: ['sweets', 'pizza'] }, 'categories']
  ] as const)('refuses %j at the field %s', async ([changes, field]) => {
    const { shop, send } = await openShop()
    const { body } = await send(
      'POST /admin/coupons',
      makeDraft(shop, changes as Partial<CouponDraft>)
    )
    expect(Object.keys((body as { fields: object }).fields)).toEqual([field])
  })

  test('limits a coupon to categories', async () => {
    const { shop, create } = await openShop()
    await create({ categories: ['pickles'], oncePerPerson: false })
    expect(await couponOf(shop, await addShopper(shop), items, 'DIWALI10')).toMatchObject({
      problem: 'no_items'
    })
  })

  test('can’t change a coupon that has ended', async () => {
    const { shop, send, create } = await openShop()
    const { id } = await create({ endTime: new Date(shop.clock() + DAY).toISOString() })
    shop.clock.advance(DAY)
    const { body } = await send(`PATCH /admin/coupons/${id}`, {
      ...makeDraft(shop, { percent: 5 }),
      version: 1
    })
    expect(body).toMatchObject({ code: 'COUPON_ENDED' })
  })
})
