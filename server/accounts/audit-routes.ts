import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type { AuditKind } from '#lib/constants.ts'
import { AuditEntry, AuditQuery } from '#lib/contract/admin/audit.ts'
import { listChanges } from './audit.ts'

export const auditRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/audit',
    {
      schema: {
        tags: ['admin'],
        summary: 'List the audit log, newest first',
        querystring: AuditQuery,
        response: { 200: z.array(AuditEntry) }
      }
    },
    ({ query: { kind, id } }) =>
      listChanges(app.database.kysely, { kinds: kind?.split(',') as AuditKind[] | undefined, id })
  )
}
