import { sql, type SelectQueryBuilder } from 'kysely'
import { LIST_LIMITS } from '#lib/admin/limits.ts'
import type { AdminMessage, MessageMark, MessageQuery } from '#lib/contract/admin/messages.ts'
import type { ContactMessageRow, Db, Tables, Trx } from '../platform/db/tables.ts'
import { containsWord, wordsOf } from '../platform/db/like.ts'

export async function listMessages(db: Db, query: MessageQuery): Promise<AdminMessage[]> {
  const rows = await filterMessages(db.selectFrom('contact_messages').selectAll(), query)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(LIST_LIMITS.pageSize)
    .offset((Number(query.page ?? 1) - 1) * LIST_LIMITS.pageSize)
    .execute()
  return rows.map(toMessage)
}

export async function countMessages(db: Db, query: MessageQuery): Promise<number> {
  const counted = db.selectFrom('contact_messages').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await filterMessages(counted, query).executeTakeFirstOrThrow()
  return Number(count)
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

function filterMessages<Row>(
  messages: SelectQueryBuilder<Tables, 'contact_messages', Row>,
  { show = 'all', q }: MessageQuery
): SelectQueryBuilder<Tables, 'contact_messages', Row> {
  const searchText = sql<string>`reference || ' ' || name || ' ' || email || ' ' || message`
  return messages
    .$if(show === 'unread', query => query.where('read_at', 'is', null))
    .$if(show === 'unanswered', query => query.where('answered_at', 'is', null))
    .where(row => row.and(wordsOf(q).map(word => containsWord(searchText, word))))
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
