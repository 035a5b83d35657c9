import { access, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneLine } from '../process/command.ts'
import { ConfigError, parseHttpUrl, type Environment } from '../process/settings.ts'
import {
  deleteTemporaryFiles,
  joinInside,
  listFiles,
  readChangeTime,
  TEMPORARY_SUFFIX,
  writeAtomically
} from './files.ts'

/**
 * Keys are paths without a leading slash, such as `pictures/laddu-1a2b3c4d-480.avif`. Failed calls
 * throw StoreError, aborted calls throw the reason of the signal.
 */
export interface ObjectStore {
  /**
   * Returns undefined if there is no such object. Throws StoreError also if the content is
   * truncated or changed.
   */
  read(key: string): Promise<Buffer | undefined>
  /**
   * For keys with a hash of the content. An existing object stays as it is. Resolves when the store
   * has the object.
   */
  create(key: string, content: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Replaces an existing object and its time of change. Resolves when the store has the object. */
  put(
    key: string,
    content: Uint8Array,
    headers?: ObjectHeaders,
    signal?: AbortSignal
  ): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** Succeeds if there is no such object. */
  delete(key: string, signal?: AbortSignal): Promise<void>
  /** Deletes old temporary files, which a crash has left in a folder. A bucket has none. */
  deleteTemporary(): Promise<void>
}

/** A folder keeps no headers. */
export type ObjectHeaders = Partial<
  Record<'content-type' | 'cache-control' | 'content-encoding', string>
>

export interface StoredObject {
  key: string
  /** Unix time in ms, by the clock of the store. */
  changedAt: number
}

export type StorageLocation = { type: 'folder'; folder: string } | S3Location

export interface S3Location {
  type: 's3'
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The message is one line for people and logs. It contains no secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** HTTP status of requests that fail because of it. */
  readonly statusCode = 503
}

/** The store does not answer, so calls for other objects would fail too. */
export class UnreachableStoreError extends StoreError {}

export async function openObjectStore(
  location: StorageLocation,
  warn: (message: string) => void
): Promise<ObjectStore> {
  if (location.type === 'folder') return createFolderStore(location.folder)
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store(location, warn)
}

/** The folder must exist: otherwise a folder that is not mounted would look like an empty store. */
function createFolderStore(folder: string): ObjectStore {
  async function attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (cause) {
      throw new StoreError(`The object store ${folder} can't be used (${oneLine(cause)})`, {
        cause
      })
    }
  }

  /** For actions on files that may be missing. */
  function attemptOn<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
    return attempt(() =>
      action().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
        await access(folder)
        return undefined
      })
    )
  }

  async function write(key: string, content: Uint8Array, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await attempt(async () => {
      const file = joinInside(folder, key)
      await access(folder)
      await mkdir(dirname(file), { recursive: true })
      await writeAtomically(file, content)
    })
  }

  return {
    read: key => attemptOn(async () => readFile(joinInside(folder, key))),
    async create(key, content, signal) {
      if ((await attemptOn(async () => stat(joinInside(folder, key)))) === undefined)
        await write(key, content, signal)
    },
    put: (key, content, _headers, signal) => write(key, content, signal),
    async *list(prefix) {
      const subfolder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const names = await attempt(async () => {
        await access(folder)
        return listFiles(join(folder, subfolder))
      })
      for (const name of names) {
        const key = subfolder + name
        if (!key.startsWith(prefix) || key.endsWith(TEMPORARY_SUFFIX)) continue
        const changedAt = await readChangeTime(join(folder, key))
        if (changedAt !== undefined) yield { key, changedAt }
      }
    },
    async delete(key, signal) {
      signal?.throwIfAborted()
      await attemptOn(async () => rm(joinInside(folder, key)))
    },
    deleteTemporary: () => attempt(() => deleteTemporaryFiles(folder))
  }
}

export const STORAGE_EXAMPLE =
  's3://bucket/folder?endpoint=https://s3.example&region=eu-central-1 or file:///mnt/shop'

export function isStorageUrl(value: string): boolean {
  if (value.startsWith('file:')) return parseFolder(value) !== undefined || isEmptyFileUrl(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return false
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams)
  const isEndpoint =
    endpoint === undefined || (parseHttpUrl(endpoint) !== undefined && !/[?#]/.test(endpoint))
  const isRegion = region === undefined || /^[a-z0-9-]+$/.test(region)
  return (
    /^[a-z0-9][a-z0-9.-]+$/.test(url.hostname) &&
    isEndpoint &&
    isRegion &&
    Object.keys(others).length === 0
  )
}

/**
 * Returns undefined for an unset value and for `file:`. Throws ConfigError if the keys of an S3
 * store are missing.
 */
export function parseStorageUrl(
  name: string,
  value: string | undefined,
  env: Environment
): StorageLocation | undefined {
  if (value === undefined || isEmptyFileUrl(value)) return undefined
  const folder = parseFolder(value)
  if (folder !== undefined) return { type: 'folder', folder }
  const accessKeyId = env['AWS_ACCESS_KEY_ID']?.trim()
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim()
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      `${name} needs the keys of the store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`
    )
  }
  const { hostname: bucket, pathname, searchParams } = new URL(value)
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = (searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(
    /\/+$/,
    ''
  )
  return {
    type: 's3',
    bucket,
    prefix: path && `${path}/`,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey
  }
}

function isEmptyFileUrl(value: string): boolean {
  return /^file:\/*$/.test(value)
}

function parseFolder(value: string): string | undefined {
  return /^file:\/\/\/[^?#\0]+$/.test(value) && URL.canParse(value)
    ? fileURLToPath(value)
    : undefined
}
