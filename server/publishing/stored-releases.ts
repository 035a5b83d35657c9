import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { DAY, type EpochMs } from '#lib/time.ts'
import type { Lock } from '../platform/jobs/leases.ts'
import { inParallel } from '../platform/process/work-queue.ts'
import { flush } from '../platform/storage/files.ts'
import { StoreError, type ObjectStore } from '../platform/storage/object-store.ts'
import { DamagedReleaseError, hashContent, linkFiles, listStoredNames } from './release/files.ts'
import {
  DETAIL_FILES,
  loadManifest,
  MANIFEST_FILE,
  parseManifest,
  RELEASE_ID,
  type ReleaseFiles
} from './release/manifest.ts'
import type { Release, ReleaseArchive } from './release/store.ts'

const CONCURRENCY = 12
/** Linking is synchronous, so that other requests are answered after this many files. */
const LINKS_AT_A_TIME = 200
const RELEASES = 'releases/'
const FILES = 'files/'
/** An upload that is in progress may contain files that no release names yet. */
const UNUSED_LIFETIME = DAY

const decompressBrotli = promisify(brotliDecompress)
const decompressGzip = promisify(gunzip)

/**
 * Releases in the object store. The manifest of a release is written last, and all releases share
 * their files. All functions throw StoreError.
 */
export interface StoredReleases extends ReleaseArchive {
  /** Resolves when the store has the whole release. Files of `stored` are not sent again. */
  upload(folder: string, stored: ReleaseFiles, signal: AbortSignal): Promise<void>
  /**
   * Links the files that local releases have too. Returns false if the store does not have the
   * release.
   */
  download(id: string, folder: string, local: readonly Release[]): Promise<boolean>
  readFile(files: ReleaseFiles, storedName: string): Promise<Buffer>
  deleteRelease(id: string, signal: AbortSignal): Promise<void>
  /**
   * Deletes what no release needs. Throws if another process takes the lock, because it may be
   * publishing.
   */
  deleteUnused(now: EpochMs, lock: Lock): Promise<void>
}

interface FileObject {
  key: string
  /** Name of the file with the suffix of its compressed form. */
  storedName: string
  suffix: string
  size: number
  hash: string
}

