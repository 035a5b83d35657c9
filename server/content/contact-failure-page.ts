import { createHash } from 'node:crypto'
import type { ErrorBody } from '#lib/errors.ts'
import { LOGO } from '#lib/logo.ts'
import { MESSAGES } from '#lib/messages.ts'
import { escapeHtml } from '../platform/http/escape-html.ts'

// Colours and sizes are copied from tailwind.config.mjs.
const STYLE =
  'body{margin:0;font:1.125rem/1.6 system-ui,sans-serif;color:#2A1810;background:#FFF9F0}' +
  'header{display:flex;align-items:center;gap:.5rem;height:4rem;padding:0 1rem;border-bottom:1px solid #B8862F4D}' +
  'header,h1{font-family:Georgia,serif;font-weight:600}header{color:#9B2C1F;font-size:1.375rem}' +
  'svg{width:2.5rem;height:2.5rem;fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round}' +
  'svg .dots{stroke:#F2B233;stroke-width:7}' +
  'main{max-width:34rem;margin:0 auto;padding:2rem 1rem}h1{margin:0;font-size:1.75rem;line-height:1.2}' +
  'ul{padding:1rem 1rem 1rem 2.25rem;border:2px solid #9B2C1F;border-radius:1rem;background:#FFF}' +
  'a{display:inline-block;padding:.5rem 1.25rem;border-radius:2rem;color:#FFF;background:#9B2C1F;font-weight:600;' +
  'text-decoration:none}a:hover{background:#7E2016}a:focus-visible{outline:3px solid #9B2C1F;outline-offset:2px}'

export const PAGE_CSP =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface ContactPage {
  shopName: string
  formUrl: string
}

export function renderContactFailurePage(
  { message, fields = {} }: ErrorBody,
  { shopName, formUrl }: ContactPage
): string {
  const reasons = Object.keys(fields).length > 0 ? Object.values(fields) : [message]
  return `<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${MESSAGES.contactNotSent} | ${escapeHtml(shopName)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<svg viewBox="-35 -35 70 70" aria-hidden="true"><path d="${LOGO.line}"/><path class="dots" d="${LOGO.dots}"/></svg>
${escapeHtml(shopName)}
</header>
<main>
<h1>${MESSAGES.contactNotSent}</h1>
<ul>
${reasons.map(reason => `<li>${escapeHtml(reason)}</li>`).join('\n')}
</ul>
<p>${MESSAGES.contactGoBack}</p>
<p><a href="${escapeHtml(formUrl)}">${MESSAGES.contactStartAgain}</a></p>
</main>
</body>
</html>
`
}
