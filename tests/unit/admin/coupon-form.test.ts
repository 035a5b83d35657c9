import { describe, expect, test } from 'vitest'
import { COUPON_FORM, createEmptyCoupon } from '#lib/admin/discount-forms.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { CouponDraft, type AdminCoupon, type CouponFields } from '#lib/contract/promotions.ts'

const NOW = Date.parse('2026-11-21T04:00:00.000Z')
const { parse } = COUPON_FORM
const toTyped = (fields: CouponFields) => COUPON_FORM.toTyped(fields as AdminCoupon)
const check = (typed: Typed) => COUPON_FORM.check?.(parse(typed), typed) ?? {}
const fill = (changes: Typed = {}) => ({
  ...createEmptyCoupon(NOW),
  code: 'diwali 10',
  discount: '10',
  ...changes
})
const KEY = '6f8a1c1e-8d1f-4f59-9f60-1d2f5a3b7c11'

describe('Coupon form', () => {
  test('starts now, for everyone once, on all products', () => {
    expect(parse(fill())).toEqual({
      code: 'DIWALI10',
      percent: 10,
      amount: null,
      minimum: 0,
      startTime: '2026-11-21T04:00:00.000Z',
      endTime: null,
      oncePerPerson: true,
      maxUses: null,
      categories: [],
      mayBeFree: false
    })
  })

  test('accepts amounts with separators, and shows a saved coupon as it was typed', () => {
    const typed = fill({
      kind: 'amount',
      discount: 'Rs. 1,050.50/-',
      minimum: '2000',
      maxUses: '100',
      categories: ['sweets']
    })
    const coupon = parse(typed)
    expect(coupon).toMatchObject({
      percent: null,
      amount: 1050.5,
      minimum: 2000,
      maxUses: 100,
      categories: ['sweets']
    })
    expect(parse(toTyped(coupon), coupon)).toEqual(coupon)
  })

  test.for([
    [{ code: 'ab' }, 'code'],
    [{ code: 'DIWALI-தீபாவளி' }, 'code'],
    [{ discount: '101' }, 'discount'],
    [{ discount: '7.5' }, 'discount'],
    [{ kind: 'amount', discount: '0.5' }, 'discount'],
    [{ kind: 'amount', discount: '9.999' }, 'discount'],
    [{ minimum: 'much' }, 'minimum'],
    [{ startTime: '' }, 'startTime'],
    [{ endTime: '2026-11-21T09:30' }, 'endTime'],
    [{ maxUses: '0' }, 'maxUses']
  ] as const)('refuses %j at the field %s, like the server', ([changes, field]) => {
    expect(Object.keys(check(fill(changes)))).toEqual([field])
    expect(CouponDraft.safeParse({ ...parse(fill(changes)), key: KEY }).success).toBe(false)
  })

  test('accepts what the server accepts', () => {
    for (const changes of [
      {},
      { kind: 'amount', discount: '9.99' },
      { endTime: '2026-12-01T00:00', maxUses: '1' }
    ]) {
      expect(check(fill(changes))).toEqual({})
      expect(CouponDraft.safeParse({ ...parse(fill(changes)), key: KEY }).success).toBe(true)
    }
  })
})
