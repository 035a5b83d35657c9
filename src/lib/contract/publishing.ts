import * as z from 'zod/mini'
import { Instant, PathId } from './values.ts'

export const PUBLISH_STATES = ['waiting', 'rendering', 'live', 'failed'] as const

export type Publish = z.infer<typeof Publish>
export const Publish = z.object({
  id: z.string(),
  state: z.enum(PUBLISH_STATES),
  cause: z.enum(['change', 'hook', 'owner', 'command', 'return']),
  requestedAt: Instant,
  startedAt: z.optional(Instant),
  endedAt: z.optional(Instant),
  release: z.optional(z.string()),
  pages: z.optional(z.int()),
  problem: z.optional(z.string())
})

export type PublishRequested = z.infer<typeof PublishRequested>
export const PublishRequested = z.object({ id: z.string() })

export type Publishing = z.infer<typeof Publishing>
export const Publishing = z.object({
  waiting: z.optional(Publish),
  rendering: z.optional(Publish),
  progress: z.optional(z.object({ rendered: z.int(), of: z.int() })),
  live: z.optional(z.object({ release: z.string(), since: Instant })),
  failed: z.optional(Publish),
  /** True if an administrator has brought back an older release. It stays live until the next change. */
  held: z.boolean(),
  releases: z.array(z.object({ id: z.string(), createdAt: Instant, pages: z.int(), current: z.boolean() }))
})

export type ReturnTo = z.infer<typeof ReturnTo>
export const ReturnTo = z.object({ release: PathId })

export const PublishPath = z.object({ id: PathId })

export interface PublishingApi {
  'GET /admin/publishing': { reply: Publishing }
  'POST /admin/publishing/retry': { body: Record<string, never>; reply: PublishRequested }
  'POST /admin/publishing/return': { body: ReturnTo; reply: Publishing }
}
