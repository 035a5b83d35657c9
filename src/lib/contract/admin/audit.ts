import * as z from 'zod/mini'
import { AUDIT_KINDS, type AuditKind } from '../../constants.ts'
import { Instant, PathId } from '../values.ts'

/** The changed fields, by their name in the API. */
const Fields = z.nullable(z.record(z.string(), z.unknown()))

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  /** No id if the server made the change. */
  actor: z.object({ id: z.nullable(z.string()), name: z.string() }),
  kind: z.enum(AUDIT_KINDS),
  subject: z.string(),
  /** For example `created`, `changed` or `hidden`. */
  action: z.string(),
  before: Fields,
  after: Fields
})

export const AuditQuery = z.object({
  /** Comma-separated: `product,stock`. */
  kind: z.optional(z.string().check(z.refine(kinds => kinds.split(',').every(isKind)))),
  id: z.optional(PathId)
})

function isKind(word: string): boolean {
  return AUDIT_KINDS.includes(word as AuditKind)
}

export interface AdminAuditApi {
  'GET /admin/audit': { query: { kind?: string; id?: string }; reply: AuditEntry[] }
}
