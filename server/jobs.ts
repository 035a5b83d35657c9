import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { CODE_LIFETIME, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { CODE_MAIL_PREFIX, deleteExpiredCodes } from './accounts/codes.ts'
import { deleteOldInvitations } from './accounts/invitations.ts'
import { deleteEndedSessions } from './accounts/sessions.ts'
import { deleteEndedTickets, deleteExpiredDownloads } from './backups/routes.ts'
import { deleteEndedBells, startRings } from './bell/bell.ts'
import { deleteOldAlertMails, sendStockAlerts } from './catalog/stock-alerts.ts'
import { deleteOldMessages } from './content/messages.ts'
import { anonymiseCouponUses } from './coupons/claims.ts'
import { anonymiseDraws } from './deals/draws.ts'
import { isLive } from './live-shop/live-shop.ts'
import { deleteExpiredOrderData, deleteUnpaidCheckouts } from './orders/clean-up.ts'
import { startPaymentJobs } from './orders/payment/jobs.ts'
import type { Trx } from './platform/db/tables.ts'
import { deleteOldCounts } from './platform/http/limits.ts'
import { startLoop, type Loop } from './platform/process/jobs.ts'
import { OUTBOX_FOLDER } from './platform/mail/mail.ts'
import { startOutbox } from './platform/mail/outbox.ts'
import { deleteOldFiles } from './platform/storage/files.ts'
import { sweepPictures, uploadMissingPictures } from './publishing/sweep-pictures.ts'
import { deleteOldMissedSearches } from './catalog/search-routes.ts'

const CLEAN_UP_INTERVAL = 5 * MINUTE
/** Long, because the check reads every page of all stored releases. */
const PICTURES_INTERVAL = 6 * HOUR

const CLEAN_UP: readonly ((trx: Trx, now: number) => Promise<void>)[] = [
  deleteEndedSessions,
  deleteExpiredCodes,
  deleteOldInvitations,
  deleteEndedBells,
  deleteOldCounts,
  deleteEndedTickets,
  deleteExpiredOrderData,
  deleteOldMessages,
  deleteOldAlertMails,
  deleteOldMissedSearches,
  anonymiseDraws,
  anonymiseCouponUses
]

/** Several processes may do this at once, because deleting twice is harmless. */
export async function deleteExpired({
  write,
  clock
}: Pick<FastifyInstance, 'write' | 'clock'>): Promise<void> {
  const now = clock()
  await write(async trx => {
    for (const deleteRows of CLEAN_UP) await deleteRows(trx, now)
  })
  // In small batches, so that shoppers need not wait while a flood of checkouts is deleted.
  while (await write(trx => deleteUnpaidCheckouts(trx, now))) continue
}

export function startJobs(app: FastifyInstance): Loop[] {
  const { database, write, clock, mail, log, config } = app
  const holder = randomUUID()
  const repeat = (
    task: string,
    interval: number,
    run: (signal: AbortSignal) => Promise<void>
  ): Loop => {
    const onError = (error: unknown) => log.warn({ err: error }, `${task} failed, will retry`)
    return startLoop({ interval, gracePeriod: 2 * SECOND, run, onError })
  }
  let hasUploaded = false
  return [
    startOutbox({ database, write, clock, mail, log, maySend: () => isLive(app) }),
    ...startPaymentJobs(app),
    // Does not wait for the push services.
    repeat('Ringing', 2 * SECOND, async () => void (await startRings(app))),
    repeat('Sending mails about stock', MINUTE, signal => sendStockAlerts(app, holder, signal)),
    repeat('Uploading pictures', CLEAN_UP_INTERVAL, async () => {
      if (hasUploaded) return
      const files = await uploadMissingPictures(app)
      if (files > 0) log.info({ files }, 'Uploaded pictures that the store lacked')
      hasUploaded = true
    }),
    repeat('Deleting expired data', CLEAN_UP_INTERVAL, async () => {
      await deleteExpired(app)
      await deleteExpiredDownloads(config.dataDir)
      const codeMails = { prefix: CODE_MAIL_PREFIX, age: CODE_LIFETIME }
      await deleteOldFiles(join(config.dataDir, OUTBOX_FOLDER), codeMails)
    }),
    repeat('Deleting unused pictures', PICTURES_INTERVAL, signal => sweepPictures(app, signal))
  ]
}
