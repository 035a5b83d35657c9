import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AdminOrder } from '#lib/contract/orders.ts'
import { makeOrder } from '../support/orders.ts'
import { openPage, PRIYA, respondWith, type Send } from '../support/session.ts'

type Reversal = AdminOrder['reversals'][number]

const DISPUTE: Reversal = { id: 'disp_1', kind: 'dispute', amount: 360, state: 'pending', isAcknowledged: false }

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function makeAdminOrder(...reversals: Reversal[]): AdminOrder {
  return { ...makeOrder(), userId: 'u-1', isAnonymised: false, isTest: false, refund: null, reversals }
}

async function openOrder(order: AdminOrder, acknowledged = order): Promise<{ bodies: unknown[] }> {
  const bodies: unknown[] = []
  const reply = respondWith({
    'GET /auth/me': () => Response.json(PRIYA),
    'GET /admin/orders/o-1': () => Response.json(order),
    'POST /admin/orders/o-1/acknowledge': () => Response.json(acknowledged)
  })
  const send: Send = (url, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    return reply(url, init)
  }
  await openPage({ send, path: '/admin/orders?order=o-1', token: 't', user: JSON.stringify(PRIYA) })
  const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
  render(<OrderDetail id="o-1" listQuery="" />)
  await waitForUpdates()
  return { bodies }
}

function waitForUpdates(): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, 5))
  })
}

const findPackButton = () => screen.queryByRole('button', { name: /Mark as packed/ })

describe('Admin order', () => {
  test('is on hold while a dispute is open, and goes on when it is acknowledged', async () => {
    const { bodies } = await openOrder(makeAdminOrder(DISPUTE), makeAdminOrder({ ...DISPUTE, isAcknowledged: true }))
    const notice = within(screen.getByRole('region', { name: 'On hold' }))
    expect(notice.getByText('Dispute at Razorpay: ₹360.00, open')).toBeTruthy()
    expect(findPackButton()).toBeNull()
    fireEvent.click(notice.getByRole('button', { name: /Acknowledge/ }))
    await waitForUpdates()
    expect(bodies).toEqual([{ reversals: ['disp_1'] }])
    expect(screen.queryByRole('region', { name: 'On hold' })).toBeNull()
    expect(findPackButton()).toBeTruthy()
  })

  test('says that it is a test order if no money was taken', async () => {
    await openOrder({ ...makeAdminOrder(), isTest: true })
    expect(screen.getByText('Test order: no money was taken.')).toBeTruthy()
  })

  test('without a refund or dispute shows no notice', async () => {
    await openOrder(makeAdminOrder())
    expect(screen.queryByText(/Razorpay/)).toBeNull()
    expect(findPackButton()).toBeTruthy()
  })
})
