import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { makeOrder } from '../support/orders.ts'
import { errorReply, openPage, PRIYA, respondWith, type Send } from '../support/session.ts'

const OWNER: User = { ...PRIYA, role: 'admin', staff: 'owner' }

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function makePacked(id: string, draft: Partial<AdminOrder> = {}): AdminOrder {
  return {
    ...makeOrder({ _id: id, orderNumber: `PG-${id}`, status: 'packed', deliveryMethod: 'courier' }),
    ...{
      userId: 'u-1',
      isAnonymised: false,
      isTest: false,
      isOnHold: false,
      refund: null,
      reversals: []
    },
    ...{ version: 0, refundable: 360 },
    ...draft
  }
}

/** Opens the list of the orders. Orders that can't be moved fail with a conflict. */
async function openList(orders: AdminOrder[], conflicts: string[] = [], unreachable = '') {
  const sent: Record<string, unknown> = {}
  const reply = respondWith({
    'GET /auth/me': () => Response.json(OWNER),
    'GET /admin/orders': () => Response.json({ orders, count: orders.length, pages: 1 }),
    'GET /admin/unmatched-payments': () => Response.json([]),
    ...Object.fromEntries(
      orders.flatMap(order => [
        [
          `GET /admin/orders/${order._id}`,
          () =>
            Response.json(conflicts.includes(order._id) ? { ...order, status: 'delivered' } : order)
        ],
        [
          `POST /admin/orders/${order._id}/move`,
          conflicts.includes(order._id)
            ? errorReply(409, { code: 'EDIT_CONFLICT', message: 'Someone else changed this order' })
            : () => Response.json({ ...order, status: 'shipped' })
        ]
      ])
    )
  })
  const send: Send = (url, init) => {
    const id = /orders\/(.+)\/move/.exec(String(url))?.[1]
    if (id !== undefined && id === unreachable) throw new TypeError('Failed to fetch')
    if (id !== undefined && typeof init.body === 'string') sent[id] = JSON.parse(init.body)
    return reply(url, init)
  }
  const page = await openPage({
    send,
    path: '/admin/orders?status=packed',
    token: 't',
    user: JSON.stringify(OWNER)
  })
  const { OrderList } = await import('#islands/admin/orders/OrdersPage.tsx')
  const filter = { status: 'packed', day: 'any', q: '', user: '', page: 1 } as const
  render(<OrderList query="?status=packed" filter={filter} />)
  await waitForUpdates()
  return { page, sent }
}

function waitForUpdates(): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, 20))
  })
}

async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await waitForUpdates()
}

const type = (label: RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })

describe('Ship orders', () => {
  test('asks for courier and number, and adds the tracking page of a known courier', async () => {
    const { sent } = await openList([makePacked('o-1')])
    await press('Mark as shipped: order PG-o-1')
    await press('Mark as shipped')
    expect(screen.getByText('Please enter the courier')).toBeTruthy()
    expect(sent).toEqual({})
    type(/^Courier/, 'delhivery')
    type(/^Tracking number/, '47 11')
    expect(screen.queryByLabelText(/Tracking page/)).toBeNull()
    await press('Mark as shipped')
    const trackingLink = 'https://www.delhivery.com/track-v2/package/47%2011'
    const shipment = { courier: 'delhivery', trackingNumber: '47 11', trackingLink }
    expect(sent).toEqual({ 'o-1': { from: 'packed', to: 'shipped', shipment } })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.querySelector('[data-status=shipped]')).toBeTruthy()
  })

  test('takes the tracking page of another courier', async () => {
    const { sent } = await openList([makePacked('o-1')])
    await press('Mark as shipped: order PG-o-1')
    type(/^Courier/, 'KPN Parcel')
    type(/Tracking page/, 'https://kpn.example/track')
    await press('Mark as shipped')
    const shipment = {
      courier: 'KPN Parcel',
      trackingNumber: '',
      trackingLink: 'https://kpn.example/track'
    }
    expect(sent).toMatchObject({ 'o-1': { shipment } })
  })

  test('corrects the tracking number of a shipped order', async () => {
    const shipment = {
      courier: 'KPN Parcel',
      trackingNumber: '47 11',
      trackingLink: 'https://kpn.example/track'
    }
    const { sent } = await openList([makePacked('o-1', { status: 'shipped', shipment })])
    const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
    cleanup()
    render(<OrderDetail id="o-1" listQuery="" />)
    await press('Change tracking')
    type(/^Tracking number/, '47 12')
    await press('Save')
    const corrected = { ...shipment, trackingNumber: '47 12' }
    expect(sent).toEqual({ 'o-1': { from: 'shipped', to: 'shipped', shipment: corrected } })
  })

  test('sends several orders with one courier, each with its number, and names those that have changed', async () => {
    const orders = [
      makePacked('o-1'),
      makePacked('o-2'),
      makePacked('o-3', { deliveryMethod: 'pickup' })
    ]
    const { page, sent } = await openList(orders, ['o-2'])
    for (const box of screen.getAllByRole('checkbox', { name: /Select order/ }))
      fireEvent.click(box)
    expect(screen.getByRole('button', { name: 'Mark 1 as ready for pickup' })).toBeTruthy()
    await press('Mark 2 as shipped')
    type(/^Courier/, 'DTDC')
    for (const id of ['o-1', 'o-2']) type(new RegExp(`Tracking number of PG-${id}`), `D-${id}`)
    await press('Mark as shipped')
    expect(sent).toMatchObject({
      'o-1': { shipment: { courier: 'DTDC', trackingNumber: 'D-o-1' } },
      'o-2': { shipment: { courier: 'DTDC', trackingNumber: 'D-o-2' } }
    })
    expect(page.toastTexts().join()).toContain('1 order not updated')
    expect(within(screen.getByRole('table')).getAllByText(/Shipped|Delivered/)).toHaveLength(2)
  })

  test('can undo what was sent before the network failed', async () => {
    const { sent } = await openList([makePacked('o-1'), makePacked('o-2')], [], 'o-2')
    const { $undo } = await import('#lib/stores/admin/notices.ts')
    for (const box of screen.getAllByRole('checkbox', { name: /Select order/ }))
      fireEvent.click(box)
    await press('Mark 2 as shipped')
    type(/^Courier/, 'DTDC')
    await press('Mark as shipped')
    expect(Object.keys(sent)).toEqual(['o-1'])
    expect(screen.getByRole('alert')).toBeTruthy()
    expect($undo.get()?.text).toContain('PG-o-1')
  })
})
