import { act, cleanup, render, screen, within } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { SHOP } from '../support/orders.ts'
import { errorReply, respondWith, openPage, PRIYA } from '../support/session.ts'

const ADMIN = JSON.stringify({ ...PRIYA, role: 'admin', staff: 'owner' } satisfies User)

afterEach(cleanup)

/** Opens a protected page. Without `role` the user is a visitor. */
async function open(path: '/orders' | '/admin', role?: User['role']) {
  const user: User = { ...PRIYA, role: role ?? 'user', staff: role === 'admin' ? 'owner' : null }
  const page = await openPage({
    send: respondWith({
      'GET /auth/me': () => Response.json(user),
      'GET /auth/my-data': errorReply(401)
    }),
    path: path,
    ...(role && { token: 't', user: JSON.stringify(user) })
  })
  const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
  const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
  render(path === '/orders' ? <OrdersPage shop={SHOP} /> : <DashboardPage />)
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

  test.for([undefined, 'user'] as const)(
    'shows no heading, menu or button to the role %s',
    async role => {
      await open('/admin', role)
      for (const element of ['heading', 'navigation', 'link', 'button'])
        expect(screen.queryByRole(element)).toBeNull()
    }
  )

  test('loads the data of a stored administrator while the server checks the session', async () => {
    const send = () => new Promise<Response>(() => undefined)
    const { calls } = await openPage({ send, path: '/admin', token: 't', user: ADMIN })
    const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
    expect(renderToString(<DashboardPage />)).not.toMatch(/<h1|<nav/)
    render(<DashboardPage />)
    await wait(5)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Admin Dashboard')
    expect(calls).toEqual(expect.arrayContaining(['GET /auth/me', 'GET /admin/dashboard']))
  })

  test('redirects a stored administrator who no longer is one, and hides the frame', async () => {
    const { redirects } = await openPage({
      send: respondWith({ 'GET /auth/me': () => Response.json(PRIYA) }),
      path: '/admin',
      token: 't',
      user: ADMIN
    })
    const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
    render(<DashboardPage />)
    await vi.waitFor(() => expect(redirects()).toEqual(['/']))
    expect(screen.queryByRole('heading')).toBeNull()
  })

  test('leave the redirect to the notice when a session expires', async () => {
    const page = await open('/admin', 'admin')
    await act(() => page.readMyData().catch(() => undefined))
    await vi.dynamicImportSettled()
    expect(page.toastTexts()).toEqual([['Session expired', 'Please login again to continue']])
    await wait(1300)
    expect(page.redirects()).toEqual([])
    await wait(300)
    expect(page.redirects()).toEqual(['/login?return=%2Fadmin'])
  })

  test('puts the admin sections into the menu of the header', async () => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<nav aria-label="Menu"><div id="admin-sections"></div></nav>'
    )
    await open('/admin', 'admin')
    const menu = within(screen.getByRole('navigation', { name: 'Menu' }))
    expect(menu.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page')
    expect(menu.getByRole('link', { name: 'Website' }).getAttribute('href')).toBe(
      '/admin/publishing'
    )
    document.querySelector('nav[aria-label=Menu]')?.remove()
  })

  test('greets administrators by name', async () => {
    const page = await open('/admin', 'admin')
    expect(await screen.findByText('Vanakkam, Priya Raman!')).toBeTruthy()
    expect(page.redirects()).toEqual([])
  })
})
