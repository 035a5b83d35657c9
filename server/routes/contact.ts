import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ContactMessage, ContactReceipt } from '#lib/contract/content.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE } from '#lib/time.ts'
import { makeReference, sendContact } from '../actions/send-contact.ts'
import { explain } from '../plugins/errors.ts'
import { contactFailurePage, PAGE_POLICY, type Origin } from './contact-failure-page.ts'

export const contactRoutes: FastifyPluginAsyncZod = async app => {
  // Only here, so that no other call can be made by a form of another site.
  await app.register(formbody)
  const { siteUrl, publicApiBase } = app.config
  const site = publicApiBase.startsWith('/') ? '' : siteUrl
  const origin = { name: app.shop.name, form: `${site}${paths.contact}` }

  app.post(
    '/contact',
    {
      schema: {
        tags: ['content'],
        summary: 'Writes to the shop',
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

/** Sent by a browser that runs no script. */
function isForm(request: FastifyRequest): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, origin: Origin): void {
  const body = explain(error, request, reply)
  if (!isForm(request)) return void reply.send(body)
  const page = contactFailurePage(body, origin)
  reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY).send(page)
}
