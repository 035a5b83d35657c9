import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR, SECOND, toDayInIndia, type EpochMs } from '#lib/time.ts'
import { deleteFolder, flush, ignoreMissing, joinInside } from '../../platform/storage/files.ts'
import { isPage, loadManifest, type Manifest } from './manifest.ts'

export const RECENT_RELEASES = 5
/** For this many days, today included, the last release of each day is kept. */
const KEPT_DAYS = 14
const BUILDING = '.building'
const COPYING = `.copy${BUILDING}`
const ABANDONED_LINK = /^current-[0-9a-f]{8}$/

export interface ReleaseArchive {
  manifest(id: string): Promise<Manifest | undefined>
  /** Newest first. */
  listIds(): Promise<string[]>
}

/**
 * Manages the releases in `DATA_DIR/releases` and the link `DATA_DIR/current` to the live release.
 */
export interface ReleaseStore extends ReleaseArchive {
  currentId(): Promise<string | undefined>
  folder(id: string): string
  /** Deletes other unfinished releases, because only the holder of the publish lock calls this. */
  begin(id: string): Promise<string>
  /**
   * Several processes may copy at once. Deletes what a crash left unfinished more than an hour ago.
   */
  beginCopy(id: string): Promise<string>
  /** Gives the finished `folder` its name. Another process may already have copied this release. */
  complete(id: string, folder: string): Promise<void>
  switchTo(id: string): Promise<void>
  /**
   * Returns the folders to delete, renamed, so that a crash leaves no release with missing files.
   */
  takeSurplusFolders(now: EpochMs): Promise<string[]>
}

export function newReleaseId(now: number): string {
  const [date = '', time = ''] = new Date(now)
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .split('T')
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}

/**
 * Returns the day in India of a release id, or undefined for folders that `newReleaseId` has not
 * named.
 */
function dayOf(id: string): string | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id) ?? []
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  return parts.length === 0 ? undefined : toDayInIndia(Date.UTC(year, month - 1, ...rest))
}

export function createReleaseStore(dataDir: string): ReleaseStore {
  const releases = join(dataDir, 'releases')
  const link = join(dataDir, 'current')
  const folder = (id: string): string => joinInside(releases, id)

  const store: ReleaseStore = {
    folder,
    async currentId() {
      const target = await readlink(link).catch(() => undefined)
      return target?.split('/').at(-1)
    },
    manifest: id => loadManifest(folder(id)),
    async listIds() {
      const names = await readdir(releases).catch(() => [])
      return names
        .filter(name => !name.endsWith(BUILDING))
        .sort()
        .reverse()
    },
    async begin(id) {
      await mkdir(releases, { recursive: true })
      const isAbandoned = (name: string): boolean =>
        name.endsWith(BUILDING) && !name.endsWith(COPYING)
      for (const name of (await readdir(releases)).filter(isAbandoned))
        await deleteFolder(folder(name))
      const links = (await readdir(dataDir)).filter(name => ABANDONED_LINK.test(name))
      for (const name of links) await rm(join(dataDir, name), { force: true })
      await mkdir(folder(id) + BUILDING)
      return folder(id) + BUILDING
    },
    async beginCopy(id) {
      await mkdir(releases, { recursive: true })
      for (const path of (await readdir(releases))
        .filter(name => name.endsWith(BUILDING))
        .map(folder)) {
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
        if (mtimeMs < Date.now() - HOUR) await deleteFolder(path)
      }
      const copy = `${folder(id)}.${randomBytes(4).toString('hex')}${COPYING}`
      await mkdir(copy)
      return copy
    },
    async complete(id, finished) {
      await rename(finished, folder(id)).catch(async (error: unknown) => {
        if (!(await store.manifest(id))) throw error
      })
      await flush(releases)
    },
    async switchTo(id) {
      const next = join(dataDir, `current-${randomBytes(4).toString('hex')}`)
      await symlink(`releases/${id}`, next)
      await rename(next, link)
      await flush(dataDir)
    },
    async takeSurplusFolders(now) {
      const [current, ids] = await Promise.all([store.currentId(), store.listIds()])
      const surplus = findSurplus(ids, current, now).map(folder)
      // Another process with this DATA_DIR may have renamed it already.
      for (const path of surplus) await rename(path, path + BUILDING).catch(ignoreMissing)
      return surplus.map(path => path + BUILDING)
    }
  }
  return store
}

