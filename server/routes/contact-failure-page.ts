import { createHash } from 'node:crypto'
import type { ErrorBody } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'

const STYLE =
  'body{margin:0 auto;max-width:34rem;padding:3rem 1.5rem;font:1.125rem/1.6 Georgia,serif;color:#2b1a10;background:#fdf8f0}' +
  'h1{font-size:1.75rem;line-height:1.2}'

/** Allows the style of this page and nothing else. */
export const PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What a visitor whose browser runs no script reads when the contact form could not be sent. */
export function contactFailurePage({ message, fields = {} }: ErrorBody): string {
  const reasons = Object.keys(fields).length > 0 ? Object.values(fields) : [message]
  return `<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${MESSAGES.contactNotSent}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${MESSAGES.contactNotSent}</h1>
<ul>
${reasons.map(reason => `<li>${escaped(reason)}</li>`).join('\n')}
</ul>
<p>${MESSAGES.contactGoBack}</p>
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
