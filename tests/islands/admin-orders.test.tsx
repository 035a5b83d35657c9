import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { groupByNextStatus } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { makeOrder, makeOrderItem, SELLER, SHOP } from '../support/orders.ts'
import { errorReply, openAdminPage } from '../support/session.ts'
import { press, waitForUpdates } from './profile-page.tsx'

type Reversal = AdminOrder['reversals'][number]

const DISPUTE: Reversal = {
  id: 'disp_1',
  kind: 'dispute',
  amount: 360,
  state: 'pending',
  isAcknowledged: false
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const isOpen = ({ state, isAcknowledged }: Reversal): boolean => state !== 'void' && !isAcknowledged

function makeAdminOrder(...reversals: Reversal[]): AdminOrder {
  return {
    ...makeOrder(),
    version: 0,
    refundable: 360,
    userId: 'u-1',
    isAnonymised: false,
    isTest: false,
    isOnHold: reversals.some(isOpen),
    refund: null,
    reversals
  }
}

/** With `newer`, the first change fails, because somebody else has changed the order to that. */
async function openOrder(
  order: AdminOrder,
  acknowledged = order,
  newer?: AdminOrder
): Promise<{ bodies: unknown[] }> {
  let current = order
  const change = (): Response => {
    if (!newer || current === newer) return Response.json(acknowledged)
    current = newer
    return errorReply(409, { code: 'EDIT_CONFLICT', message: '' })()
  }
  const { bodies } = await openAdminPage('/admin/orders?order=o-1', {
    'GET /admin/orders/o-1': () => Response.json(current),
    'POST /admin/orders/o-1/acknowledge': acknowledged,
    'POST /admin/orders/o-1/change': change
  })
  const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
  render(<OrderDetail id="o-1" listQuery="" />)
  await waitForUpdates()
  return { bodies }
}

const findPackButton = () => screen.queryByRole('button', { name: /Mark as packed/ })

describe('Admin order', () => {
  test('is on hold while a dispute is open, and goes on when it is acknowledged', async () => {
    const { bodies } = await openOrder(
      makeAdminOrder(DISPUTE),
      makeAdminOrder({ ...DISPUTE, isAcknowledged: true })
    )
    const notice = within(screen.getByRole('region', { name: 'On hold' }))
    expect(notice.getByText('Dispute at Razorpay: ₹360.00, open')).toBeTruthy()
    expect(findPackButton()).toBeNull()
    fireEvent.click(notice.getByRole('button', { name: /Acknowledge/ }))
    await waitForUpdates()
    expect(bodies).toEqual([{ reversals: ['disp_1'] }])
    expect(screen.queryByRole('region', { name: 'On hold' })).toBeNull()
    expect(findPackButton()).toBeTruthy()
  })

  test('moves by one step only, although its button is clicked twice', async () => {
    const { bodies } = await openOrder(makeAdminOrder())
    fireEvent.click(findPackButton() ?? document.body, { detail: 2 })
    await waitForUpdates()
    expect(findPackButton()).toBeTruthy()
    expect(bodies).toEqual([])
  })

  test('says what Razorpay has failed to refund', async () => {
    await openOrder({
      ...makeAdminOrder(),
      refunds: { processed: 0, open: 0, due: 120, surplus: 0 }
    })
    expect(screen.getByRole('region', { name: 'Refund failed' }).textContent).toContain(
      'did not refund ₹120.00'
    )
  })

  test('that is cancelled has nothing to pack and no delivery', async () => {
    await openOrder({ ...makeAdminOrder(), status: 'cancelled', paymentStatus: 'refunding' })
    expect(screen.queryByRole('link', { name: /Packing list|Label/ })).toBeNull()
    expect(screen.getByText('Refund sent (5–8 days)')).toBeTruthy()
    expect(screen.queryByText('Delivery')).toBeNull()
  })
})

describe('Change of a paid order', () => {
  const halwa = makeOrderItem({
    line: 2,
    product: { _id: 'halwa', name: 'Halwa', image: '' },
    quantity: 1,
    total: 180
  })
  const order = {
    ...makeAdminOrder(),
    items: [makeOrderItem(), halwa],
    totalAmount: 540,
    refundable: 540
  }
  const dialog = () => within(screen.getByRole('dialog'))
  const openDialog = () =>
    fireEvent.click(screen.getByRole('button', { name: 'Change order PG-7K2M9Q' }))
  const choose = (label: RegExp, value: string) =>
    fireEvent.change(dialog().getByLabelText(label), { target: { value } })

  test('tells refund and new total before it is sent, and then what has changed', async () => {
    const removed = {
      ...{ at: '2026-11-21T05:00:00.000Z', items: [halwa], credited: 180, refunded: 180 },
      ...{ hasNewPhone: true, hasNewAddress: false, creditNoteNumber: 'CN/26-27/000007' }
    }
    const changed = { ...order, items: [makeOrderItem()], changes: [removed] }
    const { bodies } = await openOrder(order, changed)
    openDialog()
    choose(/^Mysore Pak/, '1')
    expect(dialog().getByRole('status').textContent).toBe(
      'Refund ₹180.00 to the customer in 5–8 days. New total ₹360.00.'
    )
    choose(/^Halwa/, '0')
    choose(/^Mysore Pak/, '0')
    expect(dialog().getByRole('status').textContent).toMatch(/^The last pack can’t be removed/)
    choose(/^Mysore Pak/, '2')
    choose(/^Phone number/, '9000012345')
    await press('Change and refund ₹180.00')
    expect(bodies).toEqual([
      { version: 0, refund: 180, lines: [{ line: 2, quantity: 0 }], phone: '9000012345' }
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    const changes = screen.getByRole('region', { name: 'Changes' }).textContent
    for (const text of ['Removed: 1 × Halwa', 'Refund of ₹180.00', 'New phone number'])
      expect(changes).toContain(text)
    expect(screen.getByText('Credit note CN/26-27/000007')).toBeTruthy()
  })

  test('keeps date and street that somebody else has changed in the meantime', async () => {
    const shippingAddress = { ...order.shippingAddress, street: '5 Corrected Street' }
    const newer = { ...order, version: 1, deliveryDate: '2026-11-30', shippingAddress }
    const { bodies } = await openOrder(order, newer, newer)
    openDialog()
    choose(/^Halwa/, '0')
    choose(/^City/, 'Srirangam')
    for (const _attempt of [1, 2]) await press('Change and refund ₹180.00')
    const request = { refund: 180, lines: [{ line: 2, quantity: 0 }] }
    expect(bodies).toEqual([
      { version: 0, ...request, shippingAddress: { ...order.shippingAddress, city: 'Srirangam' } },
      { version: 1, ...request, shippingAddress: { ...shippingAddress, city: 'Srirangam' } }
    ])
  })

  test('of an order for pickup needs no address', async () => {
    const { bodies } = await openOrder({ ...order, deliveryMethod: 'pickup' })
    openDialog()
    choose(/^Pickup date/, '2026-11-28')
    await press('Change order')
    expect(bodies).toEqual([{ version: 0, refund: 0, deliveryDate: '2026-11-28' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('Of selected orders, those on hold are left out of the next step', () => {
  const [step] = groupByNextStatus([makeAdminOrder(), makeAdminOrder(DISPUTE)])
  expect([step?.to, step?.orders.map(({ isOnHold }) => isOnHold)]).toEqual(['packed', [false]])
})

async function openList(query: string, orders: AdminOrder[]): Promise<void> {
  await openAdminPage(`/admin/orders${query}`, {
    'GET /admin/orders': { orders, count: orders.length, pages: 1 }
  })
  const { OrdersPage } = await import('#islands/admin/orders/OrdersPage.tsx')
  render(<OrdersPage sender={SELLER} taxText={SHOP.taxText} />)
}

test('Selected orders are printed with their invoices and credit notes', async () => {
  const numbers = { invoiceNumber: 'PG/26-27/000002', creditNoteNumber: 'CN/26-27/000001' }
  const cancelled = { ...makeAdminOrder(), _id: 'o-2', ...numbers }
  await openList('?print=invoices&ids=o-1,o-2', [makeAdminOrder(), cancelled])
  const articles = await screen.findAllByRole('article')
  const heads = [
    'InvoiceNo. 26-27/00001',
    'InvoiceNo. PG/26-27/000002',
    'Credit noteNo. CN/26-27/000001'
  ]
  expect(articles.map(({ textContent }, n) => textContent.includes(heads[n] ?? '?'))).toEqual([
    true,
    true,
    true
  ])
})

test.each(['packing', 'labels', 'invoices'])(
  'Printed %s say which order is a test order',
  async template => {
    const orders = [
      makeAdminOrder(),
      { ...makeAdminOrder(), _id: 'o-2', invoiceNumber: 'PG/2', isTest: true }
    ]
    await openList(`?print=${template}&ids=o-1,o-2`, orders)
    expect(await screen.findAllByText(/^Test order/)).toHaveLength(1)
  }
)
