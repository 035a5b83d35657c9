import type { FastifyBaseLogger } from 'fastify'
import { MINUTE } from '#lib/time.ts'
import type { PublishDeps } from './actions/publish-site.ts'
import { returnToRelease } from './actions/return-to-release.ts'
import type { Loop } from './jobs/loop.ts'
import { startRepublish, type RepublishDeps } from './jobs/republish.ts'
import type { Actor } from './queries/audit.ts'

/** So many ms of writes are looked at together. */
const TOGETHER = 5
const PATIENCE = MINUTE

/** Publishing as the calls of the shop see it. */
export interface Publishing {
  deps: PublishDeps
  /** Something was written: if visitors can see it, it is published. */
  touch(): void
  /** Of the publish that this process is at. */
  progress(): { rendered: number; of: number } | undefined
  /** Throws ShopError NOT_FOUND. */
  returnTo(actor: Actor, release: string): Promise<void>
}

/** Also starts the job itself, once the calls are answered that it reads from. */
export interface PublishingJob extends Publishing {
  start(options: { log: FastifyBaseLogger; settling?: number } & Pick<RepublishDeps, 'done' | 'progress'>): Loop
}

export function createPublishing(deps: PublishDeps): PublishingJob {
  let loop: Loop | undefined
  let soon: NodeJS.Timeout | undefined
  let progress: { rendered: number; of: number } | undefined

  return {
    deps,
    touch() {
      soon ??= setTimeout(() => {
        soon = undefined
        loop?.wake()
      }, TOGETHER).unref()
    },
    progress: () => progress,
    returnTo: (actor, release) => returnToRelease(deps, actor, release, AbortSignal.timeout(PATIENCE)),
    start({ settling, done, ...options }) {
      loop = startRepublish(
        {
          ...deps,
          ...options,
          rendering: (rendered, of) => void (progress = { rendered, of }),
          done(outcome) {
            progress = undefined
            done?.(outcome)
          }
        },
        settling
      )
      return loop
    }
  }
}
