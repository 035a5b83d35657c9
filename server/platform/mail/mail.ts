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
  const banner = `<p style="${STYLES.notice}">${escapeHtml(notice)}</p>`
  const html = mail.html?.replace(/<body[^>]*>/, start => `${start}\n${banner}`)
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

type Row = readonly [left: string, right: string, style?: 'total']

/** HTML shows a link as a button, unless it is quiet. A code is part of its text. */
export type Block =
  | string
  | { label: string; url: string; isQuiet?: boolean }
  | { text: string; code: string }
  | readonly Row[]

/** Stands above and below the text. */
interface Letterhead {
  readonly name: string
  readonly signature?: string
  readonly email?: string
  readonly phone?: string
}

export type Letter = Omit<Mail, 'text' | 'html' | 'language'> & { blocks: readonly Block[] }

export function composeMail(
  from: Letterhead,
  { blocks, ...mail }: Letter
): Mail & { html: string } {
  return {
    ...mail,
    language: language(),
    text: [...blocks.map(toText), from.signature ?? from.name].join('\n\n'),
    html: renderMail(from, mail.subject, blocks.map(toHtml).join('\n'))
  }
}

export function toText(block: Block): string {
  if (typeof block === 'string') return block
  if ('code' in block) return block.text
  if ('url' in block) return `${block.label}: ${block.url}`
  return block.map(([left, right]) => `${left}: ${right}`).join('\n')
}

function toHtml(block: Block) {
  if (typeof block === 'string') return paragraph(linkUrls(toLines(block)))
  if ('code' in block) {
    const code = `<b style="${STYLES.code}">${block.code}</b>`
    return paragraph(toLines(block.text).replace(block.code, code))
  }
  if ('url' in block) {
    const style = block.isQuiet ? `class="link" style="${STYLES.link}"` : `style="${STYLES.button}"`
    return paragraph(`<a href="${escapeHtml(block.url)}" ${style}>${escapeHtml(block.label)}</a>`)
  }
  return `<table style="${STYLES.rows}">${block.map(toRow).join('')}</table>`
}

function toRow([left, right, style]: Row) {
  const cell = style === 'total' ? `${STYLES.cell};${STYLES.total}` : STYLES.cell
  // A long tracking number does not fit on one line.
  const price = right.length < 16 ? `${STYLES.right};${STYLES.price}` : STYLES.right
  return (
    `<tr><td style="${cell}">${escapeHtml(left)}</td>` +
    `<td style="${cell};${price}">${escapeHtml(right)}</td></tr>`
  )
}

const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`
const toLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

function linkUrls(html: string) {
  return html.replace(
    /https?:\/\/[^\s<]+[^\s<.,;:]/g,
    url => `<a href="${url}" class="link" style="${STYLES.link}">${url}</a>`
  )
}

/** Colours as in tailwind.config.mjs. Each one has its ground beside it. */
const STYLES = {
  sheet:
    'width:100%;max-width:600px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word;' +
    'font:16px/1.5 system-ui,sans-serif',
  page: 'background:#fff9f0;color:#2a1810',
  head:
    'padding:16px;border-bottom:4px solid #f2b233;border-radius:16px 16px 0 0;' +
    'background:#3d130d;color:#fff9f0;font:600 24px/1.3 Georgia,serif',
  card: 'padding:24px 16px 8px;border-radius:0 0 16px 16px;background:#ffffff;color:#2a1810',
  foot: 'padding:16px;font-size:14px;color:#5e4a3f',
  notice:
    'margin:0 0 8px;padding:8px;background:#f2b233;color:#2a1810;' +
    'font:16px sans-serif;text-align:center',
  link: 'color:#9b2c1f',
  button:
    'display:inline-block;padding:12px 24px;border-radius:24px;background:#9b2c1f;' +
    'color:#ffffff;font-weight:600;text-decoration:none',
  code: 'font-size:32px;letter-spacing:4px',
  rows: 'width:100%;margin:0 0 16px;border-collapse:collapse',
  cell: 'padding:6px 0;vertical-align:top',
  right: 'padding-left:12px;text-align:right',
  price: 'width:1%;white-space:nowrap',
  total: 'border-top:2px solid #b8862f;font-weight:700'
}

/** Some mail programs drop it. They show the light colours or change them on their own. */
const DARK_STYLE =
  '@media (prefers-color-scheme: dark){' +
  '.page{background:#170b08!important;color:#f7ebdd!important}' +
  '.card{background:#2a1810!important;color:#f7ebdd!important}' +
  '.foot{color:#d3bfae!important}.link{color:#f2b233!important}}'

function renderMail(
  { name, signature = name, email, phone }: Letterhead,
  title: string,
  body: string
) {
  return `<!doctype html>
<html lang="${locale()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK_STYLE}</style>
</head>
<body class="page" style="margin:0;padding:16px 8px;${STYLES.page}">
<table role="presentation" align="center" width="600" cellspacing="0" style="${STYLES.sheet}">
<tr><td style="${STYLES.head}">${escapeHtml(name)}</td></tr>
<tr><td class="card" style="${STYLES.card}">
${body}
</td></tr>
<tr><td class="foot" style="${STYLES.foot}">
${toLines([signature, email, phone].filter(Boolean).join('\n'))}
</td></tr>
</table>
</body>
</html>
`
}

function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
