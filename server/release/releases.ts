import { SECOND } from '#lib/time.ts'
import type { Manifest } from './manifest.ts'
import type { ReleaseStore } from './store.ts'

const LOOK_AGAIN = SECOND

export interface Release extends Manifest {
  folder: string
}

/** The release that visitors get, and those before it. */
export interface Releases {
  /** Notices a switch that another process made within a second. */
  current(): Promise<Release | undefined>
  /** Those kept besides the current one, the newest first: pages that are still open load their scripts from them. */
  former(): Promise<readonly Release[]>
  /** Looks at once. */
  refresh(): Promise<void>
}

/** `ticks` are milliseconds that only rise. */
export function createReleases(store: ReleaseStore, ticks = () => performance.now()): Releases {
  let current: Release | undefined
  let former: Promise<readonly Release[]> | undefined
  /** What is kept never changes: it is read once. */
  let known = new Map<string, Release>()
  let lookAt = -Infinity
  let looking: Promise<void> | undefined

  async function load(id: string): Promise<Release | undefined> {
    const kept = known.get(id)
    if (kept) return kept
    const manifest = await store.manifest(id)
    return manifest && { ...manifest, folder: store.folder(id) }
  }

  async function look(): Promise<void> {
    lookAt = ticks() + LOOK_AGAIN
    const id = await store.currentId()
    if (id === undefined || id === current?.id) return
    current = (await load(id)) ?? current
    former = undefined
  }

  return {
    async current() {
      if (ticks() >= lookAt) looking = look()
      await looking
      return current
    },
    former() {
      former ??= store.ids().then(async ids => {
        const others = await Promise.all(ids.filter(id => id !== current?.id).map(load))
        const found = others.filter(release => release !== undefined)
        known = new Map([...(current ? [current] : []), ...found].map(release => [release.id, release]))
        return found
      })
      return former
    },
    async refresh() {
      await looking
      await look()
    }
  }
}
