import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import type { ContactMessage } from '#lib/contract/content.ts'
import { DUPLICATE_MESSAGE_WINDOW } from '#lib/time.ts'
import type { ContactMessageRow, Db, Trx } from '../db/tables.ts'

export interface StoredMessage {
  id: string
  reference: string
  /** False if the same message was sent within the last ten minutes. */
  isNew: boolean
}

/** The same name, address and text within ten minutes counts as one message and keeps its reference. */
export async function insertMessage(
  trx: Trx,
  message: ContactMessage,
  { now, makeReference }: { now: number; makeReference: () => string }
): Promise<StoredMessage> {
  const row = {
    id: idOf(message, now),
    reference: makeReference(),
    name: message.name,
    email: message.email,
    message: message.message,
    created_at: new Date(now).toISOString()
  }
  const before = {
    id: idOf(message, now - DUPLICATE_MESSAGE_WINDOW),
    since: new Date(now - DUPLICATE_MESSAGE_WINDOW).toISOString()
  }
  if (await insertUnlessSaid(trx, row, before)) return { id: row.id, reference: row.reference, isNew: true }
  const existing = await trx
    .selectFrom('contact_messages')
    .select(['id', 'reference'])
    .where('id', 'in', [row.id, before.id])
    .where('created_at', '>', before.since)
    .executeTakeFirst()
  // A new message whose random reference is taken.
  return existing ? { ...existing, isNew: false } : insertMessage(trx, message, { now, makeReference })
}

/** `email` in lower case; oldest first. */
export function listMessagesFrom(db: Db, email: string): Promise<ContactMessageRow[]> {
  return db
    .selectFrom('contact_messages')
    .selectAll()
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email)
    .orderBy('created_at')
    .execute()
}

async function insertUnlessSaid(
  trx: Trx,
  row: Omit<ContactMessageRow, 'read_at' | 'answered_at'>,
  before: { id: string; since: string }
): Promise<boolean> {
  const columns = ['id', 'reference', 'name', 'email', 'message', 'created_at'] as const
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contact_messages')
    .columns(columns)
    .expression(eb => {
      const said = eb
        .selectFrom('contact_messages as earlier')
        .select('earlier.id')
        .where('earlier.id', '=', before.id)
        .where('earlier.created_at', '>', before.since)
      return eb
        .selectFrom(sql`(select 1)`.as('once'))
        .select(columns.map(column => eb.val(row[column]).as(column)))
        .where(({ not, exists }) => not(exists(said)))
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

// Derived from text and time window, so that two identical requests insert one row.
function idOf({ name, email, message }: ContactMessage, at: number): string {
  const hashInput = JSON.stringify([name, email.toLowerCase(), message, Math.floor(at / DUPLICATE_MESSAGE_WINDOW)])
  return createHash('sha256').update(hashInput).digest('hex').slice(0, 32)
}
