import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AdminCoupon, CouponDraft } from '#lib/contract/promotions.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { errorReply, openPage } from '../support/session.ts'
import { press } from './profile-page.tsx'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const DIWALI: AdminCoupon = {
  id: 'c1',
  code: 'DIWALI10',
  percent: 10,
  amount: null,
  minimum: 0,
  startTime: '2026-11-01T04:00:00.000Z',
  endTime: null,
  oncePerPerson: true,
  maxUses: 100,
  categories: [],
  mayBeFree: false,
  version: 1,
  state: 'running',
  uses: 7,
  createdAt: '2026-11-01T04:00:00.000Z'
}
const CATEGORIES = [
  { name: 'sweets', label: 'Sweets' },
  { name: 'pickles', label: 'Pickles' }
]

/** Answers each call with the coupon, and returns the bodies that were sent. */
async function openAdmin(coupon: AdminCoupon = DIWALI): Promise<Record<string, unknown>> {
  const sent: Record<string, unknown> = {}
  await openPage({
    path: '/admin/coupons',
    send: async (url, { method, body }) => {
      if (method !== 'GET')
        sent[`${method} ${url.replace('/api', '')}`] = body && JSON.parse(String(body))
      return Response.json(coupon)
    }
  })
  return sent
}

async function renderEditor(id: string): Promise<void> {
  const { CouponEditor } = await import('#islands/admin/records/CouponsPage.tsx')
  render(<CouponEditor id={id} categories={CATEGORIES} />)
}

const fill = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), {
    target: { value }
  })

describe('Coupons', () => {
  test('are listed with their uses, and can be ended after a question', async () => {
    const sent = await openAdmin()
    const { CouponList } = await import('#islands/admin/records/CouponsPage.tsx')
    render(<CouponList coupons={[DIWALI]} />)
    expect(screen.getByText('7 of 100')).toBeTruthy()
    await press('End DIWALI10 now')
    expect(screen.getByRole('dialog').textContent).toContain('Nobody can use it from now on.')
    await press('End coupon')
    expect(Object.keys(sent)).toEqual(['POST /admin/coupons/c1/end'])
  })

  test('are created with the chosen categories', async () => {
    const sent = await openAdmin()
    await renderEditor('+')
    await screen.findByLabelText('Code')
    await press('Create coupon')
    expect(screen.getByText(ADMIN_TEXTS.couponCodeInvalid)).toBeTruthy()
    expect(sent).toEqual({})
    fill('Code', 'pongal')
    fill('Kind of discount', 'amount')
    fill('Discount (₹)', '50')
    fireEvent.click(screen.getByLabelText('Pickles'))
    await press('Create coupon')
    expect(sent['POST /admin/coupons']).toMatchObject({
      code: 'PONGAL',
      percent: null,
      amount: 50,
      categories: ['pickles'],
      oncePerPerson: true
    } satisfies Partial<CouponDraft>)
  })

  test('keep one draft each', async () => {
    await openAdmin()
    for (const [id, minimum] of [
      ['c1', '500'],
      ['+', '300']
    ] as const) {
      await renderEditor(id)
      await screen.findByLabelText('Code')
      fill('Minimum order (optional)', minimum)
      cleanup()
    }
    await renderEditor('c1')
    expect((await screen.findByLabelText<HTMLInputElement>('Minimum order (optional)')).value).toBe(
      '500'
    )
  })

  test('can’t be edited while they are saved, and are not closed by a reply that comes after leaving', async () => {
    let answer = (): void => undefined
    const saved = new Promise<void>(resolve => (answer = resolve))
    await openPage({
      path: '/admin/coupons?coupon=c1',
      send: async (_url, { method }) => {
        if (method !== 'GET') await saved
        return Response.json(DIWALI)
      }
    })
    const openQuery = vi.spyOn(history, 'pushState')
    await renderEditor('c1')
    await screen.findByLabelText('Code')
    fill('Minimum order (optional)', '500')
    await press('Save coupon')
    expect(
      screen.getByLabelText('Minimum order (optional)').closest('fieldset:disabled')
    ).toBeTruthy()
    cleanup()
    answer()
    await waitFor(() => expect(sessionStorage.getItem('coupon c1')).toBeNull())
    expect(openQuery).not.toHaveBeenCalled()
  })

  test('keep what somebody else has changed since a draft was typed', async () => {
    let current = DIWALI
    const bodies: unknown[] = []
    await openPage({
      path: '/admin/coupons',
      send: async (url, { method, body }) => {
        if (method === 'GET') return Response.json(url.includes('audit') ? [] : current)
        const change = JSON.parse(String(body)) as { version: number }
        bodies.push(change)
        return change.version === current.version
          ? Response.json(current)
          : errorReply(409, { code: 'EDIT_CONFLICT' })()
      }
    })
    await renderEditor('c1')
    await screen.findByLabelText('Code')
    fill('Minimum order (optional)', '500')
    cleanup()
    current = { ...DIWALI, version: 2, maxUses: 200 }
    await renderEditor('c1')
    await screen.findByLabelText('Code')
    await press('Save coupon')
    await waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies[1]).toMatchObject({ version: 2, maxUses: 200, minimum: 500 })
  })

  test('can be freed of a category that no longer exists', async () => {
    const sent = await openAdmin({ ...DIWALI, categories: ['gone', 'sweets'] })
    await renderEditor('c1')
    const gone = await screen.findByLabelText('gone (no longer exists)')
    fireEvent.click(gone)
    // It stays until the form is saved, so that it does not lose the focus.
    expect(screen.getByRole('checkbox', { name: 'gone (no longer exists)', checked: false })).toBe(
      gone
    )
    await press('Save coupon')
    expect(sent['PATCH /admin/coupons/c1']).toMatchObject({ categories: ['sweets'] })
  })

  test('that have ended can only be viewed', async () => {
    await openAdmin({ ...DIWALI, state: 'ended', endTime: DIWALI.createdAt })
    await renderEditor('c1')
    expect(await screen.findByText(ADMIN_MESSAGES.couponEnded)).toBeTruthy()
    expect(screen.queryByRole('form')).toBeNull()
    expect(screen.queryByRole('button', { name: 'End DIWALI10 now' })).toBeNull()
  })
})
