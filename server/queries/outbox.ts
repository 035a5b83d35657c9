import { prepared } from '../db/prepared.ts'
import type { Db, OutboxRow, Trx } from '../db/tables.ts'
import type { Mail } from '../gateways/mail.ts'

export interface WaitingMail {
  mail: Mail
  attempts: number
  createdAt: number
}

/**
 * Writes a mail to the outbox in the caller's transaction. A mail id that exists already is left unchanged. `now` and
 * `due` are ISO.
 */
export function enqueueMail(trx: Trx, mail: Mail, now: string, due = now): Promise<void> {
  return enqueueMails(trx, [mail], now, due)
}

export async function enqueueMails(trx: Trx, mails: readonly Mail[], now: string, due = now): Promise<void> {
  for (const mail of mails) {
    // Deleted accounts have no address.
    if (mail.to !== '') await enqueueQuery(trx, { id: mail.id, payload: JSON.stringify(mail), now, due })
  }
}

const enqueueQuery = prepared<{ id: string; payload: string; now: string; due: string }, unknown>((db, value) =>
  db
    .insertInto('outbox')
    .values({
      id: value('id'),
      payload: value('payload'),
      state: 'waiting',
      attempts: 0,
      next_at: value('due'),
      created_at: value('now')
    })
    .onConflict(conflict => conflict.column('id').doNothing())
)

/** False if the mail was sent or given up. */
export async function withdrawMail(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function listDueMails(db: Db, now: string, limit: number): Promise<WaitingMail[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['payload', 'attempts', 'created_at'])
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ payload, attempts, created_at }) => ({
    mail: JSON.parse(payload) as Mail,
    attempts,
    createdAt: Date.parse(created_at)
  }))
}

export async function recordAttempt(
  trx: Trx,
  id: string,
  outcome: Pick<OutboxRow, 'state' | 'attempts' | 'next_at'>
): Promise<void> {
  await trx.updateTable('outbox').set(outcome).where('id', '=', id).where('state', '=', 'waiting').execute()
}

/** Deletes mails whose id has the prefix, if they were sent or were enqueued before `before` (ISO). */
export async function deleteMails(trx: Trx, kind: string, before: string): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where('id', 'like', `${kind}%`)
    .where(mail => mail.or([mail('state', '=', 'sent'), mail('created_at', '<', before)]))
    .execute()
}

/** Returns how many there were. */
export async function giveUpWaitingMails(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'given_up' })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
