import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { makeOrderItem, makeOrder, SHOP } from '../support/orders.ts'
import { expectLink, expectShown, press, waitForUpdates } from '../support/page-input.ts'
import { respondWith, openPage, PRIYA, errorReply } from '../support/session.ts'

type Replies = Parameters<typeof respondWith>[0]

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const ordersReply = (...orders: Order[]) => ({
  'GET /orders/my-orders': () => Response.json(orders)
})

/** Opens Priya's My Orders page. */
async function open(replies: Replies, whatsapp = '') {
  const send = respondWith({ 'GET /auth/me': () => Response.json(PRIYA), ...replies })
  const page = await openPage({ send, path: '/orders', token: 't', user: JSON.stringify(PRIYA) })
  const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
  render(<OrdersPage shop={{ ...SHOP, whatsapp }} />)
  await waitForUpdates()
  return page
}

function card(number = 'PG-7K2M9Q') {
  return within(screen.getByRole('article', { name: `Order ${number}` }))
}

function stepTexts() {
  const steps = within(card().getByRole('list', { name: 'Progress' })).getAllByRole('listitem')
  return steps.map(({ textContent }) => textContent)
}

function expectText(...parts: string[]) {
  const text = screen.getByRole('article').textContent
  for (const part of parts) expect(text).toContain(part)
}

async function openDetails() {
  const details = screen.getByText('Details').closest('details')
  if (!details) throw new Error('No order details')
  details.open = true
  fireEvent(details, new Event('toggle'))
  await waitForUpdates()
}

describe('My Orders', () => {
  test.for([
    ['an empty list', ordersReply()],
    ['404', { 'GET /orders/my-orders': errorReply(404, { message: 'Nothing here' }) }]
  ] as const)("shows 'No orders found.' for %s", async ([, replies]) => {
    const page = await open(replies)
    expectShown('No orders found.')
    expectLink('See our products', '/products')
    expect(page.toastTexts()).toEqual([])
  })

  test.for([
    ['with a message', errorReply(500, { message: 'Archive is moving' }), 'Archive is moving'],
    ['without one', errorReply(500), 'Failed to fetch orders. Please try again later.']
  ] as const)(
    "shows 'Error Fetching Orders' and a retry button on a failure %s",
    async ([, reply, message]) => {
      const page = await open({ 'GET /orders/my-orders': reply })
      expect(page.toastTexts()).toEqual([['Error Fetching Orders', message]])
      expect(screen.getByRole('alert').textContent).toContain(message)
      const callsBefore = page.calls.length
      await press('Try again')
      expect(page.calls.slice(callsBefore)).toContain('GET /orders/my-orders')
    }
  )
})

