import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { createHash } from 'node:crypto'
import type { MyData } from '#lib/contract/accounts.ts'
import type { AdminMessage, ContactMessage, MessageList, MessageMark, MessageQuery } from '#lib/contract/content.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { containsWord, readPage, wordsOf } from '../platform/db/search.ts'
import type { ContactMessageRow, Db, Tables, Trx } from '../platform/db/tables.ts'

interface StoredMessage {
  id: string
  reference: string
  isNew: boolean
}

/** Of the mails to the shop, followed by the message's id. */
export const CONTACT_MAIL_PREFIX = 'contact-'
const DUPLICATE_MESSAGE_WINDOW = 10 * MINUTE
const MESSAGE_RETENTION = 365 * DAY

/** Saves a message. If the same message was saved within the last ten minutes, returns the earlier message instead. */
export async function insertMessage(
  trx: Trx,
  message: ContactMessage,
  { now, makeReference }: { now: number; makeReference: () => string }
): Promise<StoredMessage> {
  const row = {
    id: toMessageId(message, now),
    reference: makeReference(),
    name: message.name,
    email: message.email,
    message: message.message,
    created_at: new Date(now).toISOString()
  }
  const previousWindow = {
    id: toMessageId(message, now - DUPLICATE_MESSAGE_WINDOW),
    since: new Date(now - DUPLICATE_MESSAGE_WINDOW).toISOString()
  }
  if (await insertUnlessDuplicate(trx, row, previousWindow))
    return { id: row.id, reference: row.reference, isNew: true }
  const existing = await trx
    .selectFrom('contact_messages')
    .select(['id', 'reference'])
    .where('id', 'in', [row.id, previousWindow.id])
    .where('created_at', '>', previousWindow.since)
    .executeTakeFirst()
  // If no earlier message exists, the insert failed because the random reference is already used. Try again with
  // another one.
  return existing ? { ...existing, isNew: false } : insertMessage(trx, message, { now, makeReference })
}

/** `email` must be in lower case. */
export function listMessagesFrom(db: Db, email: string): Promise<MyData['messages']> {
  return db
    .selectFrom('contact_messages')
    .select(['reference', 'name', 'message', 'created_at as createdAt'])
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email)
    .orderBy('created_at')
    .execute()
}

/** `email` must be in lower case. */
export function deleteMessagesFrom(trx: Trx, email: string): Promise<void> {
  return deleteMessages(trx, row => row(row.fn<string>('lower', ['email']), '=', email))
}

/** `now` in ms. */
export function deleteOldMessages(trx: Trx, now: number): Promise<void> {
  return deleteMessages(trx, row => row('created_at', '<', new Date(now - MESSAGE_RETENTION).toISOString()))
}

/** Also deletes the mails to the shop from the outbox, because they contain the messages. */
async function deleteMessages(
  trx: Trx,
  condition: (row: ExpressionBuilder<Tables, 'contact_messages'>) => Expression<SqlBool>
): Promise<void> {
  const toMailId = sql<string>`${sql.lit(CONTACT_MAIL_PREFIX)} || id`.as('mail_id')
  await trx
    .deleteFrom('outbox')
    .where('id', 'in', ({ selectFrom }) => selectFrom('contact_messages').select(toMailId).where(condition))
    .execute()
  await trx.deleteFrom('contact_messages').where(condition).execute()
}

async function insertUnlessDuplicate(
  trx: Trx,
  row: Omit<ContactMessageRow, 'read_at' | 'answered_at'>,
  previousWindow: { id: string; since: string }
): Promise<boolean> {
  const columns = ['id', 'reference', 'name', 'email', 'message', 'created_at'] as const
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contact_messages')
    .columns(columns)
    .expression(eb => {
      const duplicate = eb
        .selectFrom('contact_messages as earlier')
        .select('earlier.id')
        .where('earlier.id', '=', previousWindow.id)
        .where('earlier.created_at', '>', previousWindow.since)
      return eb
        .selectFrom(sql`(select 1)`.as('one_row'))
        .select(columns.map(column => eb.val(row[column]).as(column)))
        .where(({ not, exists }) => not(exists(duplicate)))
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

// The id is a hash of the message and the time window, so that two identical requests insert only one row.
function toMessageId({ name, email, message }: ContactMessage, time: number): string {
  const hashInput = JSON.stringify([name, email.toLowerCase(), message, Math.floor(time / DUPLICATE_MESSAGE_WINDOW)])
  return createHash('sha256').update(hashInput).digest('hex').slice(0, 32)
}

export async function readMessages(db: Db, { show = 'all', q, page }: MessageQuery): Promise<MessageList> {
  const searchText = sql<string>`reference || ' ' || name || ' ' || email || ' ' || message`
  const found = db
    .selectFrom('contact_messages')
    .selectAll()
    .$if(show === 'unread', query => query.where('read_at', 'is', null))
    .$if(show === 'unanswered', query => query.where('answered_at', 'is', null))
    .where(row => row.and(wordsOf(q).map(word => containsWord(searchText, word))))
    .orderBy('created_at', 'desc')
    .orderBy('id')
  const { rows, ...counts } = await readPage(found, page)
  return { messages: rows.map(toMessage), ...counts }
}

/** If a message is marked again, the time of the first mark is kept. `now` is ISO. */
export async function markMessage(
  trx: Trx,
  id: string,
  { read, answered }: MessageMark,
  now: string
): Promise<AdminMessage | undefined> {
  const firstTime = (column: 'read_at' | 'answered_at') => sql<string>`coalesce(${sql.ref(column)}, ${now})`
  const row = await trx
    .updateTable('contact_messages')
    .set({
      ...(read === false && answered !== true && { read_at: null }),
      ...((read === true || answered === true) && { read_at: firstTime('read_at') }),
      ...(answered === false && { answered_at: null }),
      ...(answered === true && { answered_at: firstTime('answered_at') }),
      // Sets the id to its own value, because an UPDATE must set at least one column.
      id
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toMessage(row)
}

function toMessage(row: ContactMessageRow): AdminMessage {
  const { id, reference, name, email, message, created_at, read_at, answered_at } = row
  return {
    id,
    reference,
    name,
    email,
    message,
    createdAt: created_at,
    readAt: read_at,
    answeredAt: answered_at
  }
}
