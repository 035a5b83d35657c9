import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { DAY, SECOND, type EpochMs } from '#lib/time.ts'
import { deleteFolder, flush, isInside, joinInside } from '../../platform/storage/files.ts'

export const MANIFEST_FILE = 'release.json'
export const RECORD_FILE = 'reads.json'
/** Public. Tells service workers which release is live. */
export const ID_FILE = 'release.txt'
export const HASHED_FOLDER = '_astro/'

/** Open pages load scripts of older code for this time. */
const HASHED_FILE_LIFETIME = DAY
const BUILDING = '.building'
const ABANDONED_LINK = /^current-[0-9a-f]{8}$/
/** Another process may have switched the link. */
const REFRESH_INTERVAL = SECOND

export type ReleaseFile = z.infer<typeof ReleaseFile>
const ReleaseFile = z.object({
  size: z.int(),
  hash: z.string().check(z.regex(/^[\w-]+$/)),
  encodings: z.array(z.string()),
  policy: z.optional(z.int()),
  /** Of a page that search engines must not list. */
  noindex: z.optional(z.literal(true)),
  unusedSince: z.optional(z.int())
})

export type ReleaseFiles = z.infer<typeof ReleaseFiles>
export const ReleaseFiles = z.record(z.string().check(z.refine(isInside)), ReleaseFile)

export type Manifest = z.infer<typeof Manifest>
const Manifest = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  code: z.string(),
  /** The counters `catalog` and `stock levels` before the content was read. */
  counter: z.int(),
  levels: z._default(z.int(), 0),
  catalog: z.string(),
  headers: z.record(z.string(), z.string()),
  policies: z.array(z.string()),
  files: ReleaseFiles,
  failed: z._default(z.array(z.string()), [])
})

export interface Release extends Manifest {
  folder: string
}

export interface ReadRecord {
  digests: ReadonlyMap<string, string>
  readsByFile: ReadonlyMap<string, string[]>
}

const StoredRecord = z.object({
  digests: z.array(z.tuple([z.string(), z.string()])),
  readsByFile: z.array(z.tuple([z.string(), z.array(z.string())]))
})

export interface PreviousRelease extends Release {
  record: ReadRecord
}

export async function loadManifest(folder: string): Promise<Manifest | undefined> {
  return Manifest.safeParse(await readJson(join(folder, MANIFEST_FILE))).data
}

export async function loadPreviousRelease(folder: string): Promise<PreviousRelease | undefined> {
  const manifest = await loadManifest(folder)
  return manifest && { ...manifest, folder, record: await loadRecord(folder) }
}

/** Empty if it can't be read: then all pages are rendered. */
async function loadRecord(folder: string): Promise<ReadRecord> {
  const { data } = StoredRecord.safeParse(await readJson(join(folder, RECORD_FILE)))
  return { digests: new Map(data?.digests), readsByFile: new Map(data?.readsByFile) }
}

export function formatRecord({ digests, readsByFile }: ReadRecord): string {
  const stored: z.infer<typeof StoredRecord> = {
    digests: [...digests],
    readsByFile: [...readsByFile]
  }
  return JSON.stringify(stored)
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

export function keepHashedFiles<File extends { unusedSince?: number | undefined }>(
  files: Readonly<Record<string, File>>,
  isCurrent: (name: string) => boolean,
  now: EpochMs
): Record<string, File & { unusedSince: EpochMs }> {
  const older = Object.entries(files)
    .filter(([name]) => name.startsWith(HASHED_FOLDER) && !isCurrent(name))
    .map(([name, file]) => [name, { ...file, unusedSince: file.unusedSince ?? now }] as const)
  return Object.fromEntries(
    older.filter(([, { unusedSince }]) => unusedSince > now - HASHED_FILE_LIFETIME)
  )
}

export function pageAddress(name: string): string {
  return `/${name.replace(/\.html$/, '')}`.replace(/^\/index$/, '/')
}

export function pageFile(address: string): string {
  return address === '/' ? 'index.html' : `${address.slice(1)}.html`
}

export function isPage(name: string): boolean {
  return name.endsWith('.html')
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
  const folderOf = (id: string) => joinInside(releases, id)
  let current: Release | undefined
  let refreshAt = -Infinity
  let refreshing: Promise<void> | undefined

  async function listNames() {
    return (await readdir(releases).catch(() => [])).sort()
  }

  async function readCurrent() {
    refreshAt = now() + REFRESH_INTERVAL
    const id = (await readlink(link).catch(() => undefined))?.split('/').at(-1)
    if (id === undefined || id === current?.id) return
    const folder = folderOf(id)
    const manifest = await loadManifest(folder)
    if (manifest) current = { ...manifest, folder }
  }

  async function refresh() {
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
      const folder = folderOf(id) + BUILDING
      await mkdir(folder)
      return folder
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
