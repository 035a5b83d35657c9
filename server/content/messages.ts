import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { MyData } from '#lib/contract/accounts.ts'
import type {
  AdminMessage,
  ContactMessage,
  MessageList,
  MessageMark,
  MessageQuery
} from '#lib/contract/content.ts'
import { ShopError } from '#lib/errors.ts'
import { groupBy } from '#lib/group-by.ts'
import { DAY, MINUTE, type EpochMs, toIso } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { containsWord, readInBatches, readPage, wordsOf } from '../platform/db/search.ts'
import type { Db, MessageAnswerRow, Tables, Trx } from '../platform/db/tables.ts'
import { randomText } from '../platform/process/secret.ts'

interface StoredMessage {
  id: string
  reference: string
  isNew: boolean
}

const SHOP_MAIL_PREFIX = 'contact-'
const RECEIPT_MAIL_PREFIX = 'contact-receipt-'
const ANSWER_MAIL_PREFIX = 'contact-answer-'

export function contactMailIds(id: string): { shop: string; receipt: string } {
  return { shop: `${SHOP_MAIL_PREFIX}${id}`, receipt: `${RECEIPT_MAIL_PREFIX}${id}` }
}

export function answerMailId(messageId: string, key: string): string {
  return `${ANSWER_MAIL_PREFIX}${messageId}-${key}`
}

const answerMailIdColumn = sql<string>`${sql.lit(ANSWER_MAIL_PREFIX)} || message_id || '-' || key`
const MESSAGE_COLUMNS = [
  'id',
  'reference',
  'name',
  'email',
  'phone',
  'message',
  'created_at as createdAt',
  'read_at as readAt',
  'answered_at as answeredAt'
] as const
const DUPLICATE_MESSAGE_WINDOW = 10 * MINUTE
const MESSAGE_RETENTION = 365 * DAY

/** Returns the earlier message if the same was saved within the last ten minutes. */
export async function insertMessage(
  trx: Trx,
  message: ContactMessage,
  now: EpochMs
): Promise<StoredMessage> {
  // Two identical requests wait for each other.
  await raiseCounter(trx, 'contact messages')
  const { name, email, phone } = message
  const earlier = await trx
    .selectFrom('contact_messages')
    .select(['id', 'reference'])
    .where('created_at', '>', toIso(now - DUPLICATE_MESSAGE_WINDOW))
    .where('name', '=', name)
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
    .where('phone', '=', phone)
    .where('message', '=', message.message)
    .executeTakeFirst()
  if (earlier) return { ...earlier, isNew: false }
  const [id, reference] = [randomUUID(), makeReference()]
  const row = { id, reference, name, email, phone, message: message.message }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contact_messages')
    .values({ ...row, created_at: toIso(now) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  // The random reference was already used.
  return numInsertedOrUpdatedRows === 1n
    ? { id, reference, isNew: true }
    : insertMessage(trx, message, now)
}

export function makeReference(): string {
  return `PG-${randomText(6)}`
}

/** `email` must be in lower case. */
export async function listMessagesFrom(db: Db, email: string): Promise<MyData['messages']> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(MESSAGE_COLUMNS)
    .where(({ fn }) => fn<string>('lower', ['email']), '=', email)
    .orderBy('created_at')
    .execute()
  const messages = await withAnswers(db, rows)
  return messages.map(({ reference, name, phone, message, createdAt, answers }) => ({
    reference,
    name,
    phone,
    message,
    createdAt,
    answers: answers.map(answer => ({ text: answer.text, createdAt: answer.createdAt }))
  }))
}

/** `email` must be in lower case. */
export function deleteMessagesFrom(trx: Trx, email: string): Promise<void> {
  return deleteMessages(trx, row => row(row.fn<string>('lower', ['email']), '=', email))
}

/** The addresses must be in lower case. */
export async function moveMessages(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable('contact_messages')
    .set({ email: to })
    .where(({ fn }) => fn<string>('lower', ['email']), '=', from)
    .execute()
}

export function deleteOldMessages(trx: Trx, now: EpochMs): Promise<void> {
  return deleteMessages(trx, row => row('created_at', '<', toIso(now - MESSAGE_RETENTION)))
}

/** Also deletes the answers, and the mails from the outbox, because they contain the messages. */
async function deleteMessages(
  trx: Trx,
  condition: (row: ExpressionBuilder<Tables, 'contact_messages'>) => Expression<SqlBool>
): Promise<void> {
  const messages = trx.selectFrom('contact_messages').where(condition)
  for (const prefix of [SHOP_MAIL_PREFIX, RECEIPT_MAIL_PREFIX]) {
    const mailIds = messages.select(sql<string>`${sql.lit(prefix)} || id`.as('mail_id'))
    await trx.deleteFrom('outbox').where('id', 'in', mailIds).execute()
  }
  const answerMailIds = trx
    .selectFrom('message_answers')
    .select(answerMailIdColumn.as('mail_id'))
    .where('message_id', 'in', messages.select('id'))
  await trx.deleteFrom('outbox').where('id', 'in', answerMailIds).execute()
  await trx.deleteFrom('message_answers').where('message_id', 'in', messages.select('id')).execute()
  await trx.deleteFrom('contact_messages').where(condition).execute()
}

export async function readMessages(
  db: Db,
  { show = 'all', q, page }: MessageQuery
): Promise<MessageList> {
  const searchText = sql<string>`reference || ' ' || name || ' ' || email || ' ' || phone || ' '
    || message`
  const found = db
    .selectFrom('contact_messages')
    .select(MESSAGE_COLUMNS)
    .$if(show === 'unread', query => query.where('read_at', 'is', null))
    .$if(show === 'unanswered', query => query.where('answered_at', 'is', null))
    .where(row => row.and(wordsOf(q).map(word => containsWord(db, searchText, word))))
    .orderBy('created_at', 'desc')
    .orderBy('id')
  const { rows, ...counts } = await readPage('contact_messages', found, { q, page })
  return { messages: await withAnswers(db, rows), ...counts }
}

export async function readMessage(db: Db, id: string): Promise<AdminMessage> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(MESSAGE_COLUMNS)
    .where('id', '=', id)
    .execute()
  const [message] = await withAnswers(db, rows)
  if (!message) throw new ShopError('MESSAGE_NOT_FOUND')
  return message
}

