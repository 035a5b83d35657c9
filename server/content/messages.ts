import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { MyData } from '#lib/contract/accounts.ts'
import {
  AdminMessage,
  AnswerDraft,
  MessageList,
  MessageMark,
  MessageQuery
} from '#lib/contract/content.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { groupBy } from '#lib/group-by.ts'
import { DAY, formatDate, type EpochMs, isoNow, toIso } from '#lib/time.ts'
import { type Actor, record } from '../accounts/audit.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { containsAll, readInBatches, readPage } from '../platform/db/search.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'
import { type DataDeps, hasWritten } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { inLanguage } from '../platform/language.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { enqueueMails } from '../platform/mail/outbox.ts'
import { mailFromShop, readContact, type ShopContact } from '../settings/contact.ts'

const SHOP_MAIL_PREFIX = 'contact-'
const RECEIPT_MAIL_PREFIX = 'contact-receipt-'
const ANSWER_MAIL_PREFIX = 'contact-answer-'

export function contactMailIds(id: string): { shop: string; receipt: string } {
  return { shop: `${SHOP_MAIL_PREFIX}${id}`, receipt: `${RECEIPT_MAIL_PREFIX}${id}` }
}

const answerMailIdColumn = sql<string>`${sql.lit(ANSWER_MAIL_PREFIX)} || message_id || '-' || key`
const lowerEmail = sql<string>`lower(email)`
const MESSAGE_COLUMNS = [
  'id',
  'reference',
  'name',
  'email',
  'phone',
  'message',
  'language',
  'created_at as createdAt',
  'read_at as readAt',
  'answered_at as answeredAt'
] as const
const MESSAGE_RETENTION = 365 * DAY

/** `email` must be in lower case. */
export async function listMessagesFrom(db: Db, email: string): Promise<MyData['messages']> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(MESSAGE_COLUMNS)
    .where(lowerEmail, '=', email)
    .orderBy('created_at')
    .execute()
  const messages = await withAnswers(db, rows)
  return messages.map(({ answers, reference, name, phone, message, createdAt }) => ({
    ...{ reference, name, phone, message, createdAt },
    answers: answers.map(({ text, createdAt: at }) => ({ text, createdAt: at }))
  }))
}

/** `email` must be in lower case. */
export function deleteMessagesFrom(trx: Trx, email: string): Promise<void> {
  return deleteMessages(trx, row => row(lowerEmail, '=', email))
}

/** The addresses must be in lower case. */
export async function moveMessages(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable('contact_messages')
    .set({ email: to })
    .where(lowerEmail, '=', from)
    .execute()
}

export function deleteOldMessages(trx: Trx, now: EpochMs): Promise<void> {
  return deleteMessages(trx, row => row('created_at', '<', toIso(now - MESSAGE_RETENTION)))
}

/** Also the answers and mails, because they contain the messages. */
async function deleteMessages(
  trx: Trx,
  condition: (row: ExpressionBuilder<Tables, 'contact_messages'>) => Expression<SqlBool>
) {
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

async function readMessage(db: Db, id: string): Promise<AdminMessage> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(MESSAGE_COLUMNS)
    .where('id', '=', id)
    .execute()
  const [message] = await withAnswers(db, rows)
  if (!message) throw new ShopError('MESSAGE_NOT_FOUND')
  return message
}

