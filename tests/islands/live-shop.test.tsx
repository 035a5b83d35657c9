import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { openAdminPage } from '../support/session.ts'
import { press } from '../support/page-input.ts'

const PAYMENT = {
  ...{ id: 'pay_1', amount: 240, orderNumber: 'PG-1042', problem: 'no_order' },
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
  const page = await openAdminPage('/admin/orders', {
    'GET /status': () => Response.json({ testMode: false, mailNotSetUp: false, notLive }),
    'GET /admin/orders': { orders: [], count: 0, pages: 1 },
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

const findHeading = (text: string) => screen.queryByText(text, { selector: 'h2' })

test('A payment without an order leaves the list when it is refunded, a failed refund when marked as done', async () => {
  const page = await openOrders()
  expect(await screen.findByText('PG-1042')).toBeTruthy()
  await press('Refund: payment pay_1')
  await press('Refund')
  await waitFor(() => expect(findHeading('Unmatched payments')).toBeNull())
  expect(page.calls).toContain('POST /admin/unmatched-payments/pay_1')
  expect(findHeading('Failed refunds')).toBeTruthy()
  await press('Mark as done: payment pay_2')
  await press('Mark as done')
  await waitFor(() => expect(findHeading('Failed refunds')).toBeNull())
  expect(page.toastTexts().at(-1)).toEqual(['The refund is marked as done.', undefined])
})
