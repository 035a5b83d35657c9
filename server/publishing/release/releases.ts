import { SECOND } from '#lib/time.ts'
import type { Manifest } from './manifest.ts'
import type { ReleaseStore } from './store.ts'

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
