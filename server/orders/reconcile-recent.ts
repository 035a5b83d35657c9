import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { PAGE_SIZE, type ProviderPayment } from '../razorpay/payments.ts'
import { takeLease } from '../platform/jobs/leases.ts'
import { hasOrderAwaitingPayment } from './order-queries.ts'
import { listSettledIds } from './payment-queries.ts'
import type { CheckoutDeps } from './deps.ts'
import { reconcile } from './reconcile.ts'

/** Payments created in the last `back` ms are checked, because some are authorised only days after their creation. */
const WINDOWS = [
  { name: 'sweep of two days', back: 2 * DAY, every: 10 * MINUTE },
  { name: 'sweep of six days', back: 6 * DAY, every: DAY }
] as const

/** Ids of payments of other shops that use the same Razorpay account. These payments are not looked up again. */
const otherShopPayments = new Set<string>()
const MAX_OTHER_SHOP_PAYMENTS = 5000

/** Settles payments that neither the browser nor a webhook has reported. Throws PaymentError. */
export function createRecentReconciler(deps: CheckoutDeps): (signal?: AbortSignal) => Promise<void> {
  const { write, clock, database } = deps
  const lastTried = new Map<string, number>()

  // The lease ensures that only one process lists the payments of this window in each interval.
  async function isDue({ name, every }: (typeof WINDOWS)[number]): Promise<boolean> {
    const now = clock()
    if (now < (lastTried.get(name) ?? -Infinity) + every) return false
    lastTried.set(name, now)
    return write(trx => takeLease(trx, name, randomUUID(), now, every))
  }

  return async signal => {
    let back = (await hasOrderAwaitingPayment(database.kysely)) ? HOUR : 0
    for (const window of WINDOWS) if (await isDue(window)) back = Math.max(back, window.back)
    if (back > 0) await reconcileWindow(deps, back, signal)
  }
}

async function reconcileWindow(deps: CheckoutDeps, back: number, signal: AbortSignal | undefined): Promise<void> {
  const to = deps.clock()
  for (let skip = 0; !signal?.aborted; skip += PAGE_SIZE) {
    const page = await deps.payments.gateway.listPayments({ from: to - back, to, skip })
    await reconcilePage(deps, page)
    if (page.length < PAGE_SIZE) return
  }
}

async function reconcilePage(deps: CheckoutDeps, page: readonly ProviderPayment[]): Promise<void> {
  const payable = page.filter(({ id, status }) => /^(authorized|captured)$/.test(status) && !otherShopPayments.has(id))
  const settled = await listSettledIds(
    deps.database.kysely,
    payable.map(({ id }) => id)
  )
  for (const payment of payable) {
    if (settled.has(payment.id)) continue
    const { kind } = await reconcile(deps, payment)
    if (kind === 'unknown') addOtherShopPayment(payment.id)
  }
}

function addOtherShopPayment(id: string): void {
  if (otherShopPayments.size >= MAX_OTHER_SHOP_PAYMENTS) otherShopPayments.clear()
  otherShopPayments.add(id)
}
