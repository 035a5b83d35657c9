import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { BlogPost } from '#lib/contract/content.ts'

export const contentRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/blog',
    { schema: { tags: ['content'], summary: 'List blog posts, newest first', response: { 200: z.array(BlogPost) } } },
    (request, reply) => app.publicReplies.send({ request, reply }, 'blog', data => data.posts())
  )
}
