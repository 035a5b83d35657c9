import { atom, readonlyType } from 'nanostores'
import { api } from '../../api.ts'
import type { AdminCoupon, CouponChange, CouponDraft } from '../../contract/coupons.ts'
import { loadInto, updateLoaded, type LoadState } from '../load-state.ts'

const $state = atom<LoadState<readonly AdminCoupon[]>>({ state: 'loading' })

export const $coupons = readonlyType($state)

export function loadCoupons(): Promise<void> {
  return loadInto($state, () => api('GET /admin/coupons'))
}

export async function readCoupon(id: string): Promise<AdminCoupon> {
  return storeCoupon(await api('GET /admin/coupons/{id}', { params: { id } }))
}

export async function createCoupon(draft: CouponDraft): Promise<AdminCoupon> {
  return storeCoupon(await api('POST /admin/coupons', { body: draft }))
}

export async function changeCoupon(id: string, change: CouponChange): Promise<AdminCoupon> {
  return storeCoupon(await api('PATCH /admin/coupons/{id}', { params: { id }, body: change }))
}

export async function endCoupon(id: string): Promise<AdminCoupon> {
  return storeCoupon(await api('POST /admin/coupons/{id}/end', { params: { id } }))
}

function storeCoupon(coupon: AdminCoupon): AdminCoupon {
  updateLoaded($state, coupons => [coupon, ...coupons.filter(({ id }) => id !== coupon.id)])
  return coupon
}
