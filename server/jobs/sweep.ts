import type { FastifyBaseLogger } from 'fastify'
import { CODE_LIFETIME, DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { MAX_WINDOW } from '../actions/accounts/limits.ts'
import { createDownloads } from '../backups/downloads.ts'
import { CODE_MAIL } from '../mails/code-mail.ts'
import { deleteCodes } from '../queries/codes.ts'
import { ORDER_MAIL } from '../mails/order-parts.ts'
import { deleteOrderMails, anonymiseOrders } from '../queries/orders/anonymise.ts'
import { deleteEvents } from '../queries/orders/webhook-events.ts'
import { deleteMails } from '../queries/outbox.ts'
import { deleteCounts } from '../queries/rate-counts.ts'
import { deleteEndedSessions } from '../queries/sessions.ts'
import { startLoop, type Loop } from './loop.ts'
import { sweepPictures, type PictureSweepDeps } from './sweep-pictures.ts'

export interface SweepDeps extends PictureSweepDeps {
  log: FastifyBaseLogger
}

const EVERY = 5 * MINUTE
/** Rare, because it reads every page of all stored releases. */
const PICTURES_EVERY = 6 * HOUR
/** Codes count towards the daily limit of an address. */
const CODE_RETENTION = DAY
/** Razorpay repeats a webhook for a day, and allows manual resending for two weeks. */
const EVENT_RETENTION = 30 * DAY
const ORDER_MAIL_RETENTION = 90 * DAY

/** Deletes expired data. Needs no lease, because deleting twice is harmless. */
export function startSweep(deps: SweepDeps): Loop[] {
  const failed = (error: unknown): void => deps.log.warn({ err: error }, 'Deleting expired data failed, will retry')
  const downloads = createDownloads(deps.config.dataDir, deps.clock)
  const run = async (): Promise<void> => {
    await sweep(deps)
    await downloads.deleteExpired()
  }
  return [
    startLoop({ every: EVERY, grace: 2 * SECOND, run, onError: failed }),
    startLoop({ every: PICTURES_EVERY, grace: 2 * SECOND, run: signal => sweepPictures(deps, signal), onError: failed })
  ]
}

export async function sweep({ write, clock }: Pick<SweepDeps, 'write' | 'clock'>): Promise<void> {
  const now = clock()
  const before = (age: number): string => new Date(now - age).toISOString()
  await write(async trx => {
    await deleteEndedSessions(trx, before(0))
    await deleteCodes(trx, before(CODE_RETENTION))
    await deleteCounts(trx, before(MAX_WINDOW))
    await deleteMails(trx, CODE_MAIL, before(CODE_LIFETIME))
    await deleteEvents(trx, before(EVENT_RETENTION))
    await deleteOrderMails(trx, `${ORDER_MAIL}%`, before(ORDER_MAIL_RETENTION))
    await anonymiseOrders(trx, before(0))
  })
}
