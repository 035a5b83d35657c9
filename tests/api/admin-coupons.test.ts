import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminCoupon, CouponDraft } from '#lib/contract/promotions.ts'
import { HOUR } from '#lib/time.ts'
import { expectBody } from '../support/accounts.ts'
import { fieldsOf, withAdmin } from '../support/admin-products.ts'
import { addShopper, buy, openCheckoutShop } from '../support/checkout.ts'
import { couponOf } from '../support/coupons.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const products = { laddu: { price: 200 } }
const items = [{ product: 'laddu', quantity: 2 }]
const DRAFT: Omit<CouponDraft, 'key'> = {
  code: 'diwali 10',
  percent: 10,
  amount: null,
  minimum: 0,
  startTime: '2026-11-21T04:00:00.000Z',
  endTime: null,
  oncePerPerson: false,
  maxUses: null,
  categories: [],
  mayBeFree: false
}

async function openOwnerShop(engine: Engine) {
  const shop = await withAdmin(await openCheckoutShop(engine, { products }))
  return {
    ...shop,
    create: (changes: Partial<CouponDraft> = {}): Promise<Reply> =>
      shop.callAsAdmin('POST /admin/coupons', { ...DRAFT, key: randomUUID(), ...changes }),
    change: (id: string, changes: object): Promise<Reply> =>
      shop.callAsAdmin(`PATCH /admin/coupons/${id}`, { ...DRAFT, ...changes })
  }
}

describe.each(ENGINES)('Coupons of the owner on %s', engine => {
  test('are created, used, changed and ended, and each change is in the history', async () => {
    const { callAsAdmin, create, change, ...shop } = await openOwnerShop(engine)
    const anita = await addShopper(shop)
    const { id, ...coupon } = (await create()).body as AdminCoupon
    expect(coupon).toMatchObject({ code: 'DIWALI10', version: 1, uses: 0, state: 'running' })
    await buy(shop, anita, items, { coupon: 'DIWALI10', amount: 360 })
    await expectBody(change(id, { percent: 20, version: 1 }), {
      percent: 20,
      version: 2,
      uses: 1
    })
    await expectBody(change(id, { percent: 30, version: 1 }), {
      code: 'EDIT_CONFLICT'
    })
    expect(await couponOf(shop, anita, items, 'DIWALI10')).toMatchObject({ discount: 80 })
    for (const _ of ['ended', 'still ended'])
      await expectBody(callAsAdmin(`POST /admin/coupons/${id}/end`), {
        state: 'ended'
      })
    expect(await couponOf(shop, anita, items, 'DIWALI10')).toMatchObject({ problem: 'unknown' })
    await expectBody(change(id, { percent: 5, version: 3 }), {
      code: 'COUPON_ENDED'
    })
    const history = await shop.history(id, 'coupon')
    expect(history.map(entry => entry.split(' ')[0]).toSorted()).toEqual([
      'changed',
      'created',
      'ended'
    ])
    await expectBody(callAsAdmin('GET /admin/coupons'), [{ id, state: 'ended', uses: 1 }])
  })

  test('have different codes, and a form that is sent twice creates one of them', async () => {
    const { callAsAdmin, create, change } = await openOwnerShop(engine)
    const key = randomUUID()
    const { id } = (await create({ key })).body as AdminCoupon
    await expectBody(create({ key, code: 'PONGAL' }), { id, code: 'PONGAL' })
    expect((await callAsAdmin('GET /admin/coupons')).body).toHaveLength(1)
    const other = (await create()).body as AdminCoupon
    const taken = { code: expect.stringContaining('Another') }
    expect(fieldsOf(await create({ code: 'PONGAL' }))).toEqual(taken)
    expect(fieldsOf(await change(other.id, { code: 'PONGAL', version: 1 }))).toEqual(taken)
  })
})

test('A coupon is refused with an end in the past, unknown categories or two discounts', async () => {
  const { create } = await openOwnerShop('sqlite')
  for (const [changes, field] of [
    [{ startTime: '2020-01-01T00:00:00.000Z', endTime: DRAFT.startTime }, 'endTime'],
    [{ categories: ['sweets', 'pizza'] }, 'categories'],
    [{ amount: 50 }, 'discount']
  ] as const)
    expect(Object.keys(fieldsOf(await create(changes as Partial<CouponDraft>)) ?? {})).toEqual([
      field
    ])
})

test('A coupon that may make products free needs the password again', async () => {
  const { clock, create } = await openOwnerShop('sqlite')
  clock.advance(HOUR)
  await expectBody(create({ mayBeFree: true }), { code: 'VERIFICATION_REQUIRED' })
})
