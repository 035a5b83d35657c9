import { HOUR, MINUTE } from '#lib/time.ts'
import {
  processWebhookEvents,
  reconcilePayments,
  reconcileRecent,
  sendRefunds
} from '#server/orders/payment/jobs.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/platform/db/connect.ts'
import { PaymentError } from '#server/razorpay/client.ts'
import type { TestEnvironment } from './environment.ts'

const START_DELAY = 5 * MINUTE
const STEP = 10 * MINUTE
/** Reservations with a verified payment last up to three days. */
const MAX_DURATION = 80 * HOUR

/**
 * Runs the payment jobs on a simulated clock until no work is left. `at` is the simulated time in
 * ms.
 */
export async function runUntilIdle(
  { settings, store: { database, write } }: TestEnvironment,
  from: number
): Promise<{ at: number; violations: string[] }> {
  let now = from + START_DELAY
  const violations: string[] = []
  const config = readConfig({ ...settings, LOG_LEVEL: 'silent' })
  const app = await buildApp({ config, database, write, clock: () => now })
  // Killed servers leave leases, which end by the database's clock and not by the simulated one.
  await database.kysely.deleteFrom('leases').execute()
  try {
    for (; now < from + MAX_DURATION; now += STEP) {
      for (const work of [processWebhookEvents, reconcilePayments, reconcileRecent, sendRefunds]) {
        await work(app, 'test jobs').catch((error: unknown) => {
          if (!(error instanceof PaymentError))
            violations.push(`Payment job failed: ${String(error)}`)
        })
      }
      // At least one simulated hour, because unreported payments are found only in the provider's
      // list of payments.
      if (now > from + HOUR && (await isIdle(database))) return { at: now, violations }
    }
    return {
      at: now,
      violations: [...violations, 'I8 payments or refunds are still open after three days']
    }
  } finally {
    await app.close()
  }
}

async function isIdle({ kysely: db }: Database): Promise<boolean> {
  const openWork = await Promise.all([
    db.selectFrom('orders').select('id').where('payment_state', '=', 'awaiting').limit(1).execute(),
    db.selectFrom('refunds').select('id').where('state', 'in', ['due', 'sent']).limit(1).execute(),
    db.selectFrom('webhook_events').select('id').where('next_at', 'is not', null).limit(1).execute()
  ])
  return openWork.every(rows => rows.length === 0)
}
