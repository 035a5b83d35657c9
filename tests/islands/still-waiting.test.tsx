import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeOrder, SHOP } from '../support/orders.ts'
import { openPage, PRIYA, respondWith } from '../support/session.ts'
import { advance, expectNotShown, expectShown } from '../support/page-input.ts'
import { openLogin, panel, sessionReply, type } from './login-page.tsx'

const STILL_WAITING = 'Still waiting for the shop…'
const pending = () => new Promise<Response>(() => undefined)

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  history.replaceState(null, '', '/')
})

function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

const tryAgain = () => screen.queryByRole('button', { name: 'Try again' })

describe('Page that waits for a slow server', () => {
  test('says so in the form after 8 s, and "Try again" sends the login anew and keeps the focus', async () => {
    const replies = [pending(), Response.json(sessionReply)]
    const page = await openLogin({
      send: respondWith({ 'POST /auth/login': () => replies.shift() ?? Response.error() })
    })
    type('Email', 'priya@example.test')
    type('Password', 'kesari-47')
    fakeTimers()
    fireEvent.click(panel().getByRole('button', { name: 'Login' }))
    await advance(7900)
    expect(panel().queryByText(STILL_WAITING)).toBeNull()
    await advance(200)
    expect(panel().getByText(STILL_WAITING).closest('[aria-live]')).toBeTruthy()
    const button = panel().getByRole('button', { name: 'Try again' })
    button.focus()
    fireEvent.click(button)
    expectShown('Trying again…')
    expect(document.activeElement).toBe(button)
    await advance(10)
    expect(page.state()).toMatchObject({ state: 'authenticated' })
    expect([tryAgain(), page.toastTexts()]).toEqual([null, [['Login successful', 'Welcome back!']]])
  })

  test('says so where the orders will be, and loads them on "Try again"', async () => {
    const replies = [pending(), Response.json([makeOrder()])]
    const send = respondWith({
      'GET /auth/me': () => Response.json(PRIYA),
      'GET /orders/my-orders': () => replies.shift() ?? Response.error()
    })
    await openPage({ send, path: '/orders', token: 't', user: JSON.stringify(PRIYA) })
    const { OrdersPage } = await import('#islands/orders/OrdersPage.tsx')
    fakeTimers()
    render(<OrdersPage shop={SHOP} />)
    await advance(8100)
    expectShown(STILL_WAITING)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await advance(10)
    expect(screen.getByRole('article')).toBeTruthy()
    expectNotShown(/Still waiting|Trying again/)
  })

  test('says so beside the contact form, which sends a message only once', async () => {
    const send = vi.fn(pending)
    document.body.insertAdjacentHTML(
      'beforeend',
      `<contact-form><form><p role="status" data-waiting="${STILL_WAITING}"></p><button type="submit">Send</button></form></contact-form>`
    )
    const { configureApi } = await import('#lib/api.ts')
    await import('#elements/contact-form.ts')
    configureApi({ base: '/api', send })
    fakeTimers()
    const form = document.querySelector('contact-form')
    for (const _press of [1, 2]) fireEvent.submit(form?.querySelector('form') ?? document)
    await advance(8100)
    expect(form?.querySelector('[role=status]')?.textContent).toBe(STILL_WAITING)
    await advance(600_000)
    expect([send.mock.calls.length, tryAgain()]).toEqual([1, null])
    form?.remove()
  })
})
