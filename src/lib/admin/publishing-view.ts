import type { Publishing } from '../contract/publishing.ts'
import { formatDayAndTime } from '../time.ts'
import { ADMIN_MESSAGES } from './messages.ts'

export type PublishingKind = 'busy' | 'failed' | 'live' | 'none'

/** Whether changes are on their way, did not get there, or are all seen by visitors. */
export function publishingKind({ waiting, rendering, failed, live }: Publishing): PublishingKind {
  if (waiting ?? rendering) return 'busy'
  if (failed) return 'failed'
  return live ? 'live' : 'none'
}

/** How publishing stands, in a line: 'Live since Sat, 21 Nov, 9:30 am'. */
export function publishingText(publishing: Publishing): string {
  const { failed, live, held } = publishing
  const kind = publishingKind(publishing)
  if (kind === 'busy') return 'Publishing…'
  if (kind === 'failed') return `Not published: ${failed?.problem ?? ADMIN_MESSAGES.publishFailed}`
  if (!live) return ADMIN_MESSAGES.publishNone
  return `Live since ${formatDayAndTime(live.since)}${held ? ', an older release' : ''}`
}

/** What is being done for the visitors; undefined when nothing is. */
export function publishProgress({ waiting, rendering, progress }: Publishing): string | undefined {
  if (rendering) {
    return progress ? `Rendering pages: ${progress.rendered} of ${progress.of}` : 'Getting ready to render the pages'
  }
  return waiting && 'Waiting a moment for more changes, so that they travel together'
}
