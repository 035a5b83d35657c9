import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import { withTimeout } from '../process/work-queue.ts'
import { readCounter } from '../db/counters.ts'

export const healthRoutes: FastifyPluginAsyncZod = async app => {
  const response = { 200: z.object({ status: z.literal('ok') }) }

  app.get(
    '/health',
    { schema: { tags: ['service'], summary: 'Check that the database responds', response } },
    async () => {
      try {
        await withTimeout(2 * SECOND, readCounter(app.database.kysely, 'catalog'))
      } catch (cause) {
        throw new ShopError('UNAVAILABLE', { cause })
      }
      return { status: 'ok' as const }
    }
  )
}
