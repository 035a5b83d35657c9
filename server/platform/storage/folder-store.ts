import { access, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oneLine } from '../process/command.ts'
import {
  joinInside,
  listFiles,
  readChangeTime,
  TEMPORARY_SUFFIX,
  writeAtomically
} from './files.ts'
import { StoreError, type ObjectStore } from './object-store.ts'

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

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
