import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { isoNow, type Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import type { Write } from '../db/write.ts'
import type { MailGateway } from '../gateways/mail.ts'
import { releaseLease, takeLease } from '../queries/leases.ts'
import { listDueMails, recordAttempt, type WaitingMail } from '../queries/outbox.ts'
import { startLoop, type Loop } from './loop.ts'

export interface OutboxDeps {
  database: Database
  write: Write
  clock: Clock
  mail: MailGateway
  log: FastifyBaseLogger
}

const LEASE = 'outbox'
const LEASE_TIME = 3 * MINUTE
const BATCH = 5
const FIRST_BACKOFF = 30 * SECOND
const MAX_BACKOFF = 4 * HOUR
const GIVE_UP_AFTER = 3 * DAY

export function startOutbox(deps: OutboxDeps): Loop {
  const holder = randomUUID()
  return startLoop({
    every: 2 * SECOND,
    grace: 2 * SECOND,
    run: signal => deliverMails(deps, holder, signal),
    onError: error => deps.log.warn({ err: error }, 'Reading the outbox failed, will retry')
  })
}

export async function deliverMails(deps: OutboxDeps, holder: string, signal?: AbortSignal): Promise<void> {
  const { database, write, clock } = deps
  const due = (): Promise<WaitingMail[]> => listDueMails(database.kysely, isoNow(clock), BATCH)
  if ((await due()).length === 0) return
  while (await write(trx => takeLease(trx, LEASE, holder, clock(), LEASE_TIME))) {
    const mails = await due()
    if (mails.length === 0 || signal?.aborted) break
    const outcomes = await Promise.allSettled(mails.map(mail => attempt(deps, mail)))
    const failure = outcomes.find(outcome => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }
  await write(trx => releaseLease(trx, LEASE, holder))
}

async function attempt({ mail: gateway, write, clock, log }: OutboxDeps, waiting: WaitingMail): Promise<void> {
  const { id } = waiting.mail
  const attempts = waiting.attempts + 1
  const record = (state: 'waiting' | 'sent' | 'given_up', next_at = isoNow(clock)): Promise<void> =>
    write(trx => recordAttempt(trx, id, { state, attempts, next_at }))
  try {
    await gateway.send(waiting.mail)
  } catch (error) {
    const next = clock() + backoffAfter(attempts)
    const final = next > waiting.createdAt + GIVE_UP_AFTER
    if (final) log.error({ mail: id, attempts, ...reason(error) }, 'Mail not delivered, giving up')
    else log.warn({ mail: id, attempts, ...reason(error) }, 'Mail not delivered, will retry')
    return record(final ? 'given_up' : 'waiting', new Date(next).toISOString())
  }
  await record('sent')
  log.info({ mail: id, place: gateway.place }, 'Mail sent')
}

export function backoffAfter(attempts: number): number {
  return Math.min(FIRST_BACKOFF * 2 ** (attempts - 1), MAX_BACKOFF)
}

// Without the server's message, which often contains the address.
function reason(error: unknown): Record<string, unknown> {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return { code: code ?? (error instanceof Error ? error.name : undefined), responseCode, command }
}
