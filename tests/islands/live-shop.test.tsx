import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { openPage, PRIYA, respondWith } from '../support/session.ts'
import { press } from './profile-page.tsx'

const ADMIN: User = { ...PRIYA, role: 'admin', staff: 'owner' }
const PAYMENT = {
  id: 'pay_1',
  amount: 240,
  orderNumber: 'PG-1042',
  problem: 'no_order',
  paidAt: '2026-11-20T04:00:00.000Z'
}

afterEach(cleanup)

/** Opens the orders page of a shop that was restored from a backup. */
async function openOrders() {
  let notLive = true
  const payments = [
    PAYMENT,
    { ...PAYMENT, id: 'pay_2', orderNumber: 'PG-1043', problem: 'refund_failed' }
  ]
  const page = await openPage({
    path: '/admin/orders',
    token: 't',
    user: JSON.stringify(ADMIN),
    send: respondWith({
      'GET /auth/me': () => Response.json(ADMIN),
      'GET /status': () => Response.json({ testMode: false, mailNotSetUp: false, notLive }),
      'GET /admin/orders': () => Response.json({ orders: [], count: 0, pages: 1 }),
      'GET /admin/unmatched-payments': () => Response.json(payments),
      'POST /admin/confirm-live': () => {
        notLive = false
        return Response.json({ message: 'This is the live shop.' })
      },
      'POST /admin/unmatched-payments/pay_1': () => {
        payments.shift()
        return Response.json({ message: 'The refund is on its way.' })
      },
      'POST /admin/unmatched-payments/pay_2': () => {
        payments.pop()
        return Response.json({ message: 'The refund is marked as done.' })
      }
    })
  })
  const { OrdersPage } = await import('#islands/admin/orders/OrdersPage.tsx')
  render(<OrdersPage sender={{ name: 'Palagaram' } as never} taxText="" />)
  return page
}

test('The bar of a shop that is not live disappears after an administrator has confirmed it', async () => {
  const page = await openOrders()
  await screen.findByText(/^Not the live shop/)
  await press('This is now the live shop')
  await press('Confirm')
  await waitFor(() => expect(screen.queryByText(/^Not the live shop/)).toBeNull())
  expect(page.toastTexts()).toEqual([['This is the live shop.', undefined]])
})

test('A payment without an order leaves the list after an administrator has refunded it', async () => {
  const page = await openOrders()
  await screen.findByText('Unmatched payments', { selector: 'h2' })
  expect(screen.getByText('PG-1042')).toBeTruthy()
  await press('Refund: payment pay_1')
  await press('Refund')
  await waitFor(() =>
    expect(screen.queryByText('Unmatched payments', { selector: 'h2' })).toBeNull()
  )
  expect(page.calls).toContain('POST /admin/unmatched-payments/pay_1')
})

test('A failed refund leaves its list after an administrator has marked it as done', async () => {
  const page = await openOrders()
  await screen.findByText('Failed refunds', { selector: 'h2' })
  expect(screen.getByText('PG-1043')).toBeTruthy()
  await press('Mark as done: payment pay_2')
  await press('Mark as done')
  await waitFor(() => expect(screen.queryByText('Failed refunds', { selector: 'h2' })).toBeNull())
  expect(screen.getByText('Unmatched payments', { selector: 'h2' })).toBeTruthy()
  expect(page.toastTexts()).toEqual([['The refund is marked as done.', undefined]])
})
