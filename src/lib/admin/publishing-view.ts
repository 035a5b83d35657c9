import type { Publishing } from '../contract/admin.ts'
import { formatDayAndTime } from '../time.ts'
import { ADMIN_MESSAGES } from './messages.ts'

export type PublishingKind = 'busy' | 'failed' | 'live' | 'none'

export function toPublishingKind({ waiting, rendering, failed, live }: Publishing): PublishingKind {
  if (waiting ?? rendering) return 'busy'
  if (failed) return 'failed'
  return live ? 'live' : 'none'
}

export function formatPublishing(publishing: Publishing): string {
  const { failed, live } = publishing
  const kind = toPublishingKind(publishing)
  if (kind === 'busy') return ADMIN_MESSAGES.publishInProgress
  if (kind === 'failed') return `Not published: ${failed?.problem ?? ADMIN_MESSAGES.publishFailed}`
  if (!live) return ADMIN_MESSAGES.publishNone
  return `${liveLabel(publishing)} (${formatDayAndTime(live.since)})`
}

export function liveLabel(publishing: Publishing): string {
  if (publishing.rolledBack) return 'Showing an older version'
  return toPublishingKind(publishing) === 'live' ? 'Website up to date' : 'Last published'
}

export function formatProgress({ waiting, rendering, progress }: Publishing): string | undefined {
  if (rendering) {
    return progress ? `Updating pages: ${progress.rendered} of ${progress.of}` : 'Preparing the pages…'
  }
  return waiting && 'Waiting a moment for more changes…'
}