describe('Order card', () => {
  test('has a text and colour for each status, and shows unknown ones in grey', async () => {
    const statuses = [
      ['pending', 'Pending', 'bg-status-pending'],
      ['packed', 'Packed', 'bg-status-packed'],
      ['shipped', 'Shipped', 'bg-status-other'],
      ['ready', 'Ready for pickup', 'bg-status-other'],
      ['delivered', 'Delivered', 'bg-status-delivered'],
      ['checking', 'Checking payment', 'bg-status-other'],
      ['cancelled', 'Cancelled', 'bg-status-other'],
      ['returned', 'returned', 'bg-status-other']
    ] as const
    const orders = statuses.map(([status]) =>
      makeOrder({
        _id: status,
        orderNumber: status,
        status: status as Order['status'],
        history: []
      })
    )
    await open(ordersReply(...orders))
    for (const [status, text, colour] of statuses) {
      const badge = document.querySelector(`[data-status=${status}]`)
      expect([badge?.textContent, badge?.className.includes(colour)]).toEqual([text, true])
    }
  })

  test('shows the completed steps with their times, and the future steps', async () => {
    const history: Order['history'] = [
      { status: 'pending', at: '2026-11-21T04:01:00.000Z' },
      { status: 'packed', at: '2026-11-22T10:30:00.000Z' }
    ]
    await open(ordersReply(makeOrder({ status: 'packed', history })))
    expect(stepTexts()).toEqual([
      'PendingSat, 21 Nov, 9:31 am',
      'PackedSun, 22 Nov, 4:00 pm',
      'Delivered'
    ])
  })

  test('shows items, wishes, address, payment, fee, total, invoice, courier and tracking page', async () => {
    const shipment = {
      courier: 'DTDC',
      trackingNumber: 'D 4711',
      trackingLink: 'https://dtdc.example/track'
    }
    const halwa = { product: { _id: 'halwa', name: 'Halwa', image: '' }, quantity: 1, discount: 20 }
    const order = makeOrder({
      items: [makeOrderItem(), makeOrderItem(halwa)],
      status: 'shipped',
      deliveryMethod: 'courier',
      shipment,
      history: [{ status: 'shipped', at: '2026-11-22T10:30:00.000Z' }],
      ...{ note: 'Mild, please', eventAt: '2026-11-27T18:30', deliveryFee: 40 }
    })
    await open(ordersReply(order))
    expect(card().getByText('2 × Mysore Pak (250 g), 1 × Halwa (250 g)')).toBeTruthy()
    expect(stepTexts()).toEqual(['ShippedSun, 22 Nov, 4:00 pm', 'Delivered'])
    const hrefOf = (name: RegExp) => card().getByRole('link', { name }).getAttribute('href')
    expect(hrefOf(/^Track the parcel/)).toBe(shipment.trackingLink)
    expect(hrefOf(/^Invoice/)).toBe('/orders/invoice?order=o-1')
    await openDetails()
    expectText('Tracking number D 4711', 'by courier', 'Monday, 23 November', '20% off')
    expectText('EventFri, 27 Nov, 6:30 pm', 'NoteMild, please', 'Delivery ₹40.00', '₹360.00')
    expectText('4 Rockfort Road', 'Opposite the temple tank', '+91 98765 43210')
    expectText('priya@example.test', 'Paid', 'pay_1')
    await expectAccessible('details')
  })

  test('that is ready says where to fetch it, instead of the address of delivery', async () => {
    await open(
      ordersReply(
        makeOrder({ status: 'ready', deliveryMethod: 'pickup', history: [], invoiceNumber: null })
      )
    )
    expect(card().getByText('Ready. You can pick it up at our kitchen.')).toBeTruthy()
    await openDetails()
    expect(card().getAllByText('Ring the bell, 10 am to 6 pm')).toHaveLength(2)
    expect(card().queryByText('4 Rockfort Road')).toBeNull()
    expect(card().queryByRole('link', { name: /^Invoice/ })).toBeNull()
  })

  test('shows what the shop has removed and refunded, with its credit note', async () => {
    const removed = {
      items: [makeOrderItem({ quantity: 1, total: 180 })],
      credited: 180,
      refunded: 180,
      reason: 'You asked us for it.'
    }
    const change = {
      at: '2026-11-21T05:00:00.000Z',
      ...removed,
      hasNewPhone: false,
      hasNewAddress: true
    }
    await open(
      ordersReply(makeOrder({ changes: [{ ...change, creditNoteNumber: 'CN/26-27/000007' }] }))
    )
    expect(card().getByRole('region', { name: 'Changes' })).toBeTruthy()
    expectText(
      'Removed: 1 × Mysore Pak, 250 g',
      'Refunded ₹180.00 of ₹540.00',
      'You asked us for it.',
      'New delivery address'
    )
    const link = card().getByRole('link', { name: /^Credit note CN/ })
    expect(link.getAttribute('href')).toBe(
      '/orders/invoice?order=o-1&credit-note=CN%2F26-27%2F000007'
    )
  })

  test("'Buy again' adds its items once and opens the cart, and names what is no longer available", async () => {
    const product = { _id: 'halwa', name: 'Halwa', image: '' }
    const items = [
      makeOrderItem({ product }),
      makeOrderItem({ product: { ...product, _id: 'laddu', name: 'Laddu' } })
    ]
    const page = await open({
      ...ordersReply(
        makeOrder({ items: [makeOrderItem(), ...items] }),
        makeOrder({ _id: 'o-2', orderNumber: 'PG-2', items })
      ),
      'GET /catalog/live': () =>
        Response.json({ products: [{ id: 'mysore-pak' }, { id: 'halwa', stock: 'out' }] })
    })
    const text = 'Not available: 2 × Halwa (250 g), 2 × Laddu (250 g).'
    await press('Buy again: order PG-2')
    expect(page.toastTexts()).toEqual([['Nothing added to cart', text]])
    expect(page.redirects()).toEqual([])
    for (const _ of [1, 2]) await press('Buy again: order PG-7K2M9Q')
    expect((await import('#lib/stores/cart.ts')).$cart.get()).toMatchObject([
      { _id: 'mysore-pak', name: 'Mysore Pak', price: 180, quantity: { value: 2 } }
    ])
    expect(page.redirects()).toEqual(['/cart'])
    expect(sessionStorage.getItem('notice')).toContain(text)
  })
})

test('Each order has one link to ask about it by WhatsApp, if the shop has a number', async () => {
  const orders = ordersReply(
    makeOrder({ _id: 'a', orderNumber: 'PG-A', canCancel: true }),
    makeOrder({ _id: 'b', orderNumber: 'PG-B', canCancel: false, cancelBlock: 'packed' })
  )
  const links = () => screen.queryAllByRole('link', { name: /WhatsApp/ }).map(link => String(link))
  await open(orders)
  expect(links()).toEqual([])
  cleanup()
  await open(orders, '098765 43210')
  await expectAccessible('orders')
  expect(links().map(decodeURIComponent)).toEqual(
    ['PG-A', 'PG-B'].map(
      number => `https://wa.me/919876543210?text=Vanakkam! About order ${number}:`
    )
  )
})

