import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { isoNow, type Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import type { MailGateway } from '../gateways/mail.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'
import { listDueMails, noteAttempt, type WaitingMail } from '../queries/outbox.ts'
import { startLoop, type Loop } from './loop.ts'

export interface OutboxDeps {
  database: Database
  write: Write
  clock: Clock
  mail: MailGateway
  log: FastifyBaseLogger
}

const LEASE = 'outbox'
/** Longer than a batch can take; taken anew before each. */
const LEASE_TIME = 3 * MINUTE
const BATCH = 5
const FIRST_PAUSE = 30 * SECOND
const LONGEST_PAUSE = 4 * HOUR
const PATIENCE = 3 * DAY

/** Delivers promised mails in the background, so that a slow mail server delays no request. */
export function startOutbox(deps: OutboxDeps): Loop {
  const holder = randomUUID()
  return startLoop({
    every: 2 * SECOND,
    grace: 2 * SECOND,
    run: signal => deliverMails(deps, holder, signal),
    failed: error => deps.log.warn({ err: error }, 'The outbox could not be read, it is tried again')
  })
}

/** Sends every mail whose time has come, each at least once; of several processes one sends. */
export async function deliverMails(deps: OutboxDeps, holder: string, signal?: AbortSignal): Promise<void> {
  const { database, write, clock } = deps
  const due = (): Promise<WaitingMail[]> => listDueMails(database.kysely, isoNow(clock), BATCH)
  // A shop without mails writes nothing.
  if ((await due()).length === 0) return
  while (await write(trx => takeLease(trx, LEASE, holder, clock(), LEASE_TIME))) {
    const mails = await due()
    if (mails.length === 0 || signal?.aborted) break
    // All of them, so that none is still under way when it is tried again.
    const outcomes = await Promise.allSettled(mails.map(mail => attempt(deps, mail)))
    const failure = outcomes.find(outcome => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
  await write(trx => releaseLease(trx, LEASE, holder))
}

async function attempt({ mail: gateway, write, clock, log }: OutboxDeps, waiting: WaitingMail): Promise<void> {
  const { id } = waiting.mail
  const attempts = waiting.attempts + 1
  const note = (state: 'waiting' | 'sent' | 'given_up', next_at = isoNow(clock)): Promise<void> =>
    write(trx => noteAttempt(trx, id, { state, attempts, next_at }))
  try {
    await gateway.send(waiting.mail)
  } catch (error) {
    const next = clock() + pauseAfter(attempts)
    const final = next > waiting.createdAt + PATIENCE
    if (final) log.error({ mail: id, attempts, ...reason(error) }, 'A mail could not be delivered, it is given up')
    else log.warn({ mail: id, attempts, ...reason(error) }, 'A mail could not be delivered, it is tried again')
    return note(final ? 'given_up' : 'waiting', new Date(next).toISOString())
  }
  await note('sent')
  log.info({ mail: id, place: gateway.place }, 'Mail sent')
}

/** Twice as long after each attempt, in ms. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE)
}

// Not the server's words: they tend to hold addresses.
function reason(error: unknown): Record<string, unknown> {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return { code: code ?? (error instanceof Error ? error.name : undefined), responseCode, command }
}
