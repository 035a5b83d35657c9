import { CODE_LIFE, MINUTE } from '#lib/time.ts'
import { escaped } from '../escaped.ts'
import type { Mail } from '../gateways/mail.ts'

/** How the ids of these mails begin. */
export const CODE_MAIL = 'code-'

interface CodeMail {
  /** Of the code. */
  id: string
  to: string
  code: string
  shopName: string
  siteUrl: string
}

/** The mail that brings a code: it is in the subject and in the first line, where a phone's notification shows it. */
export function codeMail({ id, to, code, shopName, siteUrl }: CodeMail): Mail {
  const title = `${code} is your code for ${shopName}`
  const lines = [
    `Type it where you were asked for it on ${new URL(siteUrl).host}. It works once, for ${CODE_LIFE / MINUTE} minutes.`,
    'Nobody who works for us will ever ask you for it.',
    'You did not ask for a code? Then somebody mistyped an address: leave this mail alone, nothing has changed.'
  ]
  return {
    id: `${CODE_MAIL}${id}`,
    to,
    subject: title,
    text: [`${title}.`, ...lines, shopName].join('\n\n'),
    html: page(title, code, [...lines, shopName])
  }
}

function page(title: string, code: string, lines: readonly string[]): string {
  const [before = '', after = ''] = title.split(code)
  const paragraphs = lines.map(line => `<p style="margin:0 0 16px">${escaped(line)}</p>`).join('\n')
  return `<!doctype html>
<html lang="en-IN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px;background:#fdf6ea;color:#2b1a10;font:16px/1.5 system-ui,sans-serif">
<p style="margin:0 0 16px">${escaped(before)}<b style="font-size:32px;letter-spacing:4px">${code}</b>${escaped(after)}</p>
${paragraphs}
</body>
</html>
`
}
