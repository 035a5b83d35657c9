import type { ReadableAtom } from 'nanostores'
import type { Payment } from '../checkout/payment.ts'
import { PAYMENT_POLLS } from '../time.ts'

type Undecided = Payment & { at: 'checking' | 'unfinalised' }
interface Question {
  orderId: string
  proof?: NonNullable<(Payment & { at: 'unfinalised' })['proof']>
}

let following: string | undefined

/** Asks again and again, less and less often, as long as a payment is not decided; at once when the network is back. */
export function followPayment($payment: ReadableAtom<Payment>, ask: (question: Question) => Promise<void>): void {
  const orderId = undecided($payment)?.orderId
  if (orderId === undefined || following === orderId) return
  following = orderId
  void turns($payment, orderId, ask).finally(() => (following = undefined))
}

async function turns(
  $payment: ReadableAtom<Payment>,
  orderId: string,
  ask: (question: Question) => Promise<void>
): Promise<void> {
  for (let turn = 0; ; turn++) {
    await rest(PAYMENT_POLLS[turn] ?? PAYMENT_POLLS[PAYMENT_POLLS.length - 1] ?? 0)
    const payment = undecided($payment)
    if (payment?.orderId !== orderId) return
    await ask(payment)
  }
}

function undecided($payment: ReadableAtom<Payment>): Undecided | undefined {
  const payment = $payment.get()
  return payment.at === 'checking' || payment.at === 'unfinalised' ? payment : undefined
}

/** In a tab that nobody looks at, until somebody does. */
async function rest(ms: number): Promise<void> {
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
