import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ContactMessage, ContactReceipt } from '#lib/contract/content.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { makeReference, sendContact } from './send-contact.ts'
import { toErrorReply } from '../platform/http/errors.ts'
import { renderContactFailurePage, PAGE_CSP, type ContactPage } from './contact-failure-page.ts'

export const contactRoutes: FastifyPluginAsyncZod = async app => {
  // Registered only for the routes below, so that forms on other websites can't post to the rest of the API (CSRF).
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const site = publicApiBase.startsWith('/') ? '' : siteUrl
  const contactPage = { shopName: app.shop.name, formUrl: `${site}${paths.contact}` }

  app.post(
    '/contact',
    {
      schema: {
        tags: ['content'],
        summary: 'Send a contact message',
        body: ContactMessage,
        response: { 200: ContactReceipt }
      },
      config: { rateLimit: { max: 5, timeWindow: 10 * MINUTE } },
      errorHandler: (error, request, reply) => sendError(error, request, reply, contactPage)
    },
    async (request, reply) => {
      // Only bots fill in the hidden field `website`. They get a reference, but no message is sent.
      const reference = request.body.website ? makeReference() : await sendContact(app, request.body)
      if (isFormPost(request)) return reply.redirect(`${site}${paths.contactSent}`, 303)
      return { message: MESSAGES.contactSentText, reference }
    }
  )
}

// Browsers without JavaScript send the contact form in this encoding.
function isFormPost(request: FastifyRequest): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, contactPage: ContactPage): void {
  const body = toErrorReply(error, request, reply)
  if (!isFormPost(request)) return void reply.send(body)
  const page = renderContactFailurePage(body, contactPage)
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_CSP).send(page)
}
