import { fireEvent, render, screen } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { onTestFinished, vi } from 'vitest'
import type { RazorpayOptions } from '#lib/stores/razorpay.ts'
import type { CheckoutShop } from '#lib/checkout/checkout-form.ts'
import type { QuotedLine } from '#lib/contract/checkout.ts'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { makeLine } from '../support/cards.ts'
import { createCartServer, type CartServer } from '../support/cart-server.ts'
import { answerPincode } from '../support/delivery.ts'
import { makeOrder, SHOP } from '../support/orders.ts'
import { press, type, waitForUpdates } from '../support/page-input.ts'
import { openPage, PRIYA } from '../support/session.ts'
import { STARTED } from '../stores/checkout-page.ts'

export const PAK = makeLine('pak', 2, { name: 'Mysore Pak', price: 180 })
/** An account that a one-time code has just created. */
const NEWCOMER = { ...PRIYA, name: 'priya', phoneNumber: '', address: null }

type Replies = NonNullable<Parameters<typeof createCartServer>[1]>

interface PageOptions {
  replies?: Replies
  lines?: CartLine[]
  user?: User | undefined
  path?: string
  server?: CartServer
  quotes?: Record<string, Partial<QuotedLine>>
  rules?: Partial<CheckoutShop>
}

/** Opens the cart page with a stubbed API and a stubbed payment window. */
export async function openCheckout({
  replies = {},
  lines = [PAK],
  user,
  path = '/cart',
  server,
  quotes = {},
  rules
}: PageOptions = {}) {
  const shop =
    server ??
    createCartServer([], {
      'GET /auth/me': () => Response.json(user ?? NEWCOMER),
      'POST /auth/send-otp': () =>
        Response.json({ message: 'Sent.', sent: true, resendAfter: 60, expiresIn: 600 }),
      'POST /auth/verify-otp': () => Response.json({ token: 'new', user: NEWCOMER }),
      'POST /payments/razorpay-order': () => Response.json(STARTED),
      'GET /delivery': answerPincode(),
      'POST /orders': () => Response.json(makeOrder(), { status: 201 }),
      ...replies
    })
  shop.setQuote('pak', { name: 'Mysore Pak', listPrice: 180, price: 180 })
  for (const [id, quote] of Object.entries(quotes)) shop.setQuote(id, quote)
  const send = vi.fn(shop.send)
  const session = user ? { token: 't', user: JSON.stringify(user) } : {}
  const page = await openPage({ send, path, ...session })
  localStorage.setItem('cart', JSON.stringify(lines))
  const { $cart } = await import('#lib/stores/cart.ts')
  const payment = await import('#lib/stores/payment.ts')
  const { CartPage } = await import('#islands/cart/CartPage.tsx')
  $cart.listen(() => undefined)
  onTestFinished(() => cleanStores($cart))
  const windows: RazorpayOptions[] = []
  payment.configurePayment(async (_, options) => void windows.push(options))
  const { unmount } = render(<CartPage shop={{ ...SHOP, ...rules }} />)
  await waitForUpdates()
  const sentBody = (call: string): unknown => {
    const lastCall = send.mock.calls.findLast(
      ([url, { method }]) => `${method} ${url.replace('/api', '')}` === call
    )
    return lastCall && JSON.parse(String(lastCall[1].body))
  }
  return { ...page, shop, windows, sentBody, unmount, cart: () => $cart.get() }
}

/**
 * Opens the checkout of a logged-in shopper whose profile is empty, with this answer about each
 * pincode.
 */
export function openWith(
  changes: Partial<DeliveryReply>,
  { replies, ...options }: PageOptions = {}
) {
  const user = { ...PRIYA, phoneNumber: '', address: null }
  return openCheckout({
    user,
    ...options,
    replies: { 'GET /delivery': answerPincode(changes), ...replies }
  })
}

export async function pay(changes?: Record<string, string>): Promise<void> {
  fillIn(changes)
  await waitForUpdates(20)
  await press(/^Pay Now/)
}

export const payNow = (): HTMLElement => screen.getByRole('button', { name: /^Pay Now/ })
export const confirmBox = (): HTMLInputElement =>
  screen.getByRole('checkbox', { name: /^I confirm/ })

export function fillIn(changes: Record<string, string | undefined> = {}): void {
  const validValues = {
    Email: 'priya@example.test',
    'Full name': 'Priya Raman',
    'Phone number': '98765 43210',
    Pincode: '620002',
    'Street and area': '4 Rockfort Road',
    'City or town': 'Tiruchirappalli',
    State: 'Tamil Nadu'
  }
  for (const [label, text] of Object.entries({ ...validValues, ...changes }))
    if (text !== undefined) type(label, text)
  if (!confirmBox().checked) fireEvent.click(confirmBox())
}
