import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '#lib/time.ts'
import { flush } from '../../platform/storage/files.ts'
import { loadManifest, type Manifest } from './manifest.ts'

const MAX_RELEASES = 5
const BUILDING = '.building'
const ABANDONED_LINK = /^current-[0-9a-f]{8}$/

/** Manages the releases in `DATA_DIR/releases` and the link `DATA_DIR/current` to the live release. */
export interface ReleaseStore {
  currentId(): Promise<string | undefined>
  manifest(id: string): Promise<Manifest | undefined>
  folder(id: string): string
  listIds(): Promise<string[]>
  begin(id: string): Promise<string>
  publish(id: string): Promise<void>
  switchTo(id: string): Promise<void>
  listSurplusFolders(): Promise<string[]>
}

export function newReleaseId(now: number): string {
  const [date = '', time = ''] = new Date(now)
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .split('T')
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}

export function createReleaseStore(dataDir: string): ReleaseStore {
  const releases = join(dataDir, 'releases')
  const link = join(dataDir, 'current')
  const folder = (id: string): string => join(releases, id)

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
      const abandoned = (await readdir(releases)).filter(name => name.endsWith(BUILDING)).map(folder)
      const links = (await readdir(dataDir)).filter(name => ABANDONED_LINK.test(name)).map(name => join(dataDir, name))
      await Promise.all([...abandoned, ...links].map(path => rm(path, { recursive: true, force: true })))
      await mkdir(folder(id) + BUILDING)
      return folder(id) + BUILDING
    },
    async publish(id) {
      await rename(folder(id) + BUILDING, folder(id))
      await flush(releases)
      await store.switchTo(id)
    },
    async switchTo(id) {
      const next = join(dataDir, `current-${randomBytes(4).toString('hex')}`)
      await symlink(`releases/${id}`, next)
      await rename(next, link)
      await flush(dataDir)
    },
    async listSurplusFolders() {
      const current = await store.currentId()
      const others = (await store.listIds()).filter(id => id !== current)
      return others.slice(MAX_RELEASES - 1).map(folder)
    }
  }
  return store
}

const REFRESH_INTERVAL = SECOND

export interface Release extends Manifest {
  folder: string
}

export interface Releases {
  current(): Promise<Release | undefined>
  /** Returns the older releases, newest first. Pages that are open in a browser still load scripts from them. */
  older(): Promise<readonly Release[]>
  refresh(): Promise<void>
}

export function createReleases(store: ReleaseStore, now = () => performance.now()): Releases {
  let current: Release | undefined
  let older: Promise<readonly Release[]> | undefined
  let cachedReleases = new Map<string, Release>()
  let refreshAt = -Infinity
  let refreshing: Promise<void> | undefined

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
        const others = await Promise.all(ids.filter(id => id !== current?.id).map(load))
        const olderReleases = others.filter(release => release !== undefined)
        cachedReleases = new Map(
          [...(current ? [current] : []), ...olderReleases].map(release => [release.id, release])
        )
        return olderReleases
      })
      return older
    },
    async refresh() {
      await refreshing
      await refreshCurrent()
    }
  }
}
