import { prepared } from '../db/prepared.ts'
import type { Db, OutboxRow, Trx } from '../db/tables.ts'
import type { Mail } from '../gateways/mail.ts'

/** A mail that waits, with how often it was tried. */
export interface WaitingMail {
  mail: Mail
  attempts: number
  createdAt: number
}

/** Promises a mail in the transaction that causes it; one that is promised already stays as it is. It goes when it is due. */
export function promiseMail(trx: Trx, mail: Mail, now: string, due = now): Promise<void> {
  return promiseMails(trx, [mail], now, due)
}

export async function promiseMails(trx: Trx, mails: readonly Mail[], now: string, due = now): Promise<void> {
  for (const mail of mails) {
    // Somebody whose account has ended has no address any more.
    if (mail.to !== '') await promising(trx, { id: mail.id, payload: JSON.stringify(mail), now, due })
  }
}

const promising = prepared<{ id: string; payload: string; now: string; due: string }, unknown>((db, value) =>
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

/** Takes a promise back; false when the mail was sent before, or given up. */
export async function withdrawMail(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** The mails whose time has come, the one that waits longest first. */
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

/** Notes how an attempt ended. */
export async function recordAttempt(
  trx: Trx,
  id: string,
  outcome: Pick<OutboxRow, 'state' | 'attempts' | 'next_at'>
): Promise<void> {
  await trx.updateTable('outbox').set(outcome).where('id', '=', id).where('state', '=', 'waiting').execute()
}

/** Removes mails of a kind, by how their ids begin: those that were sent, and those that were promised before an instant (ISO). */
export async function deleteMails(trx: Trx, kind: string, before: string): Promise<void> {
  await trx
    .deleteFrom('outbox')
    .where('id', 'like', `${kind}%`)
    .where(mail => mail.or([mail('state', '=', 'sent'), mail('created_at', '<', before)]))
    .execute()
}

/** Lets no mail that waits be sent; answers how many those are. */
export async function giveUpWaitingMails(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'given_up' })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
