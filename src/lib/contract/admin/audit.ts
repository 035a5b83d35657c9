import * as z from 'zod/mini'
import { AUDIT_KINDS, type AuditKind } from '../../constants.ts'
import { Instant, PathId } from '../values.ts'

/** The fields that were changed, by their name on the wire. */
const Fields = z.nullable(z.record(z.string(), z.unknown()))

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  /** Without an id it was the shop itself. */
  actor: z.object({ id: z.nullable(z.string()), name: z.string() }),
  kind: z.enum(AUDIT_KINDS),
  subject: z.string(),
  /** What was done: `created`, `changed`, `hidden` … */
  action: z.string(),
  before: Fields,
  after: Fields
})

export const AuditQuery = z.object({
  /** Several separated by commas: `product,stock`. */
  kind: z.optional(z.string().check(z.refine(kinds => kinds.split(',').every(isKind)))),
  id: z.optional(PathId)
})

function isKind(word: string): boolean {
  return AUDIT_KINDS.includes(word as AuditKind)
}

export interface AdminAuditApi {
  'GET /admin/audit': { query: { kind?: string; id?: string }; reply: AuditEntry[] }
}
