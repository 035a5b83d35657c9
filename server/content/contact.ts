import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import type { User } from '#lib/contract/accounts.ts'
import { ContactMessage, ContactReceipt } from '#lib/contract/content.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { language, t } from '#lib/contract/texts.ts'
import type { ErrorBody } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { DAY, type EpochMs, MINUTE, toIso } from '#lib/time.ts'
import { toSiteBase } from '../config.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import { hasWritten } from '../platform/db/write.ts'
import { toErrorReply } from '../platform/http/errors.ts'
import { countAttempts, limitRequests, limitsPerNetwork } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { composeMail, type Mail } from '../platform/mail/mail.ts'
import { enqueueMails } from '../platform/mail/outbox.ts'
import { randomText } from '../platform/process/secret.ts'
import {
  mailFromShop,
  mailToShop,
  readContact,
  readShopName,
  type ShopContact
} from '../settings/contact.ts'
import { contactMailIds, quote } from './messages.ts'

const MAX_MESSAGES = 20
const DUPLICATE_WINDOW = 10 * MINUTE
const MAX_RECEIPTS_PER_DAY = { address: 3, network: 20 } as const

export const contactRoutes: FastifyPluginAsyncZod = async app => {
  // Only for these routes: forms on other websites can't post to the rest of the API (CSRF).
  await app.register(formbody)
  const site = toSiteBase(app.config)

  app.post(
    '/contact',
    {
      preHandler: limitRequests({ action: 'messages', max: MAX_MESSAGES, window: 10 * MINUTE }),
      errorHandler: (error, request, reply) =>
        void sendError(app, error, request, reply, `${site}${paths.contact}`),
      ...route('Send a contact message', ContactReceipt, { body: ContactMessage })
    },
    async (request, reply) => {
      // Only bots fill in the hidden field `website`. Nothing is sent for them.
      const session = request.body.website ? undefined : await app.authenticate(request)
      const reference = request.body.website
        ? makeReference()
        : await sendContact(app, request.body, { ip: request.ip, user: session?.user })
      if (isFormPost(request)) return reply.redirect(`${site}${paths.contactSent}`, 303)
      return { message: MESSAGES.contactSentText, reference }
    }
  )
}

// Browsers without JavaScript send the contact form in this encoding.
function isFormPost(request: FastifyRequest) {
  return (
    request.headers['content-type']
      ?.toLowerCase()
      .startsWith('application/x-www-form-urlencoded') ?? false
  )
}

async function sendError(
  { database }: Pick<FastifyInstance, 'database'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  formUrl: string
) {
  const body = toErrorReply(error, request, reply)
  if (!isFormPost(request)) return void reply.send(body)
  const shopName = await readShopName(database.kysely).catch(() => EMPTY_SETTINGS.shop.name)
  const page = renderFailurePage(body, shopName, formUrl)
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_CSP).send(page)
}

/** If the same message is sent again within ten minutes, it is not saved again. */
async function sendContact(
  { config, write, clock }: Pick<FastifyInstance, 'config' | 'write' | 'clock'>,
  message: ContactMessage,
  { ip, user }: { ip: string; user: User | undefined }
) {
  const { email } = message
  const { address, network } = MAX_RECEIPTS_PER_DAY
  // Beyond these limits, messages still arrive, but without a receipt.
  const limits = [
    { key: `receipts to ${email}`, max: address, window: DAY },
    ...limitsPerNetwork(ip, { key: 'receipts', max: network, window: DAY })
  ]
  return write(async trx => {
    const now = clock()
    const saved = await insertMessage(trx, message, now)
    if (!saved.isNew) return saved.reference
    const shop = await readContact(trx)
    const isOwn = user?.verified === true && user.email === email
    const mails = [messageMail(message, saved, shop, config.siteUrl)]
    if (isOwn || (await countAttempts(trx, limits, now)))
      mails.push(receiptMail(message, saved, shop, isOwn))
    await enqueueMails(trx, mails, toIso(now))
    return saved.reference
  })
}

interface StoredMessage {
  id: string
  reference: string
  isNew: boolean
}

async function insertMessage(
  trx: Trx,
  message: ContactMessage,
  now: EpochMs
): Promise<StoredMessage> {
  // Two identical requests wait for each other.
  await raiseCounter(trx, 'contact messages')
  const { name, email, phone, message: text } = message
  const earlier = await trx
    .selectFrom('contact_messages')
    .select(['id', 'reference'])
    .where('created_at', '>', toIso(now - DUPLICATE_WINDOW))
    .where('name', '=', name)
    .where('email', '=', email)
    .where('phone', '=', phone)
    .where('message', '=', text)
    .executeTakeFirst()
  if (earlier) return { ...earlier, isNew: false }
  const [id, reference] = [randomUUID(), makeReference()]
  const sender = { name, email, phone, language: language() }
  const insert = trx
    .insertInto('contact_messages')
    .values({ ...sender, id, reference, message: text, created_at: toIso(now) })
  const isNew = await hasWritten(insert.onConflict(conflict => conflict.doNothing()))
  // The random reference was already used.
  return isNew ? { id, reference, isNew } : insertMessage(trx, message, now)
}

function makeReference() {
  return `PG-${randomText(6)}`
}

export function messageMail(
  { name, email, phone, message }: ContactMessage,
  { id, reference }: Omit<StoredMessage, 'isNew'>,
  shop: ShopContact,
  siteUrl: string
): Mail {
  return mailToShop(shop, () => ({
    id: contactMailIds(id).shop,
    replyTo: { name, address: email },
    subject: t('Message {reference} from {name}', { reference, name }),
    blocks: [
      t('{name} wrote to {shop}:', { name: `${toOneLine(name)} <${email}>`, shop: shop.name }),
      message,
      ...(phone === '' ? [] : [t('Phone: {phone}', { phone })]),
      t('Reference: {reference}', { reference }),
      { label: t('Answer'), url: `${siteUrl}${paths.adminMessages}?q=${reference}` }
    ]
  }))
}

/** Repeats the message only to the sender's own address, because anyone can type another one. */
export function receiptMail(
  { name, email, message }: ContactMessage,
  { id, reference }: Omit<StoredMessage, 'isNew'>,
  shop: ShopContact,
  isOwn: boolean
): Mail {
  const blocks = isOwn
    ? [
        t('Vanakkam {name},', { name: toOneLine(name) }),
        t(
          'Thank you for your message. We will answer as soon as possible. ' +
            'Your reference number is {reference}.',
          { reference }
        ),
        t('You wrote:\n{message}', { message: quote(message) })
      ]
    : [
        t('Vanakkam,'),
        t(
          'We received a message with this email address. We will answer as soon as possible. ' +
            'The reference number is {reference}.',
          { reference }
        ),
        t('If you did not write to us, you need not do anything.')
      ]
  return mailFromShop(shop, {
    id: contactMailIds(id).receipt,
    to: email,
    subject: t('We received your message {reference}', { reference }),
    blocks
  })
}

const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Looks like a mail. */
function renderFailurePage({ message, fields = {} }: ErrorBody, shopName: string, formUrl: string) {
  const subject = t('Your message was not sent')
  const reasons = Object.values(fields)
  const blocks = [
    `${subject}.`,
    ...(reasons.length > 0 ? reasons : [message]),
    t('Go back in your browser. Your message is still there.'),
    { label: t('Open an empty contact form'), url: formUrl }
  ]
  return composeMail({ name: shopName }, { id: '', to: '', subject, blocks }).html
}
