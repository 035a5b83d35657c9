import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { LOGO } from '#lib/constants.ts'
import {
  BlogPost,
  ContactMessage,
  ContactReceipt,
  ShopStatus,
  SiteContent
} from '#lib/contract/content.ts'
import type { ErrorBody } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { MINUTE } from '#lib/time.ts'
import { isLive } from '../live-shop/live-shop.ts'
import { toErrorReply } from '../platform/http/errors.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { escapeHtml } from '../platform/mail/mail.ts'
import { readSection } from '../settings/settings.ts'
import { sendContact } from './contact.ts'
import { makeReference } from './message-queries.ts'

const texts = {
  contactNotSent: 'Your message was not sent',
  contactGoBack: 'Go back in your browser. Your message is still there.',
  contactStartAgain: 'Open an empty contact form'
}

const MAX_MESSAGES = 20

export const contactRoutes: FastifyPluginAsyncZod = async app => {
  // Only for these routes: forms on other websites can't post to the rest of the API (CSRF).
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const site = publicApiBase.startsWith('/') ? '' : siteUrl
  const formUrl = `${site}${paths.contact}`

  app.post(
    '/contact',
    {
      preHandler: limitRequests({ action: 'messages', max: MAX_MESSAGES, window: 10 * MINUTE }),
      errorHandler: (error, request, reply) => void sendError(app, error, request, reply, formUrl),
      ...route('Send a contact message', ContactReceipt, { body: ContactMessage })
    },
    async (request, reply) => {
      // Only bots fill in the hidden field `website`. They get a reference, but no message is sent.
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
function isFormPost(request: FastifyRequest): boolean {
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
): Promise<void> {
  const body = toErrorReply(error, request, reply)
  if (!isFormPost(request)) return void reply.send(body)
  const { name: shopName } = await readSection(database.kysely, 'shop').catch(
    () => EMPTY_SETTINGS.shop
  )
  const page = renderContactFailurePage(body, shopName, formUrl)
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_CSP).send(page)
}

// Colours and sizes are copied from tailwind.config.mjs.
const STYLE =
  'body{margin:0;font:1.125rem/1.6 system-ui,sans-serif;color:#2A1810;background:#FFF9F0}' +
  'header{display:flex;align-items:center;gap:.5rem;height:4rem;padding:0 1rem;' +
  'border-bottom:1px solid #B8862F4D}' +
  'header,h1{font-family:Georgia,serif;font-weight:600}header{color:#9B2C1F;font-size:1.375rem}' +
  'svg{width:2.5rem;height:2.5rem;fill:none;stroke:currentColor;stroke-width:4;' +
  'stroke-linecap:round}' +
  'svg .dots{stroke:#F2B233;stroke-width:7}' +
  'main{max-width:34rem;margin:0 auto;padding:2rem 1rem}' +
  'h1{margin:0;font-size:1.75rem;line-height:1.2}' +
  'ul{padding:1rem 1rem 1rem 2.25rem;border:2px solid #9B2C1F;border-radius:1rem;background:#FFF}' +
  'a{display:inline-block;padding:.5rem 1.25rem;border-radius:2rem;color:#FFF;background:#9B2C1F;' +
  'font-weight:600;text-decoration:none}a:hover{background:#7E2016}' +
  'a:focus-visible{outline:3px solid #9B2C1F;outline-offset:2px}'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const PAGE_CSP =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function renderContactFailurePage(
  { message, fields = {} }: ErrorBody,
  shopName: string,
  formUrl: string
): string {
  const reasons = Object.keys(fields).length > 0 ? Object.values(fields) : [message]
  return `<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.contactNotSent} | ${escapeHtml(shopName)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<svg viewBox="-35 -35 70 70" aria-hidden="true">
<path d="${LOGO.line}"/><path class="dots" d="${LOGO.dots}"/>
</svg>
${escapeHtml(shopName)}
</header>
<main>
<h1>${texts.contactNotSent}</h1>
<ul>
${reasons.map(reason => `<li>${escapeHtml(reason)}</li>`).join('\n')}
</ul>
<p>${texts.contactGoBack}</p>
<p><a href="${escapeHtml(formUrl)}">${texts.contactStartAgain}</a></p>
</main>
</body>
</html>
`
}

export const contentRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/blog', route('List blog posts, newest first', z.array(BlogPost)), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'blog', data => data.posts())
  )

  app.get(
    '/site-content',
    route('Read the content of all pages at one moment', SiteContent),
    (request, reply) =>
      app.publicReplies.send({ request, reply }, 'site-content', async data => ({
        ...(await data.siteContent()),
        checkoutUrl: app.payments.settings.checkoutUrl
      }))
  )

  app.get(
    '/status',
    route('Read whether the shop is in test mode, sends mails, or is not live', ShopStatus),
    async request => {
      const session = await app.authenticate(request)
      const isAdmin = session?.user.role === 'admin'
      const sendsMail = app.config.smtpUrl !== undefined
      return {
        testMode: app.config.testMode,
        sendsMail,
        mailNotSetUp: (isAdmin || app.config.testMode) && !sendsMail,
        notLive: isAdmin && !(await isLive(app))
      }
    }
  )
}
