import * as z from 'zod/mini'
import { Instant, PathId } from './values.ts'

export const PUBLISH_STATES = ['waiting', 'rendering', 'live', 'failed'] as const

export type Publish = z.infer<typeof Publish>
/** A publish that was asked for, or a return to an older release. */
export const Publish = z.object({
  id: z.string(),
  state: z.enum(PUBLISH_STATES),
  /** A change that visitors can see, the signed hook, an administrator, the command, or a return. */
  cause: z.enum(['change', 'hook', 'owner', 'command', 'return']),
  requestedAt: Instant,
  startedAt: z.optional(Instant),
  /** When visitors got it, or when it failed. */
  endedAt: z.optional(Instant),
  /** The release that visitors get since. */
  release: z.optional(z.string()),
  /** How many pages were rendered; none when nothing had changed. */
  pages: z.optional(z.int()),
  /** Why it failed. */
  problem: z.optional(z.string())
})

export type PublishRequested = z.infer<typeof PublishRequested>
export const PublishRequested = z.object({ id: z.string() })

export type Publishing = z.infer<typeof Publishing>
/** What the bar of the administration shows. */
export const Publishing = z.object({
  /** Waits for changes made right after it. */
  waiting: z.optional(Publish),
  rendering: z.optional(Publish),
  /** Of the pages that have to be rendered, while that is known. */
  progress: z.optional(z.object({ rendered: z.int(), of: z.int() })),
  /** What visitors get, and since when. */
  live: z.optional(z.object({ release: z.string(), since: Instant })),
  /** The latest publish, if it failed. */
  failed: z.optional(Publish),
  /** Whether an older release was put back on purpose: it stays until the next change. */
  held: z.boolean(),
  /** Those that can be returned to, the newest first. */
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