/** Keeps the time of an earlier mark. Returns false if there is no such message. `now` is ISO. */
export async function markMessage(
  trx: Trx,
  id: string,
  { read, answered }: MessageMark,
  now: string
): Promise<boolean> {
  const mark = (column: 'read_at' | 'answered_at', isMarked: boolean | undefined) => {
    if (isMarked === undefined) return undefined
    return isMarked ? sql<string>`coalesce(${sql.ref(column)}, ${now})` : null
  }
  const { numUpdatedRows } = await trx
    .updateTable('contact_messages')
    // An UPDATE must set at least one column, and Kysely leaves out undefined ones.
    .set({
      id,
      read_at: mark('read_at', answered || read),
      answered_at: mark('answered_at', answered)
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns false if the answer was already saved. */
export async function insertAnswer(trx: Trx, answer: MessageAnswerRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('message_answers')
    .values(answer)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

const MAIL_STATES = { waiting: 'waiting', sent: 'sent', given_up: 'failed' } as const

async function withAnswers(
  db: Db,
  messages: readonly Omit<AdminMessage, 'answers'>[]
): Promise<AdminMessage[]> {
  const ids = messages.map(({ id }) => id)
  const rows = await readInBatches(ids, batch =>
    db
      .selectFrom('message_answers')
      .leftJoin('outbox', join => join.on('outbox.id', '=', answerMailIdColumn))
      .select(['message_id', 'key', 'text', 'answered_by_name as answeredBy'])
      .select(['message_answers.created_at as createdAt', 'outbox.state'])
      .where('message_id', 'in', batch)
      .orderBy('message_answers.created_at')
      .execute()
  )
  const groups = groupBy(rows, ({ message_id }) => message_id)
  return messages.map(message => {
    const answers = (groups.get(message.id) ?? []).map(({ message_id: _, state, ...answer }) => ({
      ...answer,
      mail: MAIL_STATES[state ?? 'sent']
    }))
    return { ...message, answers }
  })
}
