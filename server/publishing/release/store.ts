import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { flush } from './files.ts'
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