/** Keeps the time of an earlier mark. `now` is ISO. */
async function markMessage(trx: Trx, id: string, { read, answered }: MessageMark, now: string) {
  const mark = (column: 'read_at' | 'answered_at', isMarked: boolean | undefined) => {
    if (isMarked === undefined) return undefined
    return isMarked ? sql<string>`coalesce(${sql.ref(column)}, ${now})` : null
  }
  const update = trx
    .updateTable('contact_messages')
    // An UPDATE must set at least one column, and Kysely leaves out undefined ones.
    .set({
      id,
      read_at: mark('read_at', answered || read),
      answered_at: mark('answered_at', answered)
    })
    .where('id', '=', id)
  if (!(await hasWritten(update))) throw new ShopError('MESSAGE_NOT_FOUND')
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

async function answerMessage(
  { database, write, clock }: DataDeps,
  actor: NonNullable<Actor>,
  id: string,
  { text, key }: AnswerDraft
): Promise<AdminMessage> {
  await write(async trx => {
    const at = isoNow(clock)
    await markMessage(trx, id, { answered: true }, at)
    const by = { answered_by: actor._id, answered_by_name: actor.name, created_at: at }
    const insert = trx.insertInto('message_answers').values({ message_id: id, key, text, ...by })
    if (!(await hasWritten(insert.onConflict(conflict => conflict.doNothing())))) return
    const shop = await readContact(trx)
    const message = await readMessage(trx, id)
    const mail = inLanguage(message.language, () => answerMail(shop, message, { text, key }))
    await enqueueMails(trx, [mail], at)
    await record(trx, { actor, at, kind: 'message', id, action: 'answered' })
  })
  return readMessage(database.kysely, id)
}

export function answerMail(
  shop: ShopContact,
  { id, reference, name, email, message, createdAt }: Omit<AdminMessage, 'answers'>,
  { text, key }: AnswerDraft
): Mail {
  return mailFromShop(shop, {
    id: `${ANSWER_MAIL_PREFIX}${id}-${key}`,
    to: email,
    subject: t('Re: Your message {reference} to {shop}', { reference, shop: shop.name }),
    blocks: [
      t('Vanakkam {name},', { name: toOneLine(name) }),
      text,
      t('On {day} you wrote ({reference}):\n{message}', {
        day: formatDate(createdAt),
        reference,
        message: quote(message)
      })
    ]
  })
}

export function quote(text: string): string {
  return text.replace(/^/gm, '> ')
}

export const messageRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/messages',
    route('List contact messages (paginated)', MessageList, { querystring: MessageQuery }),
    async ({ query: { show = 'all', q, page } }) => {
      const db = app.database.kysely
      const searchText = sql<string>`lower(reference || ' ' || name || ' ' || email || ' ' || phone
        || ' ' || message || ' ' || replace(replace(phone || ' ' || message, ' ', ''), '-', ''))`
      const found = db
        .selectFrom('contact_messages')
        .select(MESSAGE_COLUMNS)
        .$if(show === 'unread', query => query.where('read_at', 'is', null))
        .$if(show === 'unanswered', query => query.where('answered_at', 'is', null))
        .where(containsAll(db, searchText, q))
        .orderBy('created_at', 'desc')
        .orderBy('id')
      const { rows, ...counts } = await readPage('contact_messages', found, { q, page })
      return { messages: await withAnswers(db, rows), ...counts }
    }
  )

  app.patch(
    '/messages/:id',
    route('Mark a message as read or answered', AdminMessage, {
      params: IdPath,
      body: MessageMark
    }),
    async request => {
      const [actor, at] = [sessionOf(request).user, isoNow(app.clock)]
      const { id } = request.params
      await app.write(async trx => {
        await markMessage(trx, id, request.body, at)
        // The audit has only answers. Reading a message is not recorded.
        const entry = { actor, at, kind: 'message', id, action: 'marked' } as const
        if (request.body.answered !== undefined)
          await record(trx, { ...entry, after: request.body })
      })
      return readMessage(app.database.kysely, id)
    }
  )

  app.get(
    '/messages/:id',
    route('Get a contact message', AdminMessage, { params: IdPath }),
    request => readMessage(app.database.kysely, request.params.id)
  )

  app.post(
    '/messages/:id/answers',
    route('Answer a message by email (idempotent by key)', AdminMessage, {
      params: IdPath,
      body: AnswerDraft
    }),
    request => answerMessage(app, sessionOf(request).user, request.params.id, request.body)
  )
}
