import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { groupByNextStatus } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { makeAdminOrder, makeOrderItem, SELLER, SHOP } from '../support/orders.ts'
import { errorReply, openAdminPage } from '../support/session.ts'
import { expectNotShown, expectShown, press, waitForUpdates } from '../support/page-input.ts'

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

const disputed = makeAdminOrder({ isOnHold: true, reversals: [DISPUTE] })

/** With `newer`, the first change fails, because somebody else has changed the order to that. */
async function openOrder(
  order: AdminOrder,
  acknowledged = order,
  newer?: AdminOrder
): Promise<{ bodies: unknown[] }> {
  let current = order
  const change = () => {
    if (!newer || current === newer) return Response.json(acknowledged)
    current = newer
    return errorReply(409, { code: 'EDIT_CONFLICT', message: '' })()
  }
  const { bodies } = await openAdminPage('/admin/orders?order=o-1', {
    'GET /admin/orders/o-1': () => Response.json(current),
    'POST /admin/orders/o-1/acknowledge': acknowledged,
    'POST /admin/unmatched-payments/pay_1': { message: 'The refund is on its way.' },
    'POST /admin/orders/o-1/messages': [
      { kind: 'packed', text: 'பேக் ஆனது & more' },
      { kind: 'delayed', text: 'Late' }
    ],
    'POST /admin/orders/o-1/change': change,
    'POST /admin/orders/o-1/refund': change
  })
  const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
  render(<OrderDetail id="o-1" listQuery="" />)
  await waitForUpdates()
  return { bodies }
}

const findPackButton = () => screen.queryByRole('button', { name: /Mark as packed/ })

describe('Admin order', () => {
  test('is on hold while a dispute is open, and goes on when it is acknowledged', async () => {
    const acknowledged = makeAdminOrder({ reversals: [{ ...DISPUTE, isAcknowledged: true }] })
    const { bodies } = await openOrder(disputed, acknowledged)
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
    const refunds = { processed: 0, open: 0, due: 120, surplus: 0 }
    const { bodies } = await openOrder(makeAdminOrder({ refunds }))
    expect(screen.getByRole('region', { name: 'Refund failed' }).textContent).toContain(
      'did not refund ₹120.00'
    )
    await press('Refund ₹120.00 again')
    expect(bodies).toEqual([{ decision: 'refund' }])
  })

  test('that is cancelled has nothing to pack and no delivery', async () => {
    await openOrder(makeAdminOrder({ status: 'cancelled', paymentStatus: 'refunding' }))
    expect(screen.queryByRole('link', { name: /Packing list|Label/ })).toBeNull()
    expectShown('Refund sent (5–8 days)')
    expectNotShown('Delivery')
  })
})

describe('Texts to send by WhatsApp', () => {
  const name = 'Send by WhatsApp: order PG-7K2M9Q'

  test('are read when they are wanted, and open in a tab of their own', async () => {
    await openOrder(makeAdminOrder({ status: 'packed', language: 'ta' }))
    await press(name)
    const [first, ...others] = [...screen.getByRole('dialog').querySelectorAll('details')]
    expect(first?.open).toBe(true)
    expect(others.map(({ open }) => open)).toEqual([false])
    expect(first?.querySelector('[lang=ta]')?.textContent).toBe('பேக் ஆனது & more')
    const link = first?.querySelector('a')
    expect([link?.target, link?.rel]).toEqual(['_blank', 'noopener'])
    expect(link?.href).toBe(
      `https://wa.me/919876543210?text=${encodeURIComponent('பேக் ஆனது & more')}`
    )
    await expectAccessible('texts')
  })

  test.for([
    { status: 'cancelled' },
    { isAnonymised: true },
    { customerDetails: { name: 'Priya', email: '', phone: '0431241234' } }
  ] as const)('are not offered for an order with %j', async draft => {
    await openOrder(makeAdminOrder(draft as Partial<AdminOrder>))
    expect(screen.queryByRole('button', { name })).toBeNull()
  })
})

