import type { ReadableAtom } from 'nanostores'
import type { Payment } from '../checkout/payment.ts'
import { PAYMENT_POLL_DELAYS } from '../time.ts'

type UndecidedPayment = Payment & { status: 'checking' | 'unconfirmed' }
interface PollTarget {
  orderId: string
  response?: NonNullable<(Payment & { status: 'unconfirmed' })['response']>
}

let polledOrder: string | undefined

export function pollPayment($payment: ReadableAtom<Payment>, poll: (target: PollTarget) => Promise<void>): void {
  const orderId = findUndecidedPayment($payment)?.orderId
  if (orderId === undefined || polledOrder === orderId) return
  polledOrder = orderId
  void pollUntilDecided($payment, orderId, poll).finally(() => (polledOrder = undefined))
}

async function pollUntilDecided(
  $payment: ReadableAtom<Payment>,
  orderId: string,
  poll: (target: PollTarget) => Promise<void>
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    await waitForNextPoll(PAYMENT_POLL_DELAYS[attempt] ?? PAYMENT_POLL_DELAYS[PAYMENT_POLL_DELAYS.length - 1] ?? 0)
    const payment = findUndecidedPayment($payment)
    if (payment?.orderId !== orderId) return
    await poll(payment)
  }
}

function findUndecidedPayment($payment: ReadableAtom<Payment>): UndecidedPayment | undefined {
  const payment = $payment.get()
  return payment.status === 'checking' || payment.status === 'unconfirmed' ? payment : undefined
}

/** Waits for `ms`, or until the browser goes online again. In a hidden tab, also waits until the tab is visible. */
async function waitForNextPoll(ms: number): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    function end(): void {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
  })
  if (document.visibilityState !== 'hidden') return
  await new Promise(resolve => document.addEventListener('visibilitychange', resolve, { once: true }))
}
