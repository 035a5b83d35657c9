import { HOUR, MINUTE } from '#lib/time.ts'
import { createSweep } from '#server/actions/payments/sweep-payments.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/db/connect.ts'
import { createWrite } from '#server/db/write.ts'
import { PaymentError } from '#server/gateways/payments.ts'
import { checkPayments, sendRefunds, workOffInbox } from '#server/jobs/money.ts'
import type { World } from './world.ts'

/** Past the leases of shops that were killed. */
const LATER = 5 * MINUTE
const STEP = 10 * MINUTE
/** Holds of what was proven to be paid last three days. */
const LONGEST = 80 * HOUR

/**
 * Lets time pass, with nobody but the shop's own jobs at work, until nothing is left to be done about money; answers what
 * failed meanwhile, and when it was done (ms).
 */
export async function settle(world: World, database: Database, from: number): Promise<{ at: number; wrong: string[] }> {
  let now = from + LATER
  const wrong: string[] = []
  const config = readConfig({ ...world.settings, LOG_LEVEL: 'silent' })
  const app = await buildApp({ config, database, write: createWrite(database), clock: () => now })
  const sweep = createSweep(app)
  try {
    for (; now < from + LONGEST; now += STEP) {
      for (const work of [workOffInbox, checkPayments, () => sweep(), sendRefunds]) {
        await work(app, 'settling').catch((error: unknown) => {
          if (!(error instanceof PaymentError)) wrong.push(`While settling: ${String(error)}`)
        })
      }
      // Once more after nothing is due: the last look at the provider's list finds what nobody has told of.
      if (now > from + HOUR && (await isQuiet(database))) return { at: now, wrong }
    }
    return { at: now, wrong: [...wrong, 'I8 something still waits after three days'] }
  } finally {
    await app.close()
  }
}

async function isQuiet({ kysely: db }: Database): Promise<boolean> {
  const waiting = await Promise.all([
    db.selectFrom('orders').select('id').where('payment_state', '=', 'awaiting').limit(1).execute(),
    db.selectFrom('refunds').select('id').where('state', 'in', ['due', 'sent']).limit(1).execute(),
    db.selectFrom('webhook_events').select('id').where('next_at', 'is not', null).limit(1).execute()
  ])
  return waiting.every(rows => rows.length === 0)
}
