import type { Publish, Publishing } from '#lib/contract/publishing.ts'
import type { PublishRow } from '../platform/db/tables.ts'
import { findLastLivePublish, listPublishes } from './queries.ts'
import { isPage, type Manifest } from './release/manifest.ts'
import { isRolledBack, type PublishDeps } from './publish-site.ts'

const RECENT_PUBLISHES = 10

export async function readPublishing(
  deps: PublishDeps,
  progress: { rendered: number; of: number } | undefined
): Promise<Publishing> {
  const db = deps.database.kysely
  const [rows, last, isOlderRelease, current] = await Promise.all([
    listPublishes(db, RECENT_PUBLISHES),
    findLastLivePublish(db),
    isRolledBack(deps),
    deps.releases.current()
  ])
  const [waiting, rendering] = (['waiting', 'rendering'] as const).map(state => rows.find(row => row.state === state))
  const lastEnded = rows.find(({ state }) => state === 'live' || state === 'failed')
  const since = last?.release === current?.id ? last?.ended_at : undefined
  return {
    ...(waiting && { waiting: toPublish(waiting) }),
    ...(rendering && { rendering: toPublish(rendering), ...(progress && { progress }) }),
    ...(current && { live: { release: current.id, since: since ?? current.createdAt } }),
    ...(lastEnded?.state === 'failed' && { failed: toPublish(lastEnded) }),
    held: isOlderRelease,
    releases: (await listReleases(deps)).map(manifest => summary(manifest, current?.id))
  }
}

export function toPublish(row: PublishRow): Publish {
  const { id, state, cause, requested_at, started_at, ended_at, release, pages, problem } = row
  return {
    id,
    state,
    cause,
    requestedAt: requested_at,
    ...(started_at !== null && { startedAt: started_at }),
    ...(ended_at !== null && { endedAt: ended_at }),
    ...(release !== null && { release }),
    ...(pages !== null && { pages }),
    ...(problem !== null && { problem })
  }
}

async function listReleases({ releases }: PublishDeps): Promise<Manifest[]> {
  const [current, older] = await Promise.all([releases.current(), releases.older()])
  return [...(current ? [current] : []), ...older].sort((a, b) => b.id.localeCompare(a.id))
}

function summary({ id, createdAt, files }: Manifest, current: string | undefined): Publishing['releases'][number] {
  return { id, createdAt, pages: Object.keys(files).filter(isPage).length, current: id === current }
}
