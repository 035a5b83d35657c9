import type { FastifyReply } from 'fastify'
import { MESSAGES } from '#lib/messages.ts'
import { pagePolicy, formatPolicy } from './release/csp.ts'
import { parseElements } from './release/html.ts'

const RETRY_SECONDS = 3

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;padding:1rem;' +
  'font-family:Georgia,serif;background:#fdf6ea;color:#4a1d0f}p{font-family:system-ui,sans-serif}'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<meta name="robots" content="noindex">
<title>${MESSAGES.opening}</title>
<style>${STYLE}</style>
</head>
<body><main><h1>${MESSAGES.opening}</h1><p>${MESSAGES.openingText}</p></main></body>
</html>
`
const POLICY = formatPolicy(pagePolicy('/', parseElements(PAGE), { api: '/api', checkout: '/' }))

export function sendNotReadyPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff'
    })
    .send(PAGE)
}
