import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminCoupon } from '#lib/contract/promotions.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { openAdminPage } from '../support/session.ts'
import { expectShown, press } from '../support/page-input.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const DIWALI: AdminCoupon = {
  ...{ id: 'c1', code: 'DIWALI10', percent: 10, amount: null, minimum: 0, maxUses: 100, uses: 7 },
  ...{
    startTime: '2026-11-01T04:00:00.000Z',
    endTime: null,
    createdAt: '2026-11-01T04:00:00.000Z'
  },
  ...{ oncePerPerson: true, categories: [], mayBeFree: false, version: 1, state: 'running' }
}
const CATEGORIES = [
  { name: 'sweets', label: 'Sweets' },
  { name: 'pickles', label: 'Pickles' }
]

/** A server with one coupon. */
const openAdmin = (coupon: AdminCoupon = DIWALI) =>
  openAdminPage('/admin/coupons', {
    'GET /admin/coupons/c1': coupon,
    'GET /admin/coupons/c1/audit': [],
    'POST /admin/coupons': coupon,
    'PATCH /admin/coupons/c1': coupon,
    'POST /admin/coupons/c1/end': coupon
  })

async function renderEditor(id: string) {
  const { CouponEditor } = await import('#islands/admin/records/CouponsPage.tsx')
  render(<CouponEditor id={id} categories={CATEGORIES} />)
}

const fill = (label: string, value: string) =>
  void fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), {
    target: { value }
  })

describe('Coupons', () => {
  test('are listed with their uses, and can be ended after a question', async () => {
    const { calls } = await openAdmin()
    const { CouponList } = await import('#islands/admin/records/CouponsPage.tsx')
    render(<CouponList coupons={[DIWALI]} />)
    expectShown('7 of 100')
    await press('End DIWALI10 now')
    expect(screen.getByRole('dialog').textContent).toContain('Nobody can use it from now on.')
    await press('End coupon')
    expect(calls).toEqual(['POST /admin/coupons/c1/end'])
  })

  test('are created with the chosen categories', async () => {
    const { bodies } = await openAdmin()
    await renderEditor('+')
    await screen.findByLabelText('Code')
    await press('Create coupon')
    expectShown(ADMIN_TEXTS.couponCodeInvalid)
    expect(bodies).toEqual([])
    fill('Code', 'pongal')
    fill('Kind of discount', 'amount')
    fill('Discount (₹)', '50')
    fireEvent.click(screen.getByLabelText('Pickles'))
    await press('Create coupon')
    const discount = { percent: null, amount: 50 }
    expect(bodies).toMatchObject([
      { code: 'PONGAL', ...discount, categories: ['pickles'], oncePerPerson: true }
    ])
  })

  test('that have ended can only be viewed', async () => {
    await openAdmin({ ...DIWALI, state: 'ended', endTime: DIWALI.createdAt })
    await renderEditor('c1')
    expect(await screen.findByText(ADMIN_MESSAGES.couponEnded)).toBeTruthy()
    expect(screen.queryByRole('form')).toBeNull()
    expect(screen.queryByRole('button', { name: 'End DIWALI10 now' })).toBeNull()
  })
})
