import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { EpochMs } from '#lib/time.ts'
import type { Lock } from '../platform/process/jobs.ts'
import { inParallel } from '../platform/process/work-queue.ts'
import type { ObjectHeaders, ObjectStore } from '../platform/storage/object-store.ts'
import { hashContent } from './release/files.ts'
import { cacheControl, contentType, HOST_FILES } from './release/headers.ts'
import { HASHED_FOLDER, ID_FILE, isPage, keepHashedFiles, type Release } from './release/store.ts'

export type LiveRelease = z.infer<typeof LiveRelease>
const LiveRelease = z.object({
  id: z.string(),
  createdAt: z.string(),
  code: z.string(),
  counter: z.int(),
  levels: z._default(z.int(), 0),
  failed: z.array(z.string())
})

type Site = z.infer<typeof Site>
const Site = z.object({
  /** Missing while an upload is not complete. */
  release: z.optional(LiveRelease),
  /** `version` is empty if an upload that was cut short may have changed the object. */
  files: z.record(
    z.string(),
    z.object({ version: z.string(), unusedSince: z.optional(z.number()) })
  )
})

export const SITE_KEY = '_site.json'
/** A proxy sends it as the page's Content-Security-Policy. */
export const POLICY_HEADER = 'x-amz-meta-csp'
const CONCURRENCY = 8

export async function readSite(objects: ObjectStore): Promise<Site> {
  const text = (await objects.get(SITE_KEY))?.toString()
  return text === undefined ? { files: {} } : Site.parse(JSON.parse(text))
}

export async function listStoredPages(objects: ObjectStore): Promise<string[]> {
  const { files } = await readSite(objects)
  return Object.keys(files).filter(key => isPage(key) || /^[^.]+$/.test(key))
}

/** Uploads what differs: scripts, pages, then the release's id; deletions last. Throws StoreError. */
export async function uploadRelease(
  objects: ObjectStore,
  release: Release,
  { signal, confirm }: Lock
): Promise<void> {
  const last = await readSite(objects)
  const toKey = (name: string) =>
    objects.isFolder || !isPage(name) || ['index.html', '404.html'].includes(name)
      ? name
      : name.slice(0, -'.html'.length)
  const failed = new Set(release.failed.map(toKey))
  const listed = (await listFiles(release)).map(file => [toKey(file.name), file] as const)
  // The bucket may have a later version of a page that this node could not render.
  const files = listed.filter(([key]) => !failed.has(key) || !last.files[key])
  const kept = Object.entries(last.files).filter(([key]) => failed.has(key))
  const entries = files.map(([key, { entry }]) => [key, entry] as const)
  const current = Object.fromEntries([...kept, ...entries])
  const now = Date.parse(release.createdAt)
  const next = { ...keepHashedFiles(last.files, key => key in current, now), ...current }
  const changed = files.filter(([key, { entry }]) => last.files[key]?.version !== entry.version)
  const gone = Object.keys(last.files).filter(key => !next[key])

  const save = async (site: Site) => {
    await confirm()
    await objects.put(SITE_KEY, Buffer.from(JSON.stringify(site)), {}, signal)
  }
  const put = (selected: typeof changed) =>
    inParallel(CONCURRENCY, selected, async ([key, { name, headers }]) =>
      objects.put(key, await readFile(join(release.folder, name)), headers, signal)
    )
  const unknown = [...changed.map(([key]) => key), ...gone].map(key => [key, { version: '' }])
  if (unknown.length > 0) await save({ files: { ...last.files, ...Object.fromEntries(unknown) } })
  const isHashed = ([key]: (typeof changed)[number]) => key.startsWith(HASHED_FOLDER)
  await put(changed.filter(isHashed))
  await put(changed.filter(file => !isHashed(file) && file[0] !== ID_FILE))
  await put(changed.filter(([key]) => key === ID_FILE))
  await inParallel(CONCURRENCY, gone, key => objects.delete(key, signal))
  const { id, createdAt, code, counter, levels } = release
  const live = { id, createdAt, code, counter, levels, failed: release.failed }
  await save({ release: live, files: next })
}

interface SiteFile {
  name: string
  headers: ObjectHeaders
  entry: Site['files'][string]
}

async function listFiles(release: Release): Promise<SiteFile[]> {
  const toFile = (name: string, hash: string, policy?: string, unusedSince?: EpochMs): SiteFile => {
    const headers = {
      'content-type': contentType(name),
      'cache-control': cacheControl(name),
      ...(policy !== undefined && { [POLICY_HEADER]: policy })
    }
    const version = hashContent(Buffer.from(JSON.stringify([hash, headers])))
    const entry = { version, ...(unusedSince !== undefined && { unusedSince }) }
    return { name, headers, entry }
  }
  const files = Object.entries(release.files).map(([name, { hash, policy = -1, unusedSince }]) =>
    toFile(name, hash, release.policies[policy], unusedSince)
  )
  for (const name of HOST_FILES)
    files.push(toFile(name, hashContent(await readFile(join(release.folder, name)))))
  return files
}
