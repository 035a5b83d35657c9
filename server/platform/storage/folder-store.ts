import { access, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oneLine } from '../process/command.ts'
import { deleteTemporaryFiles, listFiles, readChangeTime, TEMPORARY_SUFFIX, writeAtomically } from './files.ts'
import { StoreError, type ObjectStore } from './object-store.ts'

/** The folder must exist: otherwise a folder that is not mounted would look like an empty store. */
export function createFolderStore(folder: string): ObjectStore {
  async function attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action()
    } catch (cause) {
      throw new StoreError(`The object store ${folder} can't be used (${oneLine(cause)})`, { cause })
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
    const file = join(folder, key)
    await attempt(async () => {
      await access(folder)
      await mkdir(dirname(file), { recursive: true })
      await writeAtomically(file, content)
    })
  }

  return {
    read: key => attemptOn(() => readFile(join(folder, key))),
    async create(key, content, signal) {
      if ((await attemptOn(() => stat(join(folder, key)))) === undefined) await write(key, content, signal)
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
      await attemptOn(() => rm(join(folder, key)))
    },
    deleteTemporary: () => attempt(() => deleteTemporaryFiles(folder))
  }
}