/** Returns the releases to delete. `ids` has the newest first. */
export function findSurplus(
  ids: readonly string[],
  current: string | undefined,
  now: EpochMs
): string[] {
  const others = ids.filter(id => id !== current)
  const firstDay = toDayInIndia(now - (KEPT_DAYS - 1) * DAY)
  const lastOfDay = ids.filter((id, index) => {
    const day = dayOf(id)
    const next = ids[index - 1]
    return day !== undefined && day >= firstDay && (next === undefined || dayOf(next) !== day)
  })
  const kept = new Set([...others.slice(0, RECENT_RELEASES - 1), ...lastOfDay])
  return others.filter(id => !kept.has(id))
}

const REFRESH_INTERVAL = SECOND

export interface Release extends Manifest {
  folder: string
}

export interface ReleaseSummary extends Pick<Manifest, 'id' | 'createdAt' | 'code'> {
  pages: number
}

export interface Releases {
  current(): Promise<Release | undefined>
  /**
   * Returns the last few releases before the current one, newest first. Open pages load scripts
   * from them.
   */
  older(): Promise<readonly Release[]>
  /** Returns all releases that can be brought back, newest first. */
  list(): Promise<readonly ReleaseSummary[]>
  refresh(): Promise<void>
}

export function createReleases(
  store: ReleaseStore,
  archive: ReleaseArchive = store,
  now = () => performance.now()
): Releases {
  let current: Release | undefined
  let older: Promise<readonly Release[]> | undefined
  let cachedReleases = new Map<string, Release>()
  let refreshAt = -Infinity
  let refreshing: Promise<void> | undefined
  // Whole manifests of all releases would take too much memory.
  let summaries = new Map<string, ReleaseSummary>()

  async function load(id: string): Promise<Release | undefined> {
    const release = cachedReleases.get(id)
    if (release) return release
    const manifest = await store.manifest(id)
    return manifest && { ...manifest, folder: store.folder(id) }
  }

  async function refreshCurrent(): Promise<void> {
    refreshAt = now() + REFRESH_INTERVAL
    const id = await store.currentId()
    if (id === undefined || id === current?.id) return
    current = (await load(id)) ?? current
    older = undefined
  }

  return {
    async current() {
      if (now() >= refreshAt) refreshing = refreshCurrent()
      await refreshing
      return current
    },
    older() {
      older ??= store.listIds().then(async ids => {
        const recent = ids.filter(id => id !== current?.id).slice(0, RECENT_RELEASES - 1)
        const others = await Promise.all(recent.map(load))
        const olderReleases = others.filter(release => release !== undefined)
        cachedReleases = new Map(
          [...(current ? [current] : []), ...olderReleases].map(release => [release.id, release])
        )
        return olderReleases
      })
      return older
    },
    async list() {
      const found = new Map<string, ReleaseSummary>()
      for (const id of await archive.listIds()) {
        const summary = summaries.get(id) ?? (await loadSummary(archive, id))
        if (summary) found.set(id, summary)
      }
      summaries = found
      return [...found.values()]
    },
    async refresh() {
      await refreshing
      await refreshCurrent()
    }
  }
}

async function loadSummary(
  archive: ReleaseArchive,
  id: string
): Promise<ReleaseSummary | undefined> {
  const manifest = await archive.manifest(id)
  if (!manifest) return undefined
  const { createdAt, code, files } = manifest
  return { id, createdAt, code, pages: Object.keys(files).filter(isPage).length }
}
