import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ContactMessage, ContactReceipt } from '#lib/contract/content.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { makeReference, sendContact } from '../actions/send-contact.ts'
import { toErrorReply } from '../plugins/errors.ts'
import { contactFailurePage, PAGE_CSP, type Origin } from './contact-failure-page.ts'

export const contactRoutes: FastifyPluginAsyncZod = async app => {
  // Registered for this route only: cross-site forms can't post to the others.
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const site = publicApiBase.startsWith('/') ? '' : siteUrl
  const origin = { name: app.shop.name, form: `${site}${paths.contact}` }

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
      errorHandler: (error, request, reply) => refuse(error, request, reply, origin)
    },
    async (request, reply) => {
      const reference = request.body.website ? makeReference() : await sendContact(app, request.body)
      if (isForm(request)) return reply.redirect(`${site}${paths.contactSent}`, 303)
      return { message: MESSAGES.contactSentText, reference }
    }
  )
}

/** True for browsers without JavaScript. */
function isForm(request: FastifyRequest): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, origin: Origin): void {
  const body = toErrorReply(error, request, reply)
  if (!isForm(request)) return void reply.send(body)
  const page = contactFailurePage(body, origin)
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_CSP).send(page)
}
