import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { Done } from '#lib/contract/accounts.ts'
import { IdPath, RemovalQuery } from '#lib/contract/values.ts'
import { creationRoute, route } from '../platform/http/validate.ts'
import type { Editor } from './records.ts'
import { isRecentlyVerified, sessionOf } from './sessions.ts'

type Schema<Value> = z.core.$ZodType<Value>

interface RecordCalls<Item, Draft, Change> {
  /** For example 'post' for the path '/posts'. */
  noun: string
  bodyLimit?: number
  item: Schema<Item>
  draft: Schema<Draft>
  change: Schema<Change>
  find: (id: string) => Promise<Item>
  create: (editor: Editor, draft: Draft) => Promise<{ item: Item; isNew: boolean }>
  edit: (editor: Editor, id: string, change: Change) => Promise<Item>
}

export function toEditor(request: FastifyRequest): Editor {
  return {
    actor: sessionOf(request).user,
    isVerified: isRecentlyVerified(request, request.server.clock())
  }
}

/** Adds the routes to get, create and change a record. */
export function recordRoutes<Item, Draft, Change>(
  app: FastifyInstance,
  calls: RecordCalls<Item, Draft, Change>
): void {
  const { noun, item, draft, change, find, create, edit } = calls
  const limit = calls.bodyLimit === undefined ? {} : { bodyLimit: calls.bodyLimit }
  const path = `/${noun}s/:id`
  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

  app.get(path, route(`Get a ${noun}`, item, { params: IdPath }), request => find(idOf(request)))

  app.post(
    `/${noun}s`,
    { ...limit, ...creationRoute(`Create a ${noun} (idempotent by key)`, draft, item) },
    async (request, reply) => {
      const created = await create(toEditor(request), request.body as Draft)
      return reply.code(created.isNew ? 201 : 200).send(created.item)
    }
  )

  app.patch(
    path,
    {
      ...limit,
      ...route(`Change the given fields of a ${noun}`, item, { params: IdPath, body: change })
    },
    request => edit(toEditor(request), idOf(request), request.body as Change)
  )
}

/** Adds the route that deletes a record. `remove` returns the message of the reply. */
export function removalRoute(
  app: FastifyInstance,
  noun: string,
  remove: (editor: Editor, id: string, version: number) => Promise<string>
): void {
  app.delete(
    `/${noun}s/:id`,
    route(`Delete a ${noun}`, Done, { params: IdPath, querystring: RemovalQuery }),
    async request => {
      const { id } = request.params as { id: string }
      const { version } = request.query as { version: string }
      return { message: await remove(toEditor(request), id, Number(version)) }
    }
  )
}