export function createStoredReleases(objects: ObjectStore): StoredReleases {
  const detailKey = (id: string, name: string): string => `${RELEASES}${id}/${name}`

  async function listDetails(): Promise<Map<string, EpochMs>> {
    const keys = new Map<string, EpochMs>()
    for await (const { key, changedAt } of objects.list(RELEASES)) keys.set(key, changedAt)
    return keys
  }

  async function readExisting(key: string): Promise<Buffer> {
    const content = await objects.read(key)
    if (!content) throw new StoreError(`The object store does not have ${key}`)
    return content
  }

  async function readChecked({ key, suffix, size, hash }: FileObject): Promise<Buffer> {
    const content = await readExisting(key)
    const original = await decompress(content, suffix, size).catch(() => undefined)
    if (original?.length === size && hashContent(original) === hash) return content
    throw new StoreError(`The object ${key} is truncated or damaged`)
  }

  const stored: StoredReleases = {
    async listIds() {
      const suffix = `/${MANIFEST_FILE}`
      const complete = [...(await listDetails()).keys()].filter(key => key.endsWith(suffix))
      return complete
        .map(key => key.slice(RELEASES.length, -suffix.length))
        .filter(id => RELEASE_ID.test(id))
        .sort()
        .reverse()
    },
    async manifest(id) {
      const content = await objects.read(detailKey(id, MANIFEST_FILE))
      return content && parseManifest(content.toString())
    },
    async upload(folder, storedFiles, signal) {
      const manifest = await loadManifest(folder)
      if (!manifest) throw new DamagedReleaseError(`${folder} has no manifest`)
      const keys = new Set(Array.from(listObjects(storedFiles), ({ key }) => key))
      const missing = new Map<string, string>()
      for (const { key, storedName } of listObjects(manifest.files))
        if (!keys.has(key)) missing.set(key, storedName)
      const send = async (key: string, name: string): Promise<void> => {
        await objects.create(key, await readFile(join(folder, name)), signal)
      }
      await inParallel(CONCURRENCY, missing, ([key, name]) => send(key, name))
      for (const name of DETAIL_FILES) await send(detailKey(manifest.id, name), name)
    },
    async download(id, folder, local) {
      const manifest = await stored.manifest(id)
      if (!manifest) return false
      const missing = await linkEqualFiles(manifest.files, folder, local)
      const folders = [
        ...new Set(Object.keys(manifest.files).map(name => join(folder, dirname(name))))
      ]
      for (const path of folders) await mkdir(path, { recursive: true })
      await inParallel(CONCURRENCY, listObjects(missing), async object =>
        writeFile(join(folder, object.storedName), await readChecked(object), { flush: true })
      )
      for (const name of DETAIL_FILES)
        await writeFile(join(folder, name), await readExisting(detailKey(id, name)), {
          flush: true
        })
      for (const path of folders) await flush(path)
      return true
    },
    async readFile(files, storedName) {
      for (const object of listObjects(files))
        if (object.storedName === storedName) return readChecked(object)
      throw new StoreError(`The release has no file ${storedName}`)
    },
    async deleteRelease(id, signal) {
      for (const name of DETAIL_FILES.toReversed())
        await objects.delete(detailKey(id, name), signal)
    },
    async deleteUnused(now, { signal, confirm }) {
      const keys = await listDetails()
      const isOld = (changedAt: EpochMs): boolean => changedAt < now - UNUSED_LIFETIME
      const isIncomplete = (key: string): boolean => !keys.has(join(dirname(key), MANIFEST_FILE))
      const unused = [...keys]
        .filter(([key, changedAt]) => isIncomplete(key) && isOld(changedAt))
        .map(([key]) => key)
      const used = new Set<string>()
      for (const id of await stored.listIds()) {
        const manifest = await stored.manifest(id)
        if (!manifest)
          throw new StoreError(`The release ${id} has no valid manifest in the object store`)
        for (const { key } of listObjects(manifest.files)) used.add(key)
      }
      for await (const { key, changedAt } of objects.list(FILES)) {
        if (!used.has(key) && isOld(changedAt)) unused.push(key)
      }
      for (let from = 0; from < unused.length; from += CONCURRENCY) {
        await confirm()
        await inParallel(CONCURRENCY, unused.slice(from, from + CONCURRENCY), key =>
          objects.delete(key, signal)
        )
      }
    }
  }
  return stored
}

function* listObjects(files: ReleaseFiles): Generator<FileObject> {
  for (const [name, file] of Object.entries(files)) {
    for (const storedName of listStoredNames(name, file)) {
      const suffix = storedName.slice(name.length)
      yield {
        key: `${FILES}${file.hash}${suffix}`,
        storedName,
        suffix,
        size: file.size,
        hash: file.hash
      }
    }
  }
}

async function decompress(content: Buffer, suffix: string, size: number): Promise<Buffer> {
  if (suffix === '') return content
  return suffix === '.br'
    ? decompressBrotli(content, { maxOutputLength: size })
    : decompressGzip(content, { maxOutputLength: size })
}

/** Returns the files that no local release has. */
async function linkEqualFiles(
  files: ReleaseFiles,
  folder: string,
  local: readonly Release[]
): Promise<ReleaseFiles> {
  let missing = Object.entries(files)
  for (const release of local) {
    const isEqual = ([name, { hash, encodings }]: (typeof missing)[number]): boolean => {
      const file = release.files[name]
      return file?.hash === hash && encodings.every(encoding => file.encodings.includes(encoding))
    }
    const equal = missing.filter(isEqual)
    missing = missing.filter(file => !isEqual(file))
    for (let from = 0; from < equal.length; from += LINKS_AT_A_TIME) {
      linkFiles(
        Object.fromEntries(equal.slice(from, from + LINKS_AT_A_TIME)),
        release.folder,
        folder
      )
      await yieldToEventLoop()
    }
  }
  return Object.fromEntries(missing)
}
