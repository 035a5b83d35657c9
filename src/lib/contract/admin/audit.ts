import * as z from 'zod/mini'
import { AUDIT_KINDS, type AuditKind } from '../../constants.ts'
import { Instant, PathId } from '../values.ts'

const Fields = z.nullable(z.record(z.string(), z.unknown()))

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.object({ id: z.nullable(z.string()), name: z.string() }),
  kind: z.enum(AUDIT_KINDS),
  subject: z.string(),
  /** For example 'created', 'changed' or 'hidden'. */
  action: z.string(),
  before: Fields,
  after: Fields
})

export const AuditQuery = z.object({
  kind: z.optional(z.string().check(z.refine(kinds => kinds.split(',').every(isAuditKind)))),
  id: z.optional(PathId)
})

function isAuditKind(text: string): boolean {
  return AUDIT_KINDS.includes(text as AuditKind)
}

export interface AdminAuditApi {
  'GET /admin/audit': { query: { kind?: string; id?: string }; reply: AuditEntry[] }
}
