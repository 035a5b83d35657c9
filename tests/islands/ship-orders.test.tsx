import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { makeAdminOrder } from '../support/orders.ts'
import { errorReply, openAdminPage, type Replies } from '../support/session.ts'
import { expectShown, press, type, waitForUpdates } from '../support/page-input.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const makePacked = (id: string, draft: Partial<AdminOrder> = {}) =>
  makeAdminOrder({
    ...{ _id: id, orderNumber: `PG-${id}`, status: 'packed', deliveryMethod: 'courier' },
    ...draft
  })

/** Opens the list of orders, one of which somebody else has changed. */
async function openList(orders: AdminOrder[], changed = '') {
  const replies: Replies = {
    'GET /admin/orders': { orders, count: orders.length, pages: 1 },
    'GET /admin/unmatched-payments': []
  }
  for (const order of orders) {
    const isChanged = order._id === changed
    const moved = isChanged
      ? errorReply(409, { code: 'EDIT_CONFLICT', message: 'Someone else changed this order' })
      : { ...order, status: 'shipped' }
    replies[`GET /admin/orders/${order._id}`] = isChanged
      ? { ...order, status: 'delivered' }
      : order
    replies[`POST /admin/orders/${order._id}/move`] = moved
  }
  const page = await openAdminPage('/admin/orders?status=packed', replies)
  const { OrderList } = await import('#islands/admin/orders/OrdersPage.tsx')
  const filter = { status: 'packed', day: 'any', q: '', user: '', page: 1 } as const
  render(<OrderList query="?status=packed" filter={filter} />)
  await waitForUpdates(20)
  return page
}

describe('Ship orders', () => {
  test('asks for courier and number, and adds the tracking page of a known courier', async () => {
    const { bodies } = await openList([makePacked('o-1')])
    await press('Mark as shipped: order PG-o-1')
    await press('Mark as shipped')
    expectShown('Please enter the courier')
    expect(bodies).toEqual([])
    type(/^Courier/, 'delhivery')
    type(/^Tracking number/, '47 11')
    expect(screen.queryByLabelText(/Tracking page/)).toBeNull()
    await press('Mark as shipped')
    const trackingLink = 'https://www.delhivery.com/track-v2/package/47%2011'
    const shipment = { courier: 'delhivery', trackingNumber: '47 11', trackingLink }
    expect(bodies).toEqual([{ from: 'packed', to: 'shipped', shipment }])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.querySelector('[data-status=shipped]')).toBeTruthy()
  })

  test('takes the tracking page of another courier, and corrects the number of a shipped order', async () => {
    const shipment = { courier: 'KPN', trackingNumber: '', trackingLink: 'https://kpn.example/' }
    const { bodies } = await openList([makePacked('o-1')])
    await press('Mark as shipped: order PG-o-1')
    type(/^Courier/, 'KPN')
    type(/Tracking page/, 'https://kpn.example/')
    await press('Mark as shipped')
    expect(bodies).toMatchObject([{ shipment }])
    cleanup()
    const corrected = await openList([makePacked('o-1', { status: 'shipped', shipment })])
    const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
    cleanup()
    render(<OrderDetail id="o-1" listQuery="" />)
    await press('Change tracking')
    type(/^Tracking number/, '47 12')
    await press('Save')
    expect(corrected.bodies).toEqual([
      { from: 'shipped', to: 'shipped', shipment: { ...shipment, trackingNumber: '47 12' } }
    ])
  })

  test('sends several orders with one courier, each with its number, and names those that have changed', async () => {
    const orders = [
      makePacked('o-1'),
      makePacked('o-2'),
      makePacked('o-3', { deliveryMethod: 'pickup' })
    ]
    const { bodies, toastTexts } = await openList(orders, 'o-2')
    for (const box of screen.getAllByRole('checkbox', { name: /Select order/ }))
      fireEvent.click(box)
    expect(screen.getByRole('button', { name: 'Mark 1 as ready for pickup' })).toBeTruthy()
    await press('Mark 2 as shipped')
    type(/^Courier/, 'DTDC')
    for (const id of ['o-1', 'o-2']) type(new RegExp(`Tracking number of PG-${id}`), `D-${id}`)
    await press('Mark as shipped')
    await waitForUpdates(20)
    expect(bodies).toMatchObject([
      { shipment: { courier: 'DTDC', trackingNumber: 'D-o-1' } },
      { shipment: { courier: 'DTDC', trackingNumber: 'D-o-2' } }
    ])
    expect(toastTexts().join()).toContain('1 order not updated')
    expect(within(screen.getByRole('table')).getAllByText(/Shipped|Delivered/)).toHaveLength(2)
  })
})