describe('Refund or change of a paid order', () => {
  const halwa = makeOrderItem({
    line: 2,
    product: { _id: 'halwa', name: 'Halwa', image: '' },
    quantity: 1,
    price: 180,
    total: 180
  })
  const order = makeAdminOrder({
    items: [makeOrderItem(), halwa],
    totalAmount: 540,
    refundable: 540
  })
  const dialog = () => within(screen.getByRole('dialog'))
  const openDialog = () =>
    fireEvent.click(screen.getByRole('button', { name: 'Refund or change: order PG-7K2M9Q' }))
  const openChange = () => {
    openDialog()
    fireEvent.click(dialog().getByRole('button', { name: 'Change' }))
  }
  const choose = (label: RegExp, value: string) =>
    fireEvent.change(dialog().getByLabelText(label), { target: { value } })
  const type = (value: string) =>
    fireEvent.input(dialog().getByLabelText('Or an amount in rupees'), { target: { value } })
  const add = (name: RegExp) =>
    fireEvent.click(
      within(dialog().getByRole('group', { name })).getByRole('button', { name: /^Increase/ })
    )
  const statusText = () => dialog().getAllByRole('status').at(-1)?.textContent

  test('tells what goes back and what stays before it is sent', async () => {
    const { bodies } = await openOrder(order)
    openDialog()
    expect(statusText()).toBe('Choose what to take out. You’ll see the refund here.')
    add(/^Packs of Halwa/)
    expect(statusText()).toBe('₹180.00 goes back in 5–8 days. ₹360.00 stays with you.')
    add(/^Packs of Mysore Pak/)
    add(/^Packs of Mysore Pak/)
    expect(statusText()).toBe('This is the whole order. Please cancel it instead.')
    expect(dialog().getByRole('button', { name: 'Cancel the order' })).toBeTruthy()
    type('')
    add(/^Packs of Halwa/)
    await press('Refund ₹180.00')
    expect(dialog().getByText('Please choose a reason')).toBeTruthy()
    choose(/^Reason/, 'asked')
    await press('Refund ₹180.00')
    expect(bodies).toEqual([
      {
        ...{ key: expect.any(String), version: 0, lines: [{ line: 2, packs: 1 }], refund: 180 },
        ...{ cause: 'asked', note: '', restock: true }
      }
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test.for([
    ['₹120', '₹120.00'],
    [' 1,20.5 ', '₹120.50'],
    ['541', 'At most ₹540.00 can go back.'],
    ['0', 'Choose packs, or type an amount.'],
    ['a lot', 'Please type an amount in rupees, for example 120 or 99.50.']
  ] as const)('reads the typed amount "%s" and keeps it: %s', async ([typed, expected]) => {
    const { bodies } = await openOrder({ ...order, status: 'delivered' })
    fireEvent.click(screen.getByRole('button', { name: 'Refund: order PG-7K2M9Q' }))
    type(typed)
    choose(/^Reason/, 'kindness')
    const button = dialog().getByRole('button', { name: /^Refund/ })
    const label = button.textContent
    fireEvent.click(button)
    await waitForUpdates()
    if (bodies.length > 0) {
      expect(label).toBe(`Refund ${expected}`)
      expect(bodies).toMatchObject([{ lines: [], restock: false, cause: 'kindness' }])
      return
    }
    expect(dialog().getAllByText(expected)[0]).toBeTruthy()
    expect(dialog().getByLabelText('Or an amount in rupees')).toHaveProperty('value', typed.trim())
  })

  test('keeps date and street that somebody else has changed in the meantime', async () => {
    const shippingAddress = { ...order.shippingAddress, street: '5 Corrected Street' }
    const newer = { ...order, version: 1, deliveryDate: '2026-11-30', shippingAddress }
    const { bodies } = await openOrder(order, newer, newer)
    openChange()
    choose(/^City/, 'Srirangam')
    for (const _attempt of [1, 2]) await press('Change order')
    expect(bodies).toEqual([
      { version: 0, shippingAddress: { ...order.shippingAddress, city: 'Srirangam' } },
      { version: 1, shippingAddress: { ...shippingAddress, city: 'Srirangam' } }
    ])
  })

  test('of an order for pickup needs no address', async () => {
    const { bodies } = await openOrder({ ...order, deliveryMethod: 'pickup' })
    openChange()
    choose(/^Pickup date/, '2026-11-28')
    await press('Change order')
    expect(bodies).toEqual([{ version: 0, deliveryDate: '2026-11-28' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('Of selected orders, those on hold are left out of the next step', () => {
  const [step] = groupByNextStatus([makeAdminOrder(), disputed])
  expect([step?.to, step?.orders.map(({ isOnHold }) => isOnHold)]).toEqual(['packed', [false]])
})

async function openList(query: string, orders: AdminOrder[]) {
  await openAdminPage(`/admin/orders${query}`, {
    'GET /admin/orders': { orders, count: orders.length, pages: 1 }
  })
  const { OrdersPage } = await import('#islands/admin/orders/OrdersPage.tsx')
  render(<OrdersPage sender={SELLER} taxText={SHOP.taxText} />)
}

test('Selected orders are printed with their invoices and credit notes', async () => {
  const numbers = { invoiceNumber: 'PG/26-27/000002', creditNoteNumber: 'CN/26-27/000001' }
  const cancelled = makeAdminOrder({ _id: 'o-2', ...numbers })
  await openList('?print=invoices&ids=o-1,o-2', [makeAdminOrder(), cancelled])
  const articles = await screen.findAllByRole('article')
  const heads = [
    'InvoiceNo. 26-27/00001',
    'InvoiceNo. PG/26-27/000002',
    'Credit noteNo. CN/26-27/000001'
  ]
  expect(articles.map(({ textContent }) => textContent)).toEqual(
    heads.map(head => expect.stringContaining(head))
  )
})

test.each(['packing', 'labels', 'invoices'])(
  'Printed %s say which order is a test order',
  async template => {
    const orders = [
      makeAdminOrder(),
      makeAdminOrder({ _id: 'o-2', invoiceNumber: 'PG/2', isTest: true })
    ]
    await openList(`?print=${template}&ids=o-1,o-2`, orders)
    expect(await screen.findAllByText(/^Test order/)).toHaveLength(1)
  }
)

test('A gift is delivered to its recipient, marked on packing list and label, without prices, and its invoice is kept out of the parcel', async () => {
  const order = makeAdminOrder({ gift: { name: 'Lakshmi', message: 'Happy\nPongal' } })
  await openOrder(order)
  const { name } = order.customerDetails
  expect(document.body.textContent).toMatch(new RegExp(`Deliver toLakshmi.*Contact${name}`))
  const openTemplate = async (template: string) => {
    cleanup()
    await openList(`?print=${template}&ids=o-1`, [order])
    await screen.findByText(/^Gift|is a gift/)
    return document.body.textContent
  }
  const mark = 'Gift for Lakshmi: no prices in the parcel'
  const list = await openTemplate('packing')
  expect(list).toContain(`${mark}HappyPongal`)
  expect(list).not.toContain('₹')
  const label = await openTemplate('labels')
  expect(label).toMatch(new RegExp(`Lakshmi.*${mark}`))
  expect(label).not.toMatch(new RegExp(`Pongal|${name}`))
  expect(await openTemplate('invoices')).toContain(
    'is a gift: don’t put its invoice into the parcel.'
  )
  expect(screen.getByRole('note').className).toContain('print:hidden')
})