describe('Cancelling an order', () => {
  const order = makeOrder({ canCancel: true })
  const cancelled = makeOrder({ status: 'cancelled', paymentStatus: 'refunding' })

  test('is offered only if the API allows it', async () => {
    await open(ordersReply(makeOrder({ canCancel: false, cancelBlock: 'perishable' })))
    expect(screen.queryByRole('button', { name: /^Cancel order/ })).toBeNull()
    expectShown('We make this for your order, so it can’t be cancelled online.')
    const change = screen.getByText('Need a change?', { exact: false })
    expect(change.textContent).toContain('+91 90000 12345')
    expect(change.textContent).toContain('9 am to 8 pm')
  })

  test('asks for confirmation, then shows the order as cancelled', async () => {
    const page = await open({
      ...ordersReply(order),
      'POST /orders/o-1/cancel': () => Response.json(cancelled)
    })
    await press(/^Cancel order/)
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel this order?' }))
    expect(document.activeElement?.textContent).toBe('Keep order')
    await expectAccessible('dialog')
    expect(page.calls).not.toContain('POST /orders/o-1/cancel')
    await press('Cancel order', dialog)
    expect(document.querySelector('[data-status=cancelled]')).toBeTruthy()
    expect(card().getByText('Refund sent (5–8 days)')).toBeTruthy()
    expect(page.toastTexts()).toEqual([['Order cancelled', 'Full refund in 5–8 days.']])
  })

  test('shows the reason and loads the current status if the order can no longer be cancelled', async () => {
    const message = 'This order can no longer be cancelled online. Please call us.'
    let shown = order
    const page = await open({
      'GET /orders/my-orders': () => Response.json([shown]),
      'POST /orders/o-1/cancel': errorReply(409, { code: 'ORDER_NOT_CANCELLABLE', message })
    })
    await press(/^Cancel order/)
    shown = makeOrder({ canCancel: false, cancelBlock: 'perishable' })
    await press('Cancel order', within(screen.getByRole('dialog')))
    expect(screen.getByRole('alert').textContent).toContain(message)
    expect(page.calls.filter(call => call === 'GET /orders/my-orders')).toHaveLength(2)
  })
})

describe('The link to an order', () => {
  const title = () => screen.getByRole('heading', { level: 1 }).textContent

  test('is asked for when pressed, and renewed only by the button that says so', async () => {
    await open(ordersReply(makeOrder()))
    await openDetails()
    const bodies: unknown[] = []
    const { configureApi } = await import('#lib/api.ts')
    configureApi({
      async send(_, { body }) {
        bodies.push(JSON.parse(String(body)))
        return Response.json({ link: `Link ${bodies.length}`, expiresAt: '2027-02-25T04:00:00Z' })
      }
    })
    await press(/^Show the link to order/)
    const dialog = within(screen.getByRole('dialog'))
    const link = () => dialog.getByRole<HTMLInputElement>('textbox').value
    expect(link()).toBe('Link 1')
    expect(dialog.getByRole('status').textContent).toContain('Has the wrong person got it?')
    await press('Make a new link', dialog)
    expect(link()).toBe('Link 2')
    expect(dialog.getByRole('status').textContent).toContain('The old one no longer works.')
    expect(bodies).toEqual([{ renew: false }, { renew: true }])
  })

  test('opens again after an error, and when the fragment changes', async () => {
    let isOnline = false
    await openPage({
      path: '/orders/link#A',
      async send(_, { body }) {
        if (!isOnline) throw new TypeError('fetch failed')
        const { token } = JSON.parse(String(body)) as { token: string }
        return token === ''
          ? Response.json({ code: 'ORDER_LINK_INVALID', message: 'Too old.' }, { status: 404 })
          : Response.json(makeOrder({ orderNumber: `PG-${token}` }))
      }
    })
    const { OrderLinkPage } = await import('#islands/orders/OrderLink.tsx')
    render(<OrderLinkPage shop={SHOP} />)
    await waitForUpdates()
    expect(title()).toBe('Your order')
    isOnline = true
    await press('Try again')
    expect(title()).toBe('Order PG-A')
    for (const [hash, expected] of [
      ['#B', 'Order PG-B'],
      ['', 'Your order']
    ] as const) {
      location.hash = hash
      window.dispatchEvent(new Event('hashchange'))
      await waitForUpdates()
      expect(title()).toBe(expected)
    }
    expect(screen.getByRole('alert').textContent).toContain('Too old.')
    expectLink('My Orders', '/login?return=%2Forders')
  })
})
