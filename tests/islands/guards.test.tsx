// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { answers, openPage, PRIYA } from '../support/session.ts'

afterEach(cleanup)

/** A protected page as a visitor or as somebody who is logged in. */
async function open(at: '/orders' | '/admin', role?: User['role']) {
  const user: User = { ...PRIYA, role: role ?? 'user' }
  const page = await openPage({
    send: answers({ 'GET /auth/me': () => Response.json(user) }),
    at,
    ...(role && { token: 't', user: JSON.stringify(user) })
  })
  const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
  const { DashboardPage } = await import('#islands/admin/dashboard/DashboardPage.tsx')
  render(at === '/orders' ? <OrdersPage /> : <DashboardPage />)
  await wait(5)
  return page
}

function wait(ms: number): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, ms))
  })
}

describe('My Orders', () => {
  test("says 'Please log in to view your orders.' to visitors, and goes to login after 2 s", async () => {
    const page = await open('/orders')
    expect(screen.getByText('Please log in to view your orders.')).toBeTruthy()
    await wait(1800)
    expect(page.went()).toEqual([])
    await wait(300)
    expect(page.went()).toEqual(['/login?return=%2Forders'])
  })
})

describe('the administration', () => {
  test('sends visitors to login', async () => {
    const page = await open('/admin')
    await vi.waitFor(() => expect(page.went()).toEqual(['/login?return=%2Fadmin']))
  })

  test('sends other shoppers home, and shows them nothing', async () => {
    const page = await open('/admin', 'user')
    await vi.waitFor(() => expect(page.went()).toEqual(['/']))
    expect(screen.queryByText(/Vanakkam/)).toBeNull()
  })

  test('greets administrators by name', async () => {
    const page = await open('/admin', 'admin')
    expect(await screen.findByText('Vanakkam, Priya Raman!')).toBeTruthy()
    expect(page.went()).toEqual([])
  })
})
