import type { FastifyBaseLogger } from 'fastify'
import { CODE_LIFE, DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { LONGEST_WINDOW } from '../actions/accounts/limits.ts'
import { createDownloads } from '../backups/downloads.ts'
import { CODE_MAIL } from '../mails/code-mail.ts'
import { deleteCodes } from '../queries/codes.ts'
import { ORDER_MAIL } from '../mails/order-parts.ts'
import { forgetMails, forgetShoppers } from '../queries/orders/forgetting.ts'
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
/** They wait for a day in any case, and looking for who shows them reads every page. */
const PICTURES_EVERY = 6 * HOUR
/** Codes count for so long towards how many an address may have. */
const CODES_KEPT = DAY
/** The provider repeats a notice for a day, and a person may send it again within two weeks. */
const EVENTS_KEPT = 30 * DAY
/** Until then one may have to look up what was written. */
const ORDER_MAILS_KEPT = 90 * DAY

/** Forgets what has run out. It needs no lease: what one process has swept, another does not find. */
export function startSweep(deps: SweepDeps): Loop[] {
  const failed = (error: unknown): void =>
    deps.log.warn({ err: error }, 'What has run out could not be removed, it is tried again')
  const downloads = createDownloads(deps.config.dataDir, deps.clock)
  const run = async (): Promise<void> => {
    await sweep(deps)
    await downloads.forget()
  }
  return [
    startLoop({ every: EVERY, grace: 2 * SECOND, run, failed }),
    startLoop({ every: PICTURES_EVERY, grace: 2 * SECOND, run: signal => sweepPictures(deps, signal), failed })
  ]
}

export async function sweep({ write, clock }: Pick<SweepDeps, 'write' | 'clock'>): Promise<void> {
  const now = clock()
  const before = (age: number): string => new Date(now - age).toISOString()
  await write(async trx => {
    await deleteEndedSessions(trx, before(0))
    await deleteCodes(trx, before(CODES_KEPT))
    await deleteCounts(trx, before(LONGEST_WINDOW))
    // They hold the code itself, which is not worth trying to deliver any more.
    await deleteMails(trx, CODE_MAIL, before(CODE_LIFE))
    await deleteEvents(trx, before(EVENTS_KEPT))
    await forgetMails(trx, `${ORDER_MAIL}%`, before(ORDER_MAILS_KEPT))
    await forgetShoppers(trx, before(0))
  })
}
