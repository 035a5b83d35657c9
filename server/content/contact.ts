import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { toOneLine } from '#lib/contract/formats.ts'
import type { User } from '#lib/contract/accounts.ts'
import {
  AdminMessage,
  AnswerDraft,
  type ContactMessage,
  MessageList,
  MessageMark,
  MessageQuery
} from '#lib/contract/content.ts'
import { ShopError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { DAY, formatDate, isoNow, toIso } from '#lib/time.ts'
import { IdPath } from '#lib/contract/values.ts'
import { type Actor, record } from '../accounts/audit.ts'
import type { Trx } from '../platform/db/tables.ts'
import { countAttempts, limitsPerNetwork } from '../platform/http/limits.ts'
import { type Block, type Mail, mailBody } from '../platform/mail/mail.ts'
import { enqueueMails } from '../platform/mail/outbox.ts'
import { readContact, type ShopContact } from '../settings/settings.ts'
import {
  answerMailId,
  contactMailIds,
  insertAnswer,
  insertMessage,
  markMessage,
  readMessage,
  readMessages
} from './message-queries.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { route } from '../platform/http/validate.ts'

interface Sender {
  ip: string
  user: User | undefined
}

type ContactDeps = Pick<FastifyInstance, 'config' | 'write' | 'clock'>
type SavedMessage = Pick<AdminMessage, 'id' | 'reference'>

const MAX_RECEIPTS_PER_DAY = { address: 3, network: 20 } as const

/** If the same message is sent again within ten minutes, it is not saved again. */
export async function sendContact(
  { config, write, clock }: ContactDeps,
  message: ContactMessage,
  sender: Sender
): Promise<string> {
  const { reference } = await write(async trx => {
    const now = clock()
    const saved = await insertMessage(trx, message, now)
    if (!saved.isNew) return saved
    const shop = await readContact(trx)
    const mails = [mailToShop(message, saved, { shop, siteUrl: config.siteUrl })]
    if (isOwnAddress(message, sender)) mails.push(copyMail(message, saved, shop))
    else if (await maySendReceipt(trx, message, sender, now))
      mails.push(receiptMail(message, saved, shop))
    await enqueueMails(trx, mails, toIso(now))
    return saved
  })
  return reference
}

function isOwnAddress({ email }: ContactMessage, { user }: Sender): boolean {
  return user?.verified === true && user.email === email.toLowerCase()
}

/** The limits count only receipts. Beyond them, messages still arrive, but without a receipt. */
function maySendReceipt(
  trx: Trx,
  { email }: ContactMessage,
  { ip }: Sender,
  now: number
): Promise<boolean> {
  const { address, network } = MAX_RECEIPTS_PER_DAY
  const limits = [
    { key: `receipts to ${email.toLowerCase()}`, max: address, window: DAY },
    ...limitsPerNetwork(ip, { key: 'receipts', max: network, window: DAY })
  ]
  return countAttempts(trx, limits, now)
}

function mailToShop(
  { name, email, phone, message }: ContactMessage,
  { id, reference }: SavedMessage,
  { shop, siteUrl }: { shop: ShopContact; siteUrl: string }
): Mail {
  return {
    id: contactMailIds(id).shop,
    to: shop.email,
    replyTo: { name, address: email },
    subject: `Message ${reference} from ${name}`,
    text: [
      `${toOneLine(name)} <${email}> wrote to ${shop.name}:`,
      message,
      ...(phone === '' ? [] : [`Phone: ${phone}`]),
      `Reference: ${reference}`,
      `Answer: ${siteUrl}${paths.adminMessages}?q=${reference}`
    ].join('\n\n')
  }
}

/** Only for the verified address of the session, because it repeats the typed text. */
function copyMail(
  { name, email, message }: ContactMessage,
  { id, reference }: SavedMessage,
  shop: ShopContact
): Mail {
  return mailToVisitor({ id, reference, email, shop }, [
    `Vanakkam ${toOneLine(name)},`,
    'Thank you for your message. We will answer as soon as possible. ' +
      `Your reference number is ${reference}.`,
    `You wrote:\n${quote(message)}`
  ])
}

/** Anyone can type somebody else's address. Therefore the mail contains nothing that was typed. */
function receiptMail(
  { email }: ContactMessage,
  { id, reference }: SavedMessage,
  shop: ShopContact
): Mail {
  return mailToVisitor({ id, reference, email, shop }, [
    'Vanakkam,',
    'We received a message with this email address. We will answer as soon as possible. ' +
      `The reference number is ${reference}.`,
    'If you did not write to us, you need not do anything.'
  ])
}

interface Visitor extends SavedMessage {
  email: string
  shop: ShopContact
}

function mailToVisitor({ id, reference, email, shop }: Visitor, blocks: readonly Block[]): Mail {
  const subject = `We received your message ${reference}`
  return {
    id: contactMailIds(id).receipt,
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(subject, [...blocks, shop.signature])
  }
}

export async function answerMessage(
  { database, write, clock }: ContactDeps & Pick<FastifyInstance, 'database'>,
  actor: NonNullable<Actor>,
  id: string,
  { text, key }: AnswerDraft
): Promise<AdminMessage> {
  await write(async trx => {
    const at = isoNow(clock)
    if (!(await markMessage(trx, id, { answered: true }, at)))
      throw new ShopError('MESSAGE_NOT_FOUND')
    const isNew = await insertAnswer(trx, {
      message_id: id,
      key,
      text,
      answered_by: actor._id,
      answered_by_name: actor.name,
      created_at: at
    })
    if (!isNew) return
    const mail = answerMail(await readMessage(trx, id), { text, key }, await readContact(trx))
    await enqueueMails(trx, [mail], at)
    await record(trx, { actor, at, kind: 'message', id, action: 'answered' })
  })
  return readMessage(database.kysely, id)
}

function answerMail(
  { id, reference, name, email, message, createdAt }: AdminMessage,
  { text, key }: AnswerDraft,
  shop: ShopContact
): Mail {
  const subject = `Re: Your message ${reference} to ${shop.name}`
  const blocks = [
    `Vanakkam ${toOneLine(name)},`,
    text,
    shop.signature,
    `On ${formatDate(createdAt)} you wrote (${reference}):\n${quote(message)}`
  ]
  return {
    id: answerMailId(id, key),
    to: email,
    replyTo: { name: shop.name, address: shop.email },
    subject,
    ...mailBody(subject, blocks)
  }
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ')
}

export const messageRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/messages',
    route('List contact messages (paginated)', MessageList, { querystring: MessageQuery }),
    ({ query }) => readMessages(app.database.kysely, query)
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
        if (!(await markMessage(trx, id, request.body, at)))
          throw new ShopError('MESSAGE_NOT_FOUND')
        // The audit log records that a message was answered, but not that it was read.
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
