import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Staff } from '#lib/contract/names.ts'
import type { KitchenOrder } from '#lib/contract/kitchen.ts'
import { makeOrder, makeOrderItem } from '../support/orders.ts'
import { openAdminPage } from '../support/session.ts'
import { expectLink, expectShown, waitForUpdates } from '../support/page-input.ts'

afterEach(cleanup)

const order = makeOrder()
const { product, quantity } = makeOrderItem()
const { _id, orderNumber, createdAt, shippingAddress, deliveryDate, history } = order
const KITCHEN_ORDER: KitchenOrder = {
  ...{ _id, orderNumber, createdAt, shippingAddress, deliveryDate, history },
  ...{ status: 'pending', items: [{ product, quantity }] },
  ...{ isAnonymised: false, isTest: false, isOnHold: false },
  customerDetails: { name: 'Priya Raman', phone: '9876543210' }
}
const LADDU = {
  ...{ id: 'laddu', name: 'Laddu', nameTamil: '', category: 'sweets', image: '', pictures: [] },
  ...{ quantity: { value: 250, unit: 'g', type: 'weight' }, stock: 12, hiddenAt: null }
}
async function openAs(staff: Staff, path: string) {
  const replies = {
    'GET /status': { testMode: false, mailNotSetUp: false, notLive: false },
    'GET /admin/kitchen': {
      ...{ pending: 2, toPack: 2, toPackToday: 1, packed: 3, ready: 1 },
      dueBy: '2026-11-23',
      lowStock: [{ id: 'laddu', name: 'Laddu', packSize: LADDU.quantity, stock: 3 }]
    },
    'GET /admin/kitchen/order-count': { orders: 3 },
    'GET /admin/kitchen/orders': { orders: [KITCHEN_ORDER], count: 1, pages: 1 },
    'GET /admin/kitchen/orders/o-1': KITCHEN_ORDER,
    'POST /admin/kitchen/orders/o-1/move': { ...KITCHEN_ORDER, status: 'packed' },
    'GET /admin/kitchen/products': [LADDU],
    'POST /admin/kitchen/products/laddu/stock': { ...LADDU, stock: 5 },
    'GET /admin/setup': { rows: [] }
  }
  return openAdminPage(path, replies, staff)
}

async function renderUsers() {
  const { UsersPage } = await import('#islands/admin/UsersPage.tsx')
  render(<UsersPage />)
  await waitForUpdates()
}

const linkNames = () => screen.getAllByRole('link').map(({ textContent }) => textContent)

describe('The kitchen', () => {
  test('sees what to pack and what runs low on its dashboard, and no other page in the menu', async () => {
    const page = await openAs('kitchen', '/admin')
    const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
    render(<DashboardPage />)
    await waitForUpdates()
    expect(linkNames().slice(0, 4)).toEqual(['Dashboard', 'Orders', 'Kitchen', 'Products'])
    expect(screen.getByRole('link', { name: /^2 orders to pack/ })).toBeTruthy()
    for (const task of [/^3 packed orders to send/, /^1 order ready for pickup/])
      expect(screen.getByRole('link', { name: task })).toBeTruthy()
    expectLink(/Laddu/, '/admin/products')
    expect(screen.queryByRole('heading', { name: /Sales|Backup/ })).toBeNull()
    expect(page.calls.filter(call => call.includes('/admin/')).toSorted()).toEqual([
      'GET /admin/kitchen',
      'GET /admin/kitchen/order-count'
    ])
  })

  test('packs an order that shows no price, email address or history', async () => {
    await openAs('kitchen', '/admin/orders?order=o-1')
    const { OrderDetail } = await import('#islands/admin/orders/OrderDetail.tsx')
    render(<OrderDetail id="o-1" listQuery="" />)
    await waitForUpdates()
    const article = screen.getByRole('article')
    expect(article.textContent).toContain('2 × Mysore Pak')
    expect(within(article).getByRole('link', { name: /98765 43210/ })).toBeTruthy()
    expect(article.textContent).not.toMatch(/₹|@|Payment|Invoice|History|Cancel/)
    fireEvent.click(within(article).getByRole('button', { name: /Mark as packed/ }))
    await waitForUpdates()
    expect(screen.getByRole('button', { name: /Mark as delivered/ })).toBeTruthy()
  })

  test('changes only the stock in the list of products', async () => {
    const { bodies } = await openAs('kitchen', '/admin/products')
    const { ProductsPage } = await import('#islands/admin/records/ProductsPage.tsx')
    render(<ProductsPage categories={[{ name: 'sweets', label: 'Sweets' }]} />)
    await waitForUpdates()
    const main = screen.getByRole('table', { name: 'Products' })
    expect(main.textContent).toContain('Sweets · 250 g')
    expect(screen.queryByRole('link', { name: /Add|Edit|Import/ })).toBeNull()
    const field = screen.getByLabelText('Stock of Laddu, in packs')
    fireEvent.change(field, { target: { value: '5' } })
    fireEvent.blur(field)
    await waitForUpdates()
    fireEvent.click(screen.getByRole('button', { name: 'No limit Laddu' }))
    await waitForUpdates()
    expect(bodies).toEqual([
      { from: 12, to: 5 },
      { from: 5, to: null }
    ])
    expect(screen.getByRole('button', { name: /^Undo/ })).toBeTruthy()
  })

  test('is told in one sentence that a page is not for it', async () => {
    const page = await openAs('kitchen', '/admin/users')
    await renderUsers()
    expectShown(/Your role doesn’t include this page/)
    expect(screen.getByRole('link', { name: 'Go to the dashboard' })).toBeTruthy()
    expect(page.calls).not.toContain('GET /admin/users')
  })
})
