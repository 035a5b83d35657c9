import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { collectionDeletedText } from '#lib/admin/messages.ts'
import { Done } from '#lib/contract/accounts.ts'
import { RemovalQuery } from '#lib/contract/catalog.ts'
import { AdminCollection, CollectionChange, CollectionDraft, CollectionOrder } from '#lib/contract/collections.ts'
import { IdPath } from '#lib/contract/values.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { route } from '../platform/http/validate.ts'
import { listAllCollections } from './read-collections.ts'
import {
  changeCollection,
  createCollection,
  orderCollections,
  removeCollection,
  requireCollection
} from './collections.ts'

export const collectionRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/collections', route('List all collections, including hidden ones', z.array(AdminCollection)), () =>
    listAllCollections(app.database.kysely)
  )

  app.get('/collections/:id', route('Get a collection', AdminCollection, { params: IdPath }), ({ params }) =>
    requireCollection(app.database.kysely, params.id)
  )

  app.post(
    '/collections',
    {
      schema: {
        summary: 'Create a collection (idempotent by key)',
        body: CollectionDraft,
        response: { 200: AdminCollection, 201: AdminCollection }
      }
    },
    async (request, reply) => {
      const { collection, isNew } = await createCollection(app, sessionOf(request).user, request.body)
      return reply.code(isNew ? 201 : 200).send(collection)
    }
  )

  app.put(
    '/collections/order',
    route('Change the order of the collections', z.array(AdminCollection), { body: CollectionOrder }),
    request => orderCollections(app, sessionOf(request).user, request.body)
  )

  app.patch(
    '/collections/:id',
    route('Change the given fields of a collection', AdminCollection, { params: IdPath, body: CollectionChange }),
    request => changeCollection(app, sessionOf(request).user, request.params.id, request.body)
  )

  app.delete(
    '/collections/:id',
    route('Delete a collection (its products stay)', Done, { params: IdPath, querystring: RemovalQuery }),
    async request => {
      const { id } = request.params
      const { name } = await removeCollection(app, sessionOf(request).user, id, Number(request.query.version))
      return { message: collectionDeletedText(name) }
    }
  )
}
