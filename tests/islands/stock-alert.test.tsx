import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { expectLink } from '../support/page-input.ts'
import { errorReply, openPage, PRIYA, respondWith } from '../support/session.ts'

type Replies = Parameters<typeof respondWith>[0]

const soldOut = {
  id: 'halwa',
  name: 'Halwa',
  stock: 0,
  quantity: { value: 250, unit: 'g', type: 'weight' }
}
const ASK = 'POST /products/halwa/stock-alert'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function open(path: string, replies: Replies, isLoggedIn = true) {
  const page = await openPage({
    send: respondWith({
      'GET /auth/me': () => Response.json(PRIYA),
      'GET /products/halwa': () => Response.json(soldOut),
      ...replies
    }),
    path,
    ...(isLoggedIn && { token: 't', user: JSON.stringify(PRIYA) })
  })
  const { StockAlertPage } = await import('#islands/account/StockAlertPage.tsx')
  render(<StockAlertPage />)
  return page
}

async function ask() {
  fireEvent.click(await screen.findByRole('button', { name: MESSAGES.stockAlertAsk }))
}

test('A shopper asks for a mail with one tap', async () => {
  await open('/stock-alert?product=halwa', {
    [ASK]: () => Response.json({ message: 'We’ll email you once it’s back in stock.' })
  })
  await ask()
  await screen.findByText('We’ll email you once it’s back in stock.')
  expect(screen.queryByRole('button', { name: MESSAGES.stockAlertAsk })).toBeNull()
  expectLink('Back to Halwa', '/products/halwa')
})

test('A refused request says why and can be repeated', async () => {
  const text = 'Too many requests. Please try again in 5 hours.'
  await open('/stock-alert?product=halwa', {
    [ASK]: errorReply(429, { code: 'TOO_MANY_REQUESTS', message: text })
  })
  await ask()
  await screen.findByText(text)
  expect(screen.getByRole('button', { name: MESSAGES.stockAlertAsk })).toBeTruthy()
})

test('A product that is in stock again is offered at once', async () => {
  await open('/stock-alert?product=halwa', {
    'GET /products/halwa': () => Response.json({ ...soldOut, stock: 4 })
  })
  await screen.findByText(/is in stock. You can order it now./)
  expect(screen.queryByRole('button', { name: MESSAGES.stockAlertAsk })).toBeNull()
})

test('A visitor logs in first and comes back', async () => {
  const page = await open('/stock-alert?product=halwa', {}, false)
  await waitFor(() =>
    expect(page.redirects()).toEqual(['/login?return=%2Fstock-alert%3Fproduct%3Dhalwa'])
  )
})

test('The link in a mail stops all mails without a login, after one tap', async () => {
  const page = await open(
    '/stock-alert#stop=u-1.abc',
    {
      'POST /stock-alerts/stop': () =>
        Response.json({ message: 'You’ll get no more of these emails.' })
    },
    false
  )
  const stop = await screen.findByRole('button', { name: 'Stop these emails' })
  expect(page.calls).toEqual([])
  fireEvent.click(stop)
  await screen.findByText('You’ll get no more of these emails.')
  expect(page.calls).toContain('POST /stock-alerts/stop?token=u-1.abc')
})
