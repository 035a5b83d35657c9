import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { Config } from '../config.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'

/** A mail in plain text, and in HTML where that helps. */
export interface Mail {
  /** Names the cause, the same at each attempt, so that a mail that arrives twice can be told from two. */
  id: string
  to: string
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  html?: string
}

/** The post office. `send` throws when the mail was not taken; it may be taken all the same. */
export interface MailGateway {
  send(mail: Mail): Promise<void>
  /** Where mails go, for the log; without passwords. */
  readonly place?: string
}

/** A mail server when there is one, else a folder of `.eml` files in DATA_DIR. */
export function createMail(config: Config, shop: Pick<ShopDetails, 'name' | 'email'>): MailGateway {
  const from = config.mailFrom ?? `"${shop.name.replace(/["\\]/g, '')}" <${shop.email}>`
  return config.smtpUrl ? smtpMail(config.smtpUrl, from) : fileMail(join(config.dataDir, 'outbox'), from)
}

/** Sends through a mail server; each attempt ends within a minute, however the server behaves. */
export function smtpMail(url: string, from: string): MailGateway {
  const transport = createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 20 * SECOND,
    dnsTimeout: 10 * SECOND
  })
  const { hostname, port } = new URL(url)
  return {
    place: port ? `${hostname}:${port}` : hostname,
    async send(mail) {
      await transport.sendMail({ ...asMessage(mail, from), signal: AbortSignal.timeout(MINUTE) })
    }
  }
}

/** Writes each mail to a file of its own; the same mail again replaces its file. */
export function fileMail(folder: string, from: string): MailGateway {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    place: folder,
    async send(mail) {
      const { message } = await transport.sendMail(asMessage(mail, from))
      const file = join(folder, `${mail.id.replace(/[^\w-]/g, '_')}.eml`)
      await writeFile(`${file}.writing`, message as Buffer).catch(async () => {
        // The first mail finds no folder.
        await mkdir(folder, { recursive: true })
        await writeFile(`${file}.writing`, message as Buffer)
      })
      await rename(`${file}.writing`, file)
    }
  }
}

function asMessage(mail: Mail, from: string): SendMailOptions {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: { name: '', address: oneLine(mail.to) },
    ...(mail.replyTo && { replyTo: { name: oneLine(mail.replyTo.name), address: oneLine(mail.replyTo.address) } }),
    subject: oneLine(mail.subject),
    text: mail.text,
    ...(mail.html && { html: mail.html }),
    messageId: `<${createHash('sha256').update(mail.id).digest('hex').slice(0, 32)}@${domain}>`,
    // Answering machines leave mails of programs alone.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

// A line break in a header would begin another header.
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
