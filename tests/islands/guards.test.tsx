import { cleanup, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#lib/contract/accounts.ts'
import { SHOP } from '../support/orders.ts'
import { advance, expectShown } from '../support/page-input.ts'
import { errorReply, respondWith, openPage, OWNER, PRIYA, type Send } from '../support/session.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Opens a protected page, by default for a visitor. From now on, the time stands still. */
async function open(
  path: '/orders' | '/admin',
  user?: User,
  send: Send = respondWith({ 'GET /auth/me': user ?? {}, 'GET /auth/my-data': errorReply(401) })
) {
  const page = await openPage({
    send,
    path,
    ...(user && { token: 't', user: JSON.stringify(user) })
  })
  const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
  const { DashboardPage } = await import('#islands/admin/overview/DashboardPage.tsx')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  render(path === '/orders' ? <OrdersPage shop={SHOP} /> : <DashboardPage />)
  await advance(5)
  return { ...page, DashboardPage }
}

test("My Orders shows visitors 'Please log in to view your orders.' and redirects after 2 s", async () => {
  const page = await open('/orders')
  expectShown('Please log in to view your orders.')
  await advance(1900)
  expect(page.redirects()).toEqual([])
  await advance(100)
  expect(page.redirects()).toEqual(['/login?return=%2Forders'])
})

test.for([
  ['a visitor', undefined, '/login?return=%2Fadmin'],
  ['a shopper', PRIYA, '/']
] as const)('the admin pages redirect %s at once and show nothing', async ([, user, to]) => {
  const page = await open('/admin', user)
  expect(page.redirects()).toEqual([to])
  for (const element of ['heading', 'navigation', 'link', 'button'])
    expect(screen.queryByRole(element)).toBeNull()
})

test('an admin page loads the data of a stored administrator while the server checks the session', async () => {
  const { calls, DashboardPage } = await open('/admin', OWNER, () => new Promise(() => undefined))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Admin Dashboard')
  expectShown('Vanakkam, Priya Raman!')
  expect(calls).toEqual(expect.arrayContaining(['GET /auth/me', 'GET /admin/dashboard']))
  // The frame is not in the page for everyone.
  expect(renderToString(<DashboardPage />)).not.toMatch(/<h1|<nav/)
})

test('an admin page redirects a stored administrator who no longer is one, and hides the frame', async () => {
  const page = await open('/admin', OWNER, respondWith({ 'GET /auth/me': PRIYA }))
  expect(page.redirects()).toEqual(['/'])
  expect(screen.queryByRole('heading')).toBeNull()
})
