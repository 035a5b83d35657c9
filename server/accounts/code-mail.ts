import { CODE_LIFETIME, MINUTE } from '#lib/time.ts'
import { escapeHtml } from '../platform/http/escape-html.ts'
import type { Mail } from '../platform/mail/mail.ts'

export const CODE_MAIL_PREFIX = 'code-'

interface CodeMail {
  id: string
  to: string
  code: string
  shopName: string
  siteUrl: string
}

/** The subject begins with the code, so that notifications on phones show the code. */
export function codeMail({ id, to, code, shopName, siteUrl }: CodeMail): Mail {
  const title = `${code} is your code for ${shopName}`
  const lines = [
    `Enter it on ${new URL(siteUrl).host}. It expires in ${CODE_LIFETIME / MINUTE} minutes.`,
    'Never share this code. We will never ask you for it.',
    'Didn’t ask for it? Ignore this e-mail.'
  ]
  return {
    id: `${CODE_MAIL_PREFIX}${id}`,
    to,
    subject: title,
    text: [`${title}.`, ...lines, shopName].join('\n\n'),
    html: renderPage(title, code, [...lines, shopName])
  }
}

function renderPage(title: string, code: string, lines: readonly string[]): string {
  const [before = '', after = ''] = title.split(code)
  const paragraphs = lines.map(line => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('\n')
  return `<!doctype html>
<html lang="en-IN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#fdf6ea;color:#2b1a10;font:16px/1.5 system-ui,sans-serif">
<p style="margin:0 0 16px">${escapeHtml(before)}<b style="font-size:32px;letter-spacing:4px">${code}</b>${escapeHtml(after)}</p>
${paragraphs}
</body>
</html>
`
}
