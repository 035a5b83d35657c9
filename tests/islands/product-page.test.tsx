import '#elements/add-to-cart.ts'
import '#elements/product-page.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import type { Discount } from '#lib/contract/promotions.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { $cart, clearCart } from '#lib/stores/cart.ts'
import { updateLiveProducts } from '#lib/stores/catalog.ts'
import { clearSession, setSession } from '#lib/stores/session.ts'
import { PRIYA, respondWith } from '../support/session.ts'

const PAK = { _id: 'mysore-pak', name: 'Mysore Pak', price: 180, image: 'mysore-pak.jpg' }
const END_TIME = '2099-01-01T00:00:00.000Z'
const DRAWN: Discount = {
  dealId: 'diwali',
  productId: PAK._id,
  discount: 20,
  price: 144,
  originalPrice: 180,
  endTime: END_TIME,
  used: false,
  serverTime: '2026-11-22T00:00:00.000Z'
}

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
  clearCart()
  clearSession()
})

test('The product page names a drawn discount, and its button adds one pack at that price until the logout', async () => {
  configureApi({
    send: respondWith({
      'GET /auth/me': () => Response.json(PRIYA),
      'GET /flash-deals/mine': () =>
        Response.json([{ ...DRAWN, productId: 'halwa', dealId: 'other' }, DRAWN])
    })
  })
  setSession({ token: 't', user: PRIYA })
  document.body.innerHTML = `
    <add-to-cart class="buy-bar" data-count="#count">
      <b data-won></b><input id="count" value="3" /><button data-add>Add to Cart</button>
    </add-to-cart>
    <drawn-discount data-product="${PAK._id}"><b data-yours></b></drawn-discount>`
  const [bar, deal] = ['add-to-cart', 'drawn-discount'].map(name =>
    document.querySelector<HTMLElement>(name)
  )
  bar?.setAttribute('data-product', JSON.stringify(PAK))
  document.body.append(...document.body.children)
  updateLiveProducts([
    { id: PAK._id, price: 180, stock: 'in', deal: { percent: 20, endTime: END_TIME } }
  ])
  await waitFor(() => expect(deal?.textContent).toBe('Your price ₹144.00 (20% off, one pack)'))
  expect(bar?.querySelector('b')?.textContent).toBe('₹144.00')
  expect(bar?.dataset).toHaveProperty('drawn')

  fireEvent.click(document.querySelector('[data-add]') as HTMLElement)
  expect($cart.get()).toMatchObject([
    { price: 144, discount: 20, dealId: 'diwali', quantity: { value: 1 } },
    { price: 180, quantity: { value: 2 } }
  ])
  expect(deal?.textContent).toBe('Your discounted pack is in your cart.')
  expect(bar?.dataset).not.toHaveProperty('drawn')
  clearCart()
  expect(bar?.dataset).toHaveProperty('drawn')
  clearSession()
  expect(bar?.dataset).not.toHaveProperty('drawn')
  expect(deal?.dataset).not.toHaveProperty('drawn')
})

test.for([
  ['a day after two days in the kitchen', NEVER_CLOSED, ['Wed 25 Nov', 'Tue 24 Nov']],
  [
    'after days on which the shop is closed',
    { from: '2026-11-23', until: '2026-11-25', message: '' },
    ['Fri 27 Nov', 'Thu 26 Nov']
  ],
  [
    'not yet known while it is closed',
    { from: '2026-11-20', until: '2026-11-25', message: '' },
    ['2 days after', '2 days after']
  ]
] as const)('The earliest delivery is %s', ([, closed, days]) => {
  vi.useFakeTimers({ now: new Date('2026-11-22T06:00:00Z') })
  const date = document.createElement('delivery-date')
  date.dataset['calendar'] = JSON.stringify({ ...EMPTY_SETTINGS.calendar, closed })
  date.textContent = '2 days after'
  date.dataset['transit'] = '1'
  document.body.innerHTML = '<b data-kitchen-day>2 days after</b>'
  document.body.append(date)
  expect([date.textContent, document.querySelector('b')?.textContent]).toEqual(days)
})
