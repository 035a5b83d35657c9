import type { FastifyBaseLogger } from 'fastify'
import { CODE_LIFETIME, DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { deleteOldCounts, MAX_WINDOW } from './platform/http/limits.ts'
import { deleteExpiredDownloads } from './backups/routes.ts'
import { CODE_MAIL_PREFIX } from './accounts/codes.ts'
import { deleteOldCodes } from './accounts/code-queries.ts'
import { ORDER_MAIL_PREFIX } from './orders/mails.ts'
import { clearMailText, anonymiseOrders } from './orders/order-queries.ts'
import { deleteOldEvents } from './orders/payment-queries.ts'
import { deleteOldMails } from './platform/mail/outbox.ts'
import { deleteEndedSessions } from './accounts/sessions.ts'
import { startLoop, type Loop } from './platform/jobs/loop.ts'
import { sweepPictures, type PictureSweepDeps } from './publishing/sweep-pictures.ts'

export interface SweepDeps extends PictureSweepDeps {
  log: FastifyBaseLogger
}

const INTERVAL = 5 * MINUTE
/** Pictures are checked only every six hours, because the check reads every page of all stored releases. */
const PICTURES_INTERVAL = 6 * HOUR
/** Login codes are stored for a day, because the number of codes per e-mail address and day is limited. */
const CODE_RETENTION = DAY
/** Webhook events are stored for a month, because Razorpay's dashboard can resend an event for two weeks. */
const EVENT_RETENTION = 30 * DAY
const ORDER_MAIL_RETENTION = 90 * DAY

/** Deletes expired data. Several processes may do this at once, because deleting twice is harmless. */
export function startSweep(deps: SweepDeps): Loop[] {
  const warnFailed = (error: unknown): void => deps.log.warn({ err: error }, 'Deleting expired data failed, will retry')
  const run = async (): Promise<void> => {
    await sweep(deps)
    await deleteExpiredDownloads(deps.config.dataDir, deps.clock())
  }
  return [
    startLoop({ interval: INTERVAL, gracePeriod: 2 * SECOND, run, onError: warnFailed }),
    startLoop({
      interval: PICTURES_INTERVAL,
      gracePeriod: 2 * SECOND,
      run: signal => sweepPictures(deps, signal),
      onError: warnFailed
    })
  ]
}

export async function sweep({ write, clock }: Pick<SweepDeps, 'write' | 'clock'>): Promise<void> {
  const now = clock()
  const toCutoff = (age: number): string => new Date(now - age).toISOString()
  await write(async trx => {
    await deleteEndedSessions(trx, toCutoff(0))
    await deleteOldCodes(trx, toCutoff(CODE_RETENTION))
    await deleteOldCounts(trx, toCutoff(MAX_WINDOW))
    await deleteOldMails(trx, CODE_MAIL_PREFIX, toCutoff(CODE_LIFETIME))
    await deleteOldEvents(trx, toCutoff(EVENT_RETENTION))
    await clearMailText(trx, `${ORDER_MAIL_PREFIX}%`, toCutoff(ORDER_MAIL_RETENTION))
    await anonymiseOrders(trx, toCutoff(0))
  })
}
