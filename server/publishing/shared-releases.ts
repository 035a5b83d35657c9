import type { FastifyBaseLogger } from 'fastify'
import pLimit from 'p-limit'
import { HOUR, SECOND, type EpochMs } from '#lib/time.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Lock } from '../platform/jobs/leases.ts'
import { startLoop, type Loop } from '../platform/jobs/loop.ts'
import { isoNow } from '../platform/process/clock.ts'
import { oneLine } from '../platform/process/command.ts'
import { deleteFolder } from '../platform/storage/files.ts'
import { StoreError } from '../platform/storage/object-store.ts'
import { findLiveRelease, saveLiveRelease } from './queries.ts'
import { DamagedReleaseError } from './release/files.ts'
import { HASHED_FOLDER, type Manifest, type ReleaseFiles } from './release/manifest.ts'
import {
  findSurplus,
  RECENT_RELEASES,
  type Release,
  type Releases,
  type ReleaseStore
} from './release/store.ts'
import type { StoredReleases } from './stored-releases.ts'

/** In ms. */
const FOLLOW_INTERVAL = 500
const SCRIPTS_MAX_AGE = 5 * SECOND
const CLEAN_UP_INTERVAL = 6 * HOUR

/** The release that all nodes show is a row in the database; its files are in the object store. */
export interface SharedReleases {
  liveId(): Promise<string | undefined>
  /** Makes the live release of all nodes the current one of this node. Throws StoreError. */
  follow(): Promise<void>
  /**
   * Resolves when the store has the whole release in `folder`. `previous` is the release from which
   * it was made.
   */
  upload(folder: string, previous: Release | undefined, signal: AbortSignal): Promise<void>
  /** All nodes show this release, which the store must have. */
  goLive(id: string, lock: Lock): Promise<void>
  /** Copies the release from the store. Returns false if the store does not have it. */
  fetch(id: string): Promise<boolean>
  /**
   * Returns a script that this node does not have. Pages of other nodes, or older ones, load it.
   */
  findScript(name: string): Promise<SharedScript | undefined>
  cleanUp(lock: Lock): Promise<void>
}

interface Deps extends DataDeps {
  local: ReleaseStore
  remote: StoredReleases
  releases: Releases
}

interface SharedScript {
  manifest: Manifest
  read: (storedName: string) => Promise<Buffer>
}

export function createSharedReleases({
  database,
  write,
  clock,
  local,
  remote,
  releases
}: Deps): SharedReleases {
  const db = database.kysely
  /** A check that has read the older release must not switch back to it after another switch. */
  const switchOneAtATime = pLimit(1)
  let following: Promise<void> | undefined
  let storedId: string | undefined
  let recent: { scripts: Promise<readonly Manifest[]>; until: number } | undefined
  let cleanUpAt: EpochMs = -Infinity

  async function followNow(): Promise<void> {
    const id = await findLiveRelease(db)
    if (id === undefined || id === (await local.currentId())) return
    if (!(await local.manifest(id)) && !(await shared.fetch(id))) return
    await switchTo(id)
    for (const folder of await local.takeSurplusFolders(clock())) await deleteFolder(folder)
  }

  async function switchTo(id: string): Promise<void> {
    await local.switchTo(id)
    await releases.refresh()
  }

  async function copy(id: string, sources: readonly Release[]): Promise<boolean> {
    const folder = await local.beginCopy(id)
    try {
      if (!(await remote.download(id, folder, sources))) return false
      await local.complete(id, folder)
      storedId = id
      return true
    } finally {
      await deleteFolder(folder)
    }
  }

  /** Returns false if the database is older than the store, or STORAGE_URL was changed. */
  async function isStored(id: string): Promise<boolean> {
    if ((await findLiveRelease(db)) !== id) return false
    if (storedId !== id && (await remote.manifest(id))) storedId = id
    return storedId === id
  }

  /** The scripts of the last few releases. All other files are left out of their manifests. */
  function listRecentScripts(): Promise<readonly Manifest[]> {
    const now = performance.now()
    if (!recent || now >= recent.until) {
      const scripts = remote.listIds().then(async ids => {
        const manifests = await Promise.all(
          ids.slice(0, RECENT_RELEASES).map(id => remote.manifest(id))
        )
        return manifests.flatMap(manifest =>
          manifest ? [{ ...manifest, files: listScripts(manifest.files) }] : []
        )
      })
      recent = { scripts, until: now + SCRIPTS_MAX_AGE }
    }
    return recent.scripts
  }

  const shared: SharedReleases = {
    liveId: () => findLiveRelease(db),
    follow() {
      following ??= switchOneAtATime(() => {
        // A call from now on needs its own check, because this one may read an older row.
        following = undefined
        return nameStoreErrors(followNow)
      })
      return following
    },
    upload: (folder, previous, signal) =>
      nameStoreErrors(async () => {
        const known = previous && (await isStored(previous.id)) ? previous.files : {}
        await remote.upload(folder, known, signal)
      }),
    goLive: (id, lock) =>
      switchOneAtATime(async () => {
        await write(async trx => {
          await lock.confirm(trx)
          await saveLiveRelease(trx, id, isoNow(clock))
        })
        storedId = id
        await switchTo(id)
      }),
    async fetch(id) {
      const current = await releases.current()
      const sources = [...(current ? [current] : []), ...(await releases.older())]
      return copy(id, sources).catch((error: unknown) => {
        if (error instanceof DamagedReleaseError) return copy(id, [])
        throw error
      })
    },
    async findScript(name) {
      await shared.follow()
      const isIn = (manifest: Manifest | undefined): boolean =>
        Object.hasOwn(manifest?.files ?? {}, name)
      const current = await releases.current()
      const manifest = isIn(current) ? current : (await listRecentScripts()).find(isIn)
      return (
        manifest && { manifest, read: storedName => remote.readFile(manifest.files, storedName) }
      )
    },
    async cleanUp(lock) {
      const live = await findLiveRelease(db)
      for (const id of findSurplus(await remote.listIds(), live, clock())) {
        await lock.confirm()
        await remote.deleteRelease(id, lock.signal)
      }
      if (clock() < cleanUpAt) return
      await remote.deleteUnused(clock(), lock)
      cleanUpAt = clock() + CLEAN_UP_INTERVAL
    }
  }
  return shared
}

export function startFollowing(shared: SharedReleases, log: FastifyBaseLogger): Loop {
  let lastProblem: string | undefined
  return startLoop({
    interval: FOLLOW_INTERVAL,
    gracePeriod: 2 * SECOND,
    async run() {
      await shared.follow()
      lastProblem = undefined
    },
    onError(error) {
      const problem = oneLine(error)
      if (problem !== lastProblem)
        log.warn({ err: error }, `The live release can't be shown yet, ${problem}`)
      lastProblem = problem
    }
  })
}

function listScripts(files: ReleaseFiles): ReleaseFiles {
  return Object.fromEntries(
    Object.entries(files).filter(([name]) => name.startsWith(HASHED_FOLDER))
  )
}

/** The publishing page shows this message. The next check tries again. */
function nameStoreErrors(work: () => Promise<void>): Promise<void> {
  return work().catch((cause: unknown) => {
    throw cause instanceof StoreError
      ? new StoreError(`waiting for the store: ${oneLine(cause)}`, { cause })
      : cause
  })
}
