import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { iconUrl } from '#lib/art/icons.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { AdminOrder } from '#lib/contract/orders.ts'
import { makeOrder, SELLER, SHOP } from '../support/orders.ts'
import { openPage, PRIYA, respondWith, type Send } from '../support/session.ts'

const OWNER: User = { ...PRIYA, role: 'admin', staff: 'owner' }

type Reversal = AdminOrder['reversals'][number]

const DISPUTE: Reversal = { id: 'disp_1', kind: 'dispute', amount: 360, state: 'pending', isAcknowledged: false }

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

async function openOrder(order: AdminOrder, acknowledged = order): Promise<{ bodies: unknown[] }> {
  const bodies: unknown[] = []
  const reply = respondWith({
    'GET /auth/me': () => Response.json(OWNER),
    'GET /admin/orders/o-1': () => Response.json(order),
    'POST /admin/orders/o-1/acknowledge': () => Response.json(acknowledged)
  })
  const send: Send = (url, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    return reply(url, init)
  }
  await openPage({ send, path: '/admin/orders?order=o-1', token: 't', user: JSON.stringify(OWNER) })
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

  test('offers to cancel with the amount that has not gone back yet', async () => {
    const refund: Reversal = { id: 'rfnd_1', kind: 'refund', amount: 100, state: 'returned', isAcknowledged: true }
    await openOrder({ ...makeAdminOrder(refund), refundable: 260 })
    expect(screen.getByRole('button', { name: 'Cancel and refund ₹260.00: order PG-7K2M9Q' })).toBeTruthy()
  })

  test('that is cancelled has nothing to pack and no delivery, and its last step is marked by a cross', async () => {
    const history = [
      { status: 'pending', at: '2026-11-21T04:00:00.000Z' },
      { status: 'cancelled', at: '2026-11-21T05:00:00.000Z' }
    ] as const
    await openOrder({ ...makeAdminOrder(), status: 'cancelled', paymentStatus: 'refunding', history: [...history] })
    expect(screen.queryByRole('link', { name: /Packing list|Label/ })).toBeNull()
    expect(screen.getByText('Refund sent (5–8 days)')).toBeTruthy()
    expect(screen.queryByText('Delivery')).toBeNull()
    const icons = screen.getByRole('list', { name: 'Progress' }).querySelectorAll('use')
    expect([...icons].map(icon => icon.getAttribute('href'))).toEqual([iconUrl('check'), iconUrl('close')])
  })

  test('without a refund or dispute shows no notice', async () => {
    await openOrder(makeAdminOrder())
    expect(screen.queryByText(/Razorpay/)).toBeNull()
    expect(findPackButton()).toBeTruthy()
  })
})

test('Selected orders are printed with their invoices and credit notes', async () => {
  const cancelled = {
    ...makeAdminOrder(),
    _id: 'o-2',
    invoiceNumber: 'PG/26-27/000002',
    creditNoteNumber: 'CN/26-27/000001'
  }
  await openPage({
    send: respondWith({
      'GET /auth/me': () => Response.json(OWNER),
      'GET /admin/orders': () => Response.json({ orders: [makeAdminOrder(), cancelled], count: 2, pages: 1 })
    }),
    path: '/admin/orders?print=invoices&ids=o-1,o-2',
    token: 't',
    user: JSON.stringify(OWNER)
  })
  const { OrdersPage } = await import('#islands/admin/orders/OrdersPage.tsx')
  render(<OrdersPage sender={SELLER} taxText={SHOP.taxText} />)
  const articles = await screen.findAllByRole('article')
  const heads = ['InvoiceNo. 26-27/00001', 'InvoiceNo. PG/26-27/000002', 'Credit noteNo. CN/26-27/000001']
  expect(articles).toHaveLength(heads.length)
  for (const [index, head] of heads.entries()) expect(articles[index]?.textContent).toContain(head)
})
