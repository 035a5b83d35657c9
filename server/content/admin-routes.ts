import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { postDeletedText } from '#lib/admin/messages.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import { Done } from '#lib/contract/accounts.ts'
import { RemovalQuery } from '#lib/contract/catalog.ts'
import {
  AdminMessage,
  AdminPost,
  AnswerDraft,
  MessageList,
  MessageMark,
  MessageQuery,
  PostChange,
  PostDraft,
  PostSummary,
  Preview,
  PreviewRequest
} from '#lib/contract/content.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { isPage } from '#lib/paths.ts'
import { record } from '../accounts/audit.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { creationRoute, route } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import { renderText } from '../settings/checks.ts'
import { answerMessage } from './contact.ts'
import { markMessage, readMessage, readMessages } from './message-queries.ts'
import {
  changePost,
  createPost,
  listAllPosts,
  listPageIds,
  removePost,
  requirePost
} from './posts.ts'
/** In bytes: a character takes at most 6 bytes as escaped JSON. */
const bodyLimit = (POST_LIMITS.content + 5000) * 6

export const postRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/posts',
    route('List all posts and drafts, newest first (without content)', z.array(PostSummary)),
    () => listAllPosts(app.database.kysely)
  )

  app.get('/posts/:id', route('Get a post', AdminPost, { params: IdPath }), ({ params }) =>
    requirePost(app.database.kysely, params.id)
  )

  app.post(
    '/posts',
    { bodyLimit, ...creationRoute('Create a post (idempotent by key)', PostDraft, AdminPost) },
    async (request, reply) => {
      const { post, isNew } = await createPost(app, sessionOf(request).user, request.body)
      return reply.code(isNew ? 201 : 200).send(post)
    }
  )

  app.patch(
    '/posts/:id',
    {
      bodyLimit,
      ...route('Change the given fields of a post', AdminPost, { params: IdPath, body: PostChange })
    },
    request => changePost(app, sessionOf(request).user, request.params.id, request.body)
  )

  app.delete(
    '/posts/:id',
    route('Delete a post', Done, { params: IdPath, querystring: RemovalQuery }),
    async request => {
      const { id } = request.params
      const { title } = await removePost(
        app,
        sessionOf(request).user,
        id,
        Number(request.query.version)
      )
      return { message: postDeletedText(title) }
    }
  )

  app.post(
    '/posts/preview',
    { bodyLimit, ...route('Render Markdown as sanitised HTML', Preview, { body: PreviewRequest }) },
    async request => {
      const pages = await listPageIds(app.database.kysely)
      return { html: await renderText(request.body.content, address => isPage(address, pages)) }
    }
  )
}

export const messageRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/messages',
    route('List contact messages (paginated)', MessageList, { querystring: MessageQuery }),
    ({ query }) => readMessages(app.database.kysely, query)
  )

  app.patch(
    '/messages/:id',
    route('Mark a message as read or answered', AdminMessage, {
      params: IdPath,
      body: MessageMark
    }),
    async request => {
      const [actor, now] = [sessionOf(request).user, isoNow(app.clock)]
      const { id } = request.params
      await app.write(async trx => {
        if (!(await markMessage(trx, id, request.body, now)))
          throw new ShopError('MESSAGE_NOT_FOUND')
        // The audit log records that a message was answered, but not that it was read.
        if (request.body.answered !== undefined) {
          await record(trx, {
            actor,
            at: now,
            kind: 'message',
            id,
            action: 'marked',
            after: request.body
          })
        }
      })
      return readMessage(app.database.kysely, id)
    }
  )

  app.get(
    '/messages/:id',
    route('Get a contact message', AdminMessage, { params: IdPath }),
    request => readMessage(app.database.kysely, request.params.id)
  )

  app.post(
    '/messages/:id/answers',
    route('Answer a message by email (idempotent by key)', AdminMessage, {
      params: IdPath,
      body: AnswerDraft
    }),
    request => answerMessage(app, sessionOf(request).user, request.params.id, request.body)
  )
}
