import { prepared } from '../db/prepared.ts'
import type { Db, OutboxRow, Trx } from '../db/tables.ts'
import type { Mail } from './mail.ts'

export interface WaitingMail {
  mail: Mail
  attempts: number
  createdAt: number
}

/** Does nothing if a mail with this id already exists. `now` and `due` are ISO. */
export function enqueueMail(trx: Trx, mail: Mail, now: string, due = now): Promise<void> {
  return enqueueMails(trx, [mail], now, due)
}

export async function enqueueMails(trx: Trx, mails: readonly Mail[], now: string, due = now): Promise<void> {
  for (const mail of mails) {
    // Orders of deleted accounts have an empty e-mail address.
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

export async function withdrawMail(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** `now` is ISO. */
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

export async function deleteOldMails(trx: Trx, idPrefix: string, cutoff: string): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where('id', 'like', `${idPrefix}%`)
    .where(mail => mail.or([mail('state', '=', 'sent'), mail('created_at', '<', cutoff)]))
    .execute()
}

export async function giveUpWaitingMails(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'given_up' })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
