import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { LIST_LIMITS } from '#lib/admin/limits.ts'
import { AdminMessage, MessageList, MessageMark, MessageQuery } from '#lib/contract/admin/messages.ts'
import { PathId } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { sessionOf } from '../accounts/session.ts'
import { countMessages, listMessages, markMessage } from './admin-message-queries.ts'
import { record } from '../accounts/audit.ts'

const tags = ['admin']

export const messageRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/messages',
    {
      schema: {
        tags,
        summary: 'List contact messages (paginated)',
        querystring: MessageQuery,
        response: { 200: MessageList }
      }
    },
    async ({ query }) => {
      const db = app.database.kysely
      const [messages, count] = await Promise.all([listMessages(db, query), countMessages(db, query)])
      return { messages, count, pages: Math.max(1, Math.ceil(count / LIST_LIMITS.pageSize)) }
    }
  )

  app.patch(
    '/messages/:id',
    {
      schema: {
        tags,
        summary: 'Mark a message as read or answered',
        params: z.object({ id: PathId }),
        body: MessageMark,
        response: { 200: AdminMessage }
      }
    },
    async request => {
      const [actor, now] = [sessionOf(request).user, isoNow(app.clock)]
      const { id } = request.params
      const message = await app.write(async trx => {
        const marked = await markMessage(trx, id, request.body, now)
        // The audit log records that a message was answered, but not that it was read.
        if (marked && request.body.answered !== undefined) {
          await record(trx, { actor, at: now, kind: 'message', id, action: 'marked', after: request.body })
        }
        return marked
      })
      if (!message) throw new ShopError('MESSAGE_NOT_FOUND')
      return message
    }
  )
}
