import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '#lib/time.ts'
import { deleteFolder, flush, joinInside } from '../../platform/storage/files.ts'
import { loadManifest, type Manifest } from './manifest.ts'

const BUILDING = '.building'
const ABANDONED_LINK = /^current-[0-9a-f]{8}$/
/** Another process may have switched the link. */
const REFRESH_INTERVAL = SECOND

export interface Release extends Manifest {
  folder: string
}

export interface Releases {
  current(): Promise<Release | undefined>
  refresh(): Promise<void>
  /** Returns a new folder. Only the holder of the publish lock calls this. */
  begin(id: string): Promise<string>
  goLive(id: string, folder: string): Promise<void>
  /** Deletes all releases but the current one and the one before, which may still be read. */
  deleteOld(): Promise<void>
}

export function newReleaseId(now: number): string {
  const [date = '', time = ''] = new Date(now)
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .split('T')
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}

export function openReleases(dataDir: string, now = () => performance.now()): Releases {
  const releases = join(dataDir, 'releases')
  const link = join(dataDir, 'current')
  const folderOf = (id: string): string => joinInside(releases, id)
  let current: Release | undefined
  let refreshAt = -Infinity
  let refreshing: Promise<void> | undefined

  async function listNames(): Promise<string[]> {
    return (await readdir(releases).catch(() => [])).sort()
  }

  async function readCurrent(): Promise<void> {
    refreshAt = now() + REFRESH_INTERVAL
    const id = (await readlink(link).catch(() => undefined))?.split('/').at(-1)
    if (id === undefined || id === current?.id) return
    const manifest = await loadManifest(folderOf(id))
    current = manifest ? { ...manifest, folder: folderOf(id) } : current
  }

  async function refresh(): Promise<void> {
    await refreshing
    await readCurrent()
  }

  return {
    async current() {
      if (now() >= refreshAt) refreshing = readCurrent()
      await refreshing
      return current
    },
    refresh,
    async begin(id) {
      await mkdir(releases, { recursive: true })
      for (const name of (await listNames()).filter(name => name.endsWith(BUILDING)))
        await deleteFolder(folderOf(name))
      for (const name of (await readdir(dataDir)).filter(name => ABANDONED_LINK.test(name)))
        await rm(join(dataDir, name), { force: true })
      await mkdir(folderOf(id) + BUILDING)
      return folderOf(id) + BUILDING
    },
    async goLive(id, folder) {
      await rename(folder, folderOf(id))
      await flush(releases)
      const next = join(dataDir, `current-${randomBytes(4).toString('hex')}`)
      await symlink(`releases/${id}`, next)
      await rename(next, link)
      await flush(dataDir)
      await refresh()
    },
    async deleteOld() {
      const others = (await listNames()).filter(name => name !== current?.id)
      for (const name of others.slice(0, -1)) await deleteFolder(folderOf(name))
    }
  }
}
