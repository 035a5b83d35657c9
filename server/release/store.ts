import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { flush } from './files.ts'
import { loadManifest, type Manifest } from './manifest.ts'

const KEPT = 5
const BUILDING = '.building'
/** A link that was killed before it got its name. */
const LINK_LEFT = /^current-[0-9a-f]{8}$/

/** The releases under `DATA_DIR/releases`, and the link `DATA_DIR/current` that names the one visitors get. */
export interface ReleaseStore {
  /** The id of the release that visitors get. */
  currentId(): Promise<string | undefined>
  /** Undefined for a release that is not there, or whose manifest can't be read. */
  manifest(id: string): Promise<Manifest | undefined>
  folder(id: string): string
  /** Ids, the newest first. */
  ids(): Promise<string[]>
  /** An empty folder to build into, once what killed builds left behind is gone. */
  begin(id: string): Promise<string>
  /** Gives a sealed folder its final name and makes visitors get it, from one request to the next. */
  publish(id: string): Promise<void>
  /** Makes visitors get a release that is kept, from one request to the next. */
  switchTo(id: string): Promise<void>
  /** The folders of all but the newest five; the current one stays in any case. */
  surplus(): Promise<string[]>
}

/** Ids sort by time; the end keeps two of one second apart. */
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
    async ids() {
      const names = await readdir(releases).catch(() => [])
      return names
        .filter(name => !name.endsWith(BUILDING))
        .sort()
        .reverse()
    },
    async begin(id) {
      await mkdir(releases, { recursive: true })
      const left = (await readdir(releases)).filter(name => name.endsWith(BUILDING)).map(folder)
      const links = (await readdir(dataDir)).filter(name => LINK_LEFT.test(name)).map(name => join(dataDir, name))
      await Promise.all([...left, ...links].map(path => rm(path, { recursive: true, force: true })))
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
    async surplus() {
      const current = await store.currentId()
      const others = (await store.ids()).filter(id => id !== current)
      return others.slice(KEPT - 1).map(folder)
    }
  }
  return store
}
