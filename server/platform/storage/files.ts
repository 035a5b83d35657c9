import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  opendir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { DAY } from '#lib/time.ts'
import { oneLine } from '../process/command.ts'
import { ConfigError } from '../process/settings.ts'

export const TEMPORARY_SUFFIX = '.tmp'
const TEMPORARY_FILE = /\.[0-9a-f-]{36}\.tmp$/
const TEMPORARY_LIFETIME = DAY

/** A crash never leaves a truncated file. */
export async function writeAtomically(path: string, content: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${TEMPORARY_SUFFIX}`
  try {
    await writeFile(unfinished, content, { flush: true })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export async function deleteTemporaryFiles(folder: string): Promise<void> {
  const names = await listFiles(folder)
  for (const name of names.filter(name => TEMPORARY_FILE.test(name)))
    await deleteIfOlder(join(folder, name), TEMPORARY_LIFETIME)
}

async function deleteIfOlder(path: string, age: number) {
  const changedAt = await readChangeTime(path)
  if (changedAt !== undefined && changedAt <= Date.now() - age)
    await rm(path, { recursive: true, force: true })
}

export async function readChangeTime(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined
  )
}

export async function listFiles(folder: string, subfolder = ''): Promise<string[]> {
  const path = join(folder, subfolder)
  const entries = await readdir(path, { withFileTypes: true }).catch(ignoreMissing)
  const names = await Promise.all(
    (entries ?? []).map(async entry => {
      const name = subfolder ? `${subfolder}/${entry.name}` : entry.name
      return entry.isDirectory() ? listFiles(folder, name) : [name]
    })
  )
  return names.flat().sort()
}

/** One file at a time: `rm` starts with all at once and blocks for 1 s per 20,000. */
export async function deleteFolder(folder: string): Promise<void> {
  for await (const entry of (await opendir(folder).catch(ignoreMissing)) ?? []) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? deleteFolder(path) : unlink(path).catch(ignoreMissing))
  }
  await rm(folder, { recursive: true, force: true })
}

export function isInside(name: string): boolean {
  return !/[\0\\]/.test(name) && name.split('/').every(part => !['', '.', '..'].includes(part))
}

export function joinInside(folder: string, name: string): string {
  if (!isInside(name))
    throw new Error(`${JSON.stringify(name)} is not the name of a file in ${folder}`)
  return join(folder, name)
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Above this number, flushing the whole file system is faster than flushing each file. */
const MAX_SINGLE_FLUSHES = 100
const FLUSH_CONCURRENCY = 16

export async function flushAll(folder: string, names: readonly string[]): Promise<void> {
  if (names.length > MAX_SINGLE_FLUSHES && (await flushFileSystem(folder))) return
  await pLimit(FLUSH_CONCURRENCY).map(names, name => flush(join(folder, name)))
}

async function flushFileSystem(folder: string) {
  if (process.platform !== 'linux') return false
  return promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false
  )
}

const MISSING_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']

/** For `catch`: the result is undefined if the file does not exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING_FILE.includes(error.code ?? '')) throw error
}

export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    // Permission bits are not reliable for root or read-only disks.
    await rmdir(await mkdtemp(join(dataDir, '.try-')))
    // Hides the files that older versions made readable. Only the owner of a folder may do this.
    await chmod(dataDir, 0o700).catch(() => undefined)
  } catch (cause) {
    const example = 'for example DATA_DIR=./data'
    throw new ConfigError(
      `DATA_DIR ${dataDir} can't be written to (${oneLine(cause)}), ${example}`,
      { cause }
    )
  }
}

export interface OldFiles {
  prefix: string
  /** In ms. */
  age: number
}

export async function deleteOldFiles(folder: string, { prefix, age }: OldFiles): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(prefix)) await deleteIfOlder(join(folder, name), age)
}
