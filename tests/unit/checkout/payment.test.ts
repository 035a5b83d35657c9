import { describe, expect, test } from 'vitest'
import { isProcessing, next, type Payment, type PaymentEvent, type Proof } from '#lib/checkout/payment.ts'
import { anOrder } from '../../support/orders.ts'

const PROOF: Proof = { razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1', razorpay_signature: 'sig' }
const ORDER = anOrder({ _id: 'o-1' })
const CHECKING = anOrder({ _id: 'o-1', status: 'checking', paymentStatus: 'pending' })

const pressed: PaymentEvent = { is: 'pressed' }
const ordered: PaymentEvent = { is: 'ordered', orderId: 'o-1' }
const opened: PaymentEvent = { is: 'opened' }
const paid: PaymentEvent = { is: 'paid', proof: PROOF }
const closed: PaymentEvent = { is: 'closed' }
const declined: PaymentEvent = { is: 'declined', reason: 'Insufficient funds.' }
const untold = (final = false): PaymentEvent => ({ is: 'untold', reason: 'No network.', final })
const told = (state: 'paid' | 'checking' | 'unpaid' | 'refunded'): PaymentEvent => ({
  is: 'told',
  state: { state, order: state === 'checking' ? CHECKING : ORDER }
})

function after(...events: PaymentEvent[]): Payment {
  return events.reduce(next, { at: 'idle' } as Payment)
}

describe('a payment that goes well', () => {
  test('is ordered, opened, paid, told to the shop, and placed', () => {
    expect(after(pressed).at).toBe('ordering')
    expect(after(pressed, ordered)).toEqual({ at: 'loading', orderId: 'o-1' })
    expect(after(pressed, ordered, opened)).toEqual({ at: 'open', orderId: 'o-1' })
    expect(after(pressed, ordered, opened, paid)).toEqual({ at: 'finalising', orderId: 'o-1', proof: PROOF })
    expect(after(pressed, ordered, opened, paid, { is: 'answered', order: ORDER })).toEqual({
      at: 'placed',
      order: ORDER
    })
  })

  test('of nothing needs no window', () => {
    expect(after(pressed, { is: 'settled', order: ORDER })).toEqual({ at: 'placed', order: ORDER })
  })

  test('is placed after a failed attempt too', () => {
    expect(after(pressed, ordered, opened, declined, paid).at).toBe('finalising')
  })

  test('that was paid as the window closed counts as paid', () => {
    expect(after(pressed, ordered, opened, closed, paid).at).toBe('finalising')
  })
})

describe('a payment that was not begun', () => {
  test.for([[[pressed]], [[pressed, ordered]]] as const)('says why, and can be tried again', ([events]) => {
    const said = { title: 'Failed to create Razorpay order', text: 'Busy.', kind: 'failure' } as const
    const payment = after(...events, { is: 'refused', said })
    expect(payment).toEqual({ at: 'idle', said })
    expect(next(payment, pressed)).toEqual({ at: 'ordering' })
  })
})

describe('closing the window', () => {
  const asked = [pressed, ordered, opened, closed]

  test('asks the provider before anything is said', () => {
    expect(after(...asked)).toEqual({ at: 'asking', orderId: 'o-1' })
    expect(isProcessing(after(...asked))).toBe(true)
  })

  test("says 'Payment was cancelled.' when nothing was paid", () => {
    expect(after(...asked, told('unpaid'))).toMatchObject({
      at: 'idle',
      said: { title: 'Payment was cancelled.', kind: 'info' }
    })
  })

  test('after a failed attempt says why that failed', () => {
    const payment = after(pressed, ordered, opened, declined, closed, told('unpaid'))
    expect(payment).toMatchObject({ said: { text: expect.stringContaining('Insufficient funds.') as unknown } })
  })

  test('finds the order when it was paid all the same', () => {
    expect(after(...asked, told('paid')).at).toBe('placed')
    expect(after(...asked, told('checking'))).toEqual({ at: 'checking', orderId: 'o-1' })
  })

  test('without network says that it can’t know', () => {
    const payment = after(...asked, { is: 'unheard', reason: 'No network.' })
    expect(payment).toMatchObject({
      said: { title: 'Payment was cancelled.', text: expect.stringContaining('by itself') as unknown }
    })
  })
})

describe('a payment of which the shop could not be told', () => {
  const lost = [pressed, ordered, opened, paid, untold()]

  test('keeps its proof and its reason, and is never called unpaid', () => {
    expect(after(...lost)).toEqual({ at: 'unfinalised', orderId: 'o-1', proof: PROOF, reason: 'No network.' })
    expect(after(...lost, told('unpaid')).at).toBe('unfinalised')
    expect(after(...lost, told('checking')).at).toBe('unfinalised')
  })

  test('lets go of a proof that the shop will never take', () => {
    expect(after(...lost, untold(true))).toEqual({ at: 'unfinalised', orderId: 'o-1', reason: 'No network.' })
  })

  test('is placed, or refunded, in the end', () => {
    expect(after(...lost, { is: 'answered', order: ORDER }).at).toBe('placed')
    expect(after(...lost, told('paid')).at).toBe('placed')
    expect(after(...lost, told('refunded')).at).toBe('refunded')
    expect(after(...lost, { is: 'moneyBack', reason: 'Sold out.' })).toEqual({ at: 'refunded', reason: 'Sold out.' })
  })
})

describe('a payment that the bank has not confirmed', () => {
  const waiting = [pressed, ordered, opened, paid, { is: 'answered', order: CHECKING } as const]

  test('is being checked until it is paid, refunded or was not completed', () => {
    expect(after(...waiting)).toEqual({ at: 'checking', orderId: 'o-1' })
    expect(after(...waiting, told('checking')).at).toBe('checking')
    expect(after(...waiting, { is: 'unheard', reason: 'x' }).at).toBe('checking')
    expect(after(...waiting, told('paid')).at).toBe('placed')
    expect(after(...waiting, told('refunded')).at).toBe('refunded')
    expect(after(...waiting, told('unpaid'))).toMatchObject({
      at: 'idle',
      said: { title: 'The payment was not completed.' }
    })
  })
})

describe('coming back to an order', () => {
  const back: PaymentEvent = { is: 'returned', orderId: 'o-1', known: true }

  test('asks how it stands', () => {
    expect(after(back)).toEqual({ at: 'returning', orderId: 'o-1' })
    expect(after(back, told('paid'))).toEqual({ at: 'placed', order: ORDER })
    expect(after(back, told('unpaid')).at).toBe('idle')
  })

  test('without network can be tried again', () => {
    const unheard = after(back, { is: 'unheard', reason: 'No network.' })
    expect(unheard).toEqual({ at: 'unheard', orderId: 'o-1', reason: 'No network.' })
    expect(next(unheard, told('paid')).at).toBe('placed')
  })

  test('somebody who is not logged in has to do that first', () => {
    const unknown = after({ is: 'returned', orderId: 'o-1', known: false })
    expect(unknown).toEqual({ at: 'unknown', orderId: 'o-1' })
    expect(next(unknown, back)).toEqual({ at: 'returning', orderId: 'o-1' })
  })

  test('never interrupts a payment', () => {
    expect(after(pressed, back).at).toBe('ordering')
  })
})

test('events that come twice or too late change nothing', () => {
  const placed = after(pressed, ordered, opened, paid, { is: 'answered', order: ORDER })
  for (const event of [pressed, ordered, opened, paid, closed, declined, untold(), told('unpaid'), told('refunded')])
    expect(next(placed, event)).toBe(placed)
  const ordering = after(pressed)
  for (const event of [pressed, paid, closed, told('paid')]) expect(next(ordering, event)).toBe(ordering)
})
