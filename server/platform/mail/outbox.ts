import type { FastifyBaseLogger } from 'fastify'
import { randomUUID } from 'node:crypto'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import { DAY, HOUR, SECOND, type IsoTime, isoNow, toIso } from '#lib/time.ts'
import { LAST_SMTP_MAIL, raiseCounterTo } from '../db/counters.ts'
import type { Db, OutboxRow, Trx } from '../db/tables.ts'
import type { DataDeps } from '../db/write.ts'
import { drainDueJobs, listDueRows, type Loop, startLoop } from '../process/jobs.ts'
import type { Mail, MailGateway } from './mail.ts'

export interface OutboxDeps extends DataDeps {
  mail: MailGateway
  maySend: () => Promise<boolean>
  log: FastifyBaseLogger
}

const FIRST_BACKOFF = 30 * SECOND
const MAX_BACKOFF = 4 * HOUR
const GIVE_UP_AFTER = 3 * DAY
/** For mails that are not to be sent: addresses, links and codes are of no more use. */
export const FORGOTTEN = { payload: '{}' }

export function startOutbox(deps: OutboxDeps): Loop {
  const holder = randomUUID()
  return startLoop({
    interval: 2 * SECOND,
    gracePeriod: 2 * SECOND,
    run: signal => deliverMails(deps, holder, signal),
    onError: error => deps.log.warn({ err: error }, 'Reading the outbox failed, will retry')
  })
}

export async function deliverMails(
  deps: OutboxDeps,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  if (!(await deps.maySend())) return
  const jobs = {
    name: 'outbox',
    listDue: (now: IsoTime) => listDueMails(deps.database.kysely, now),
    handle: (mail: WaitingMail) => attemptDelivery(deps, mail)
  }
  await drainDueJobs(deps, jobs, holder, signal)
}

async function attemptDelivery(
  { mail: gateway, write, clock, log }: OutboxDeps,
  waiting: WaitingMail
) {
  const { id } = waiting.mail
  const attempts = waiting.attempts + 1
  let server: string | undefined
  const saveAttempt = (
    state: 'waiting' | 'sent' | 'given_up',
    next_at = isoNow(clock)
  ): Promise<void> =>
    write(
      async trx => {
        await recordAttempt(trx, id, { state, attempts, next_at })
        if (server !== undefined) await raiseCounterTo(trx, LAST_SMTP_MAIL, clock())
      },
      { shows: 'nothing' }
    )
  try {
    server = await gateway.send(waiting.mail)
  } catch (error) {
    const nextAt = clock() + backoffAfter(attempts)
    const isFinal = nextAt > waiting.createdAt + GIVE_UP_AFTER
    const fields = { mail: id, attempts, ...toLogFields(error) }
    if (isFinal) log.error(fields, 'Mail not delivered, giving up')
    else log.warn(fields, 'Mail not delivered, will retry')
    return saveAttempt(isFinal ? 'given_up' : 'waiting', toIso(nextAt))
  }
  await saveAttempt('sent')
  log.info({ mail: id, destination: server ?? 'a file' }, 'Mail sent')
}

export function backoffAfter(attempts: number): number {
  return Math.min(FIRST_BACKOFF * 2 ** (attempts - 1), MAX_BACKOFF)
}

// Leaves out the mail server's error text, which often contains the recipient's address.
function toLogFields(error: unknown): Record<string, unknown> {
  const { name, code = name, responseCode, command } = error as Record<string, unknown>
  return { code, responseCode, command }
}

interface WaitingMail {
  mail: Mail
  attempts: number
  createdAt: number
}

export function enqueueMail(trx: Trx, mail: Mail, now: IsoTime, due: IsoTime = now): Promise<void> {
  return enqueueMails(trx, [mail], now, due)
}

export async function enqueueMails(
  trx: Trx,
  mails: readonly Mail[],
  now: string,
  due = now
): Promise<void> {
  const columns = { next_at: due, created_at: now, state: 'waiting', attempts: 0 } as const
  const rows = mails
    // Orders of deleted accounts have an empty email address.
    .filter(({ to }) => to !== '' && to !== PLACEHOLDER_EMAIL)
    .map(mail => ({ id: mail.id, payload: JSON.stringify(mail), ...columns }))
  if (rows.length === 0) return
  await trx
    .insertInto('outbox')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export async function withdrawMail(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('outbox').where('id', '=', id).where('state', '=', 'waiting').execute()
}

async function listDueMails(db: Db, now: IsoTime): Promise<WaitingMail[]> {
  const waiting = db.selectFrom('outbox').selectAll().where('state', '=', 'waiting')
  const rows = await listDueRows(waiting, 'next_at', now)
  return rows.map(({ payload, attempts, created_at }) => ({
    mail: JSON.parse(payload) as Mail,
    attempts,
    createdAt: Date.parse(created_at)
  }))
}

async function recordAttempt(
  trx: Trx,
  id: string,
  outcome: Pick<OutboxRow, 'state' | 'attempts' | 'next_at'>
) {
  // The row stays, so that no mail is sent twice.
  const forgotten = outcome.state === 'waiting' ? {} : FORGOTTEN
  await trx
    .updateTable('outbox')
    .set({ ...outcome, ...forgotten })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

export async function deleteOldMails(trx: Trx, idPrefix: string, cutoff: string): Promise<void> {
  await trx
    .deleteFrom('outbox')
    // Not with `like`, for which SQLite uses no index.
    .where('id', '>=', idPrefix)
    .where('id', '<', `${idPrefix}\u{10ffff}`)
    .where(mail => mail.or([mail('state', '=', 'sent'), mail('created_at', '<', cutoff)]))
    .execute()
}

export async function giveUpWaitingMails(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'given_up', ...FORGOTTEN })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
