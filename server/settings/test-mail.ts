import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { isLive } from '../live-shop/live-shop.ts'
import { LAST_SMTP_MAIL, raiseCounterTo } from '../platform/db/counters.ts'
import { createSmtpMail, type Mail } from '../platform/mail/mail.ts'
import { toMailServer } from './secrets.ts'
import { mailFromShop, readContact, readSender, type ShopContact } from './contact.ts'
import { readSection } from './settings.ts'

/** Before a new account is saved, so that a wrong one never sends the mail of customers. */
export async function testNewServer(
  app: FastifyInstance,
  to: string,
  mail: Settings['mail']
): Promise<void> {
  const db = app.database.kysely
  const before = await readSection(db, 'mail')
  const isKnown = isDeepStrictEqual({ ...before, signature: '' }, { ...mail, signature: '' })
  if (mail.server === '' || app.config.smtpUrl !== undefined || isKnown) return
  if (!(await isLive(app))) return
  const readTyped = () => readSender(db, app.config, mail)
  await sendTestMail(app, to, createSmtpMail(toMailServer(app, mail), readTyped))
}

/** Without the outbox, so that the owner sees the answer. Returns where the mail is. */
export async function sendTestMail(
  app: FastifyInstance,
  to: string,
  mail = app.mail
): Promise<string> {
  const { database, write, clock } = app
  if (to === PLACEHOLDER_EMAIL)
    throw new ShopError('MAIL_NOT_SENT', {
      message: t('First enter your own email address, under “Your login” on the dashboard.')
    })
  if (!(await isLive(app)))
    throw new ShopError('SHOP_NOT_LIVE', { message: ADMIN_MESSAGES.notLive })
  try {
    const server = await mail.send(testMail(await readContact(database.kysely), to))
    if (server === undefined)
      return t('No email leaves yet. Emails are kept as files in the folder “outbox”.')
    await write(trx => raiseCounterTo(trx, LAST_SMTP_MAIL, clock()))
    return t(
      '{server} has accepted the email to {to}. If it does not arrive, look in the spam folder.',
      { server, to }
    )
  } catch (cause) {
    throw new ShopError('MAIL_NOT_SENT', { message: describeRefusal(cause as MailFailure), cause })
  }
}

export function testMail(shop: ShopContact, to: string): Mail {
  return mailFromShop(shop, {
    id: `test-${randomUUID()}`,
    to,
    subject: t('Test email from your shop'),
    blocks: [t('This email arrived, so your customers get theirs too.')]
  })
}

type MailFailure = Error & { code?: string; response?: string }

function describeRefusal({ code, response, message }: MailFailure) {
  if (code === 'EAUTH')
    return t('The mail server refused the user name or password. Please enter both again.')
  if (code === 'ETLS')
    return t('The mail server offers no safe connection at this port. Try port 465 or 587.')
  if (response !== undefined) return t('The mail server answered: {response}', { response })
  return t('The mail server could not be reached. Please check its name and port. ({message})', {
    message
  })
}
