import type { FastifyBaseLogger } from 'fastify'
import { MINUTE } from '#lib/time.ts'
import type { PublishDeps } from './publish-site.ts'
import { rollBackRelease } from './roll-back-release.ts'
import type { Loop } from '../platform/jobs/loop.ts'
import { startRepublish, type RepublishDeps } from './republish.ts'
import type { Actor } from '../accounts/audit.ts'

/** In ms. Several database writes within this time cause a single check for unpublished changes. */
const WAKE_DELAY = 5
const RETURN_TIMEOUT = MINUTE

export interface Publishing {
  deps: PublishDeps
  scheduleCheck(): void
  progress(): { rendered: number; of: number } | undefined
  rollBack(actor: Actor, release: string): Promise<void>
}

export interface PublishingJob extends Publishing {
  /** Call this after the API has started to listen, because rendering reads from the API. */
  start(options: { log: FastifyBaseLogger; debounce?: number } & Pick<RepublishDeps, 'onDone' | 'progress'>): Loop
}

export function createPublishing(deps: PublishDeps): PublishingJob {
  let loop: Loop | undefined
  let timer: NodeJS.Timeout | undefined
  let progress: { rendered: number; of: number } | undefined

  return {
    deps,
    scheduleCheck() {
      timer ??= setTimeout(() => {
        timer = undefined
        loop?.wake()
      }, WAKE_DELAY).unref()
    },
    progress: () => progress,
    rollBack: (actor, release) => rollBackRelease(deps, actor, release, AbortSignal.timeout(RETURN_TIMEOUT)),
    start({ debounce, onDone: done, ...options }) {
      loop = startRepublish(
        {
          ...deps,
          ...options,
          onPageRendered: (rendered, total) => void (progress = { rendered, of: total }),
          onDone(outcome) {
            progress = undefined
            done?.(outcome)
          }
        },
        debounce
      )
      return loop
    }
  }
}
