import { access, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oneLine } from '../process/command.ts'
import {
  ignoreMissing,
  joinInside,
  listFiles,
  readChangeTime,
  TEMPORARY_SUFFIX,
  writeAtomically
} from './files.ts'

/** Files of all nodes by key, such as `assets/laddu-1a2b3c4d-480.avif`. */
export interface ObjectStore {
  /** Web servers find `/about` in `about.html`. In a bucket, the address is the key. */
  isFolder: boolean
  /** Returns undefined if there is no such object. Like all calls, throws StoreError. */
  get(key: string): Promise<Buffer | undefined>
  put(
    key: string,
    content: Uint8Array,
    headers?: ObjectHeaders,
    signal?: AbortSignal
  ): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  delete(key: string, signal?: AbortSignal): Promise<void>
}

export type ObjectHeaders = Readonly<Record<string, string>>

export interface StoredObject {
  key: string
  changedAt: number
}

/** The message is one line for people and logs. It contains no secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly statusCode = 503
}

export function createFolderStore(folder: string): ObjectStore {
  async function attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      // A folder that is not mounted must not look like an empty store.
      await access(folder)
      return await action()
    } catch (cause) {
      throw new StoreError(`The object store ${folder} can't be used (${oneLine(cause)})`, {
        cause
      })
    }
  }

  return {
    isFolder: true,
    get: key => attempt(() => readFile(joinInside(folder, key)).catch(ignoreMissing)),
    async put(key, content, _headers, signal) {
      signal?.throwIfAborted()
      await attempt(async () => {
        const file = joinInside(folder, key)
        await mkdir(dirname(file), { recursive: true })
        await writeAtomically(file, content)
      })
    },
    async *list(prefix) {
      const subfolder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for (const name of await attempt(() => listFiles(join(folder, subfolder)))) {
        const key = subfolder + name
        if (!key.startsWith(prefix) || key.endsWith(TEMPORARY_SUFFIX)) continue
        const changedAt = await readChangeTime(join(folder, key))
        if (changedAt !== undefined) yield { key, changedAt }
      }
    },
    async delete(key, signal) {
      signal?.throwIfAborted()
      await attempt(() => rm(joinInside(folder, key), { force: true }))
    }
  }
}
