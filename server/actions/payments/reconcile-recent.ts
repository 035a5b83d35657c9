import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { PAGE, type ProviderPayment } from '../../gateways/payments.ts'
import { takeLease } from '../../queries/leases.ts'
import { awaitsPayment } from '../../queries/orders/orders.ts'
import { listSettledIds } from '../../queries/orders/payments.ts'
import type { CheckoutDeps } from '../checkout/deps.ts'
import { reconcile } from './reconcile.ts'

/** How far back the provider's payments are read, and how often. A late one keeps the time at which it was begun. */
const SWEEPS = [
  { name: 'sweep of two days', back: 2 * DAY, every: 10 * MINUTE },
  { name: 'sweep of six days', back: 6 * DAY, every: DAY }
] as const

/** Payments of others that share the account, so that each is asked about once. */
const foreign = new Set<string>()
const MOST_FOREIGN = 5000

/**
 * Reads what was paid from the provider's own list, so that nothing is missed of which nobody has told us, and brings each
 * payment to its end: of the last hour at each turn while a payment is awaited, and further back now and then.
 * A turn throws PaymentError.
 */
export function createRecentReconciler(deps: CheckoutDeps): (signal?: AbortSignal) => Promise<void> {
  const { write, clock, database } = deps
  const tried = new Map<string, number>()

  // Of all processes, and however often they start, one has the turn.
  async function hasTurn({ name, every }: (typeof SWEEPS)[number]): Promise<boolean> {
    const now = clock()
    if (now < (tried.get(name) ?? -Infinity) + every) return false
    tried.set(name, now)
    return write(trx => takeLease(trx, name, randomUUID(), now, every))
  }

  return async signal => {
    let back = (await awaitsPayment(database.kysely)) ? HOUR : 0
    for (const sweep of SWEEPS) if (await hasTurn(sweep)) back = Math.max(back, sweep.back)
    if (back > 0) await sweepWindow(deps, back, signal)
  }
}

async function sweepWindow(deps: CheckoutDeps, back: number, signal: AbortSignal | undefined): Promise<void> {
  const to = deps.clock()
  for (let skip = 0; !signal?.aborted; skip += PAGE) {
    const page = await deps.payments.gateway.listPayments({ from: to - back, to, skip })
    await settlePage(deps, page)
    if (page.length < PAGE) return
  }
}

async function settlePage(deps: CheckoutDeps, page: readonly ProviderPayment[]): Promise<void> {
  const collected = page.filter(({ id, status }) => /^(authorized|captured)$/.test(status) && !foreign.has(id))
  const settled = await listSettledIds(
    deps.database.kysely,
    collected.map(({ id }) => id)
  )
  for (const payment of collected) {
    if (settled.has(payment.id)) continue
    const { kind } = await reconcile(deps, payment)
    if (kind === 'unknown') remember(payment.id)
  }
}

function remember(id: string): void {
  if (foreign.size >= MOST_FOREIGN) foreign.clear()
  foreign.add(id)
}
