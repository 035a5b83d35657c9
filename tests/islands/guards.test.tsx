import { act, cleanup, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { respondWith, openPage, PRIYA } from '../support/session.ts'

const ADMIN = JSON.stringify({ ...PRIYA, role: 'admin' } satisfies User)

afterEach(cleanup)

/** Opens a protected page. Without `role` the user is a visitor. */
async function open(path: '/orders' | '/admin', role?: User['role']) {
  const user: User = { ...PRIYA, role: role ?? 'user' }
  const page = await openPage({
    send: respondWith({ 'GET /auth/me': () => Response.json(user) }),
    path: path,
    ...(role && { token: 't', user: JSON.stringify(user) })
  })
  const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
  const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
  render(path === '/orders' ? <OrdersPage /> : <DashboardPage />)
  await wait(5)
  return page
}

function wait(ms: number): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, ms))
  })
}

describe('Guard of My Orders', () => {
  test("shows visitors 'Please log in to view your orders.' and redirects after 2 s", async () => {
    const page = await open('/orders')
    expect(screen.getByText('Please log in to view your orders.')).toBeTruthy()
    await wait(1800)
    expect(page.redirects()).toEqual([])
    await wait(300)
    expect(page.redirects()).toEqual(['/login?return=%2Forders'])
  })
})

describe('Guard of the admin pages', () => {
  test('redirects visitors to the login page', async () => {
    const page = await open('/admin')
    await vi.waitFor(() => expect(page.redirects()).toEqual(['/login?return=%2Fadmin']))
  })

  test('redirects shoppers to the home page', async () => {
    const page = await open('/admin', 'user')
    await vi.waitFor(() => expect(page.redirects()).toEqual(['/']))
  })

  test.for([undefined, 'user'] as const)('shows no heading, menu or button to the role %s', async role => {
    await open('/admin', role)
    for (const element of ['heading', 'navigation', 'link', 'button']) expect(screen.queryByRole(element)).toBeNull()
  })

  test('shows the heading and the menu only when the role is known', async () => {
    await openPage({ send: () => new Promise<Response>(() => undefined), path: '/admin', token: 't', user: ADMIN })
    const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
    expect(renderToString(<DashboardPage />)).not.toMatch(/<h1|<nav/)
    render(<DashboardPage />)
    await wait(5)
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('greets administrators by name', async () => {
    const page = await open('/admin', 'admin')
    expect(await screen.findByText('Vanakkam, Priya Raman!')).toBeTruthy()
    expect(page.redirects()).toEqual([])
  })
})
