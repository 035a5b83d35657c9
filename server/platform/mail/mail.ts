import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { DEFAULT_LANGUAGE, type Language } from '#lib/constants.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { language, locale } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE, SECOND } from '#lib/time.ts'
import { inLanguage } from '../language.ts'
import { isLoopback } from '../process/settings.ts'

export interface Mail {
  /** Equal for all attempts. Its hash is the Message-ID, by which mail servers find duplicates. */
  id: string
  to: string
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  html?: string
  /** Missing in mails that older versions have written. */
  language?: Language
  /** Mail programs call it with POST when the reader presses “Unsubscribe” (RFC 8058). */
  unsubscribeUrl?: string
}

export interface MailGateway {
  /**
   * Returns the name of the mail server, or undefined if the mail became a file. If this throws,
   * the server may nevertheless have accepted the mail.
   */
  send(mail: Mail): Promise<string | undefined>
}

export type MailServer =
  | { url: string }
  /** Undefined if the saved password can't be read. */
  | { host: string; port: number; user: string; password: string | undefined }

export const OUTBOX_FOLDER = 'outbox'
/** With TLS from the first byte. Other ports begin in plain text and switch to it. */
const TLS_PORT = 465

/** Returns for example '"Palagaram" <hello@shop.example>'. */
type ReadSender = () => Promise<string>

interface MailSettings {
  dataDir: string
  readSender: ReadSender
  readServer: () => Promise<MailServer | undefined>
  usesTestMode: () => Promise<boolean>
}

/** Reads the settings for each mail, because another process may have changed them. */
export function createMail(settings: MailSettings): MailGateway {
  const { dataDir, readSender, readServer, usesTestMode } = settings
  return {
    async send(mail) {
      const server = await readServer()
      const gateway = server
        ? createSmtpMail(server, readSender)
        : createFileMail(join(dataDir, OUTBOX_FOLDER), readSender)
      return gateway.send((await usesTestMode()) ? addTestNotice(mail) : mail)
    }
  }
}

export function canSend(server: MailServer | undefined): boolean {
  return server !== undefined && ('url' in server || server.password !== undefined)
}

export function createSmtpMail(server: MailServer, readSender: ReadSender): MailGateway {
  return {
    async send(mail) {
      if (!canSend(server)) {
        const error = new Error('The password of the mail server can’t be read')
        throw Object.assign(error, { code: 'EAUTH' })
      }
      const transport = createTransport({
        ...toConnection(server),
        connectionTimeout: 10 * SECOND,
        greetingTimeout: 10 * SECOND,
        socketTimeout: 20 * SECOND,
        dnsTimeout: 10 * SECOND
      })
      await transport.sendMail({
        ...toMessage(mail, await readSender()),
        signal: AbortSignal.timeout(MINUTE)
      })
      return 'url' in server ? new URL(server.url).host : `${server.host}:${server.port}`
    }
  }
}

function toConnection(server: MailServer): SMTPTransport.Options {
  if ('url' in server) return server
  const { host, port, user, password = '' } = server
  const isTls = port === TLS_PORT
  return {
    host,
    port,
    secure: isTls,
    // Without it, somebody between shop and server could read the password.
    requireTLS: !isTls && user !== '' && !isLoopback(host),
    ...(user !== '' && { auth: { user, pass: password } })
  }
}

export function createFileMail(folder: string, readSender: ReadSender): MailGateway {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, await readSender()))
      const file = join(folder, `${mail.id.replace(/[^\w-]/g, '_')}.eml`)
      await writeFile(`${file}.writing`, message as Buffer).catch(async () => {
        await mkdir(folder, { recursive: true })
        await writeFile(`${file}.writing`, message as Buffer)
      })
      await rename(`${file}.writing`, file)
      return undefined
    }
  }
}

function addTestNotice(mail: Mail): Mail {
  const notice = inLanguage(mail.language ?? DEFAULT_LANGUAGE, () => MESSAGES.testMode)
  const html = mail.html?.replace(/<body[^>]*>/, start => `${start}\n${toHtml(notice)}`)
  return { ...mail, text: `${notice}\n\n${mail.text}`, ...(html !== undefined && { html }) }
}

function toMessage(mail: Mail, from: string): SendMailOptions {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    // Line breaks would allow header injection.
    to: { name: '', address: toOneLine(mail.to) },
    ...(mail.replyTo && {
      replyTo: { name: toOneLine(mail.replyTo.name), address: toOneLine(mail.replyTo.address) }
    }),
    subject: toOneLine(mail.subject),
    text: mail.text,
    ...(mail.html && { html: mail.html }),
    messageId: `<${createHash('sha256').update(mail.id).digest('hex').slice(0, 32)}@${domain}>`,
    headers: {
      // Prevents automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(mail.language && { 'Content-Language': mail.language }),
      ...(mail.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
      })
    },
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

/** A link is what the reader should do: HTML shows a button. */
export type Block =
  | string
  | { label: string; url: string }
  | readonly (readonly [left: string, right: string])[]

/** `ornament` is the address of a small picture above the text. */
export function mailBody(
  title: string,
  blocks: readonly Block[],
  ornament?: string
): Pick<Mail, 'text' | 'html' | 'language'> {
  const head = ornament && `<img src="${escapeHtml(ornament)}" width="72" height="72" alt="">\n`
  return {
    language: language(),
    text: blocks.map(toText).join('\n\n'),
    html: renderPage(title, `${head ?? ''}${blocks.map(toHtml).join('\n')}`)
  }
}

function toText(block: Block): string {
  if (typeof block === 'string') return block
  if ('url' in block) return `${block.label}: ${block.url}`
  return block.map(([left, right]) => `${left}: ${right}`).join('\n')
}

export function toHtml(block: Block): string {
  if (typeof block === 'string')
    return `<p style="margin:0 0 16px">${linkUrls(escapeHtml(block).replaceAll('\n', '<br>'))}</p>`
  if ('url' in block)
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(block.url)}" style="${BUTTON_STYLE}">${escapeHtml(block.label)}</a></p>`
  const cells = block.map(
    ([left, right]) =>
      `<tr><td style="padding:4px 16px 4px 0">${escapeHtml(left)}</td>` +
      `<td style="padding:4px 0;text-align:right;white-space:nowrap">${escapeHtml(right)}</td></tr>`
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${cells.join('')}</table>`
}

function linkUrls(html: string): string {
  return html.replace(
    /https?:\/\/[^\s<]+[^\s<.,;:]/g,
    url => `<a href="${url}" style="color:#9b2c1f">${url}</a>`
  )
}

const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:24px;background:#9b2c1f;color:#fff;' +
  'font-weight:600;text-decoration:none'
const BODY_STYLE =
  'margin:0;padding:24px;background:#fff9f0;color:#2a1810;font:16px/1.5 system-ui,sans-serif'

export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="${locale()}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY_STYLE}">
${body}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
