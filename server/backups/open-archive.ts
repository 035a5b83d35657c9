import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extract, type ReadEntry } from 'tar'
import { MIGRATIONS } from '../db/migrations/index.ts'
import { oneLine } from '../progress.ts'
import { eachAtMost, filesUnder } from '../release/files.ts'
import { digestOf } from './digest.ts'
import { AnyManifest, FILE_NAME, FORMAT, MANIFEST, Manifest, PICTURES_FOLDER, TABLES_FOLDER } from './manifest.ts'

/** An archive that has been unpacked and is whole. */
export interface OpenArchive {
  folder: string
  manifest: Manifest
  close(): Promise<void>
}

const STAGING = '.restore-'
const AT_ONCE = 4
const FOLDERS = [`${TABLES_FOLDER}/`, `${PICTURES_FOLDER}/`]

/**
 * Unpacks an archive beside the shop's data and sees that it is one, that this code understands it and that every byte of
 * it is as it was. Nothing of the shop is touched. Throws an error of one line.
 */
export async function openArchive(file: string, dataDir: string): Promise<OpenArchive> {
  await access(file).catch(cause => {
    throw new Error(`There is no archive ${file}`, { cause })
  })
  // Of a restore that was killed.
  const left = (await readdir(dataDir)).filter(name => name.startsWith(STAGING))
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true })
  const folder = await mkdtemp(join(dataDir, STAGING))
  // What stops at a damaged byte may still be writing what came before it.
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    await unpack(file, folder)
    const manifest = await readManifest(file, folder)
    await expectWhole(file, folder, manifest)
    return { folder, manifest, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  const foreign: string[] = []
  const filter = (path: string, entry: object): boolean => {
    const { type } = entry as ReadEntry
    const known = type === 'Directory' ? FOLDERS.includes(path) : type === 'File' && FILE_NAME.test(path)
    if (!known) foreign.push(path)
    return known
  }
  try {
    await extract({ file, cwd: folder, strict: true, preserveOwner: false, filter })
  } catch (cause) {
    throw new Error(`${file} can't be read, it is damaged or no backup: ${oneLine(cause)}`, { cause })
  }
  if (foreign.length > 0) throw new Error(`${file} holds what is no part of a backup: ${JSON.stringify(foreign[0])}`)
}

async function readManifest(file: string, folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => '')
  const said = parsed(text)
  const known = AnyManifest.safeParse(said).data
  if (!known) throw new Error(`${file} is no backup of a shop`)
  const unknown = known.migrations.find(name => !(name in MIGRATIONS))
  if (known.format > FORMAT || unknown !== undefined) {
    throw new Error(
      `${file} was made by a newer version of the shop (${unknown ?? `format ${known.format}`}): use that one`
    )
  }
  const { data } = Manifest.safeParse(said)
  if (!data) throw new Error(`${file} is damaged: what it says of itself can't be read`)
  return data
}

async function expectWhole(file: string, folder: string, { files, rows }: Manifest): Promise<void> {
  const found = (await filesUnder(folder)).filter(name => name !== MANIFEST)
  const digests = new Map((await eachAtMost(AT_ONCE, found, name => digestOf(folder, name))).map(of => [of.name, of]))
  const damaged = files.find(({ name, size, sha256 }) => {
    const digest = digests.get(name)
    return digest?.size !== size || digest.sha256 !== sha256
  })
  if (damaged) throw new Error(`${file} is damaged: ${damaged.name} is not as it was when the backup was made`)
  const listed = new Set(files.map(({ name }) => name))
  const extra = found.find(name => !listed.has(name))
  if (extra !== undefined) throw new Error(`${file} is damaged: ${extra} is not in its list`)
  const table = Object.keys(rows).find(name => !listed.has(`${TABLES_FOLDER}/${name}.jsonl`))
  if (table !== undefined) throw new Error(`${file} is damaged: the table ${table} is missing`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
