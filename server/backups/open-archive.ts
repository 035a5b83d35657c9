import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extract, type ReadEntry } from 'tar'
import { MIGRATIONS } from '../platform/db/migrations/index.ts'
import { oneLine } from '../platform/process/progress.ts'
import { mapLimit, listFiles } from '../publishing/release/files.ts'
import { digestFile } from './digest.ts'
import {
  AnyFormatManifest,
  FILE_NAME_PATTERN,
  FORMAT,
  MANIFEST_FILE,
  Manifest,
  PICTURES_FOLDER,
  TABLES_FOLDER
} from './manifest.ts'

export interface ExtractedArchive {
  folder: string
  manifest: Manifest
  close(): Promise<void>
}

const STAGING_PREFIX = '.restore-'
const CONCURRENCY = 4
const FOLDERS = [`${TABLES_FOLDER}/`, `${PICTURES_FOLDER}/`]

export async function openArchive(file: string, dataDir: string): Promise<ExtractedArchive> {
  await access(file).catch(cause => {
    throw new Error(`${file} does not exist`, { cause })
  })
  const abandoned = (await readdir(dataDir)).filter(name => name.startsWith(STAGING_PREFIX))
  for (const name of abandoned) await rm(join(dataDir, name), { recursive: true, force: true })
  const folder = await mkdtemp(join(dataDir, STAGING_PREFIX))
  // Retries the deletion, because tar may still be writing files when unpacking has already failed.
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    await unpack(file, folder)
    const manifest = await readManifest(file, folder)
    await checkDigests(file, folder, manifest)
    return { folder, manifest, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  const unexpected: string[] = []
  const filter = (path: string, entry: object): boolean => {
    const { type } = entry as ReadEntry
    const isKnown = type === 'Directory' ? FOLDERS.includes(path) : type === 'File' && FILE_NAME_PATTERN.test(path)
    if (!isKnown) unexpected.push(path)
    return isKnown
  }
  try {
    await extract({ file, cwd: folder, strict: true, preserveOwner: false, filter })
  } catch (cause) {
    throw new Error(`${file} is damaged or not a backup: ${oneLine(cause)}`, { cause })
  }
  if (unexpected.length > 0) throw new Error(`${file} contains an unexpected entry: ${JSON.stringify(unexpected[0])}`)
}

async function readManifest(file: string, folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => '')
  const content = parseJson(text)
  const basics = AnyFormatManifest.safeParse(content).data
  if (!basics) throw new Error(`${file} is not a backup of a shop`)
  const unknown = basics.migrations.find(name => !(name in MIGRATIONS))
  if (basics.format > FORMAT || unknown !== undefined) {
    throw new Error(
      `${file} was made by a newer version of the shop (${unknown ?? `format ${basics.format}`}); use that version`
    )
  }
  const { data } = Manifest.safeParse(content)
  if (!data) throw new Error(`${file} is damaged: its manifest is invalid`)
  return data
}

async function checkDigests(file: string, folder: string, { files, rows }: Manifest): Promise<void> {
  const fileNames = (await listFiles(folder)).filter(name => name !== MANIFEST_FILE)
  const digests = new Map(
    (await mapLimit(CONCURRENCY, fileNames, name => digestFile(folder, name))).map(digest => [digest.name, digest])
  )
  const damaged = files.find(({ name, size, sha256 }) => {
    const digest = digests.get(name)
    return digest?.size !== size || digest.sha256 !== sha256
  })
  if (damaged) throw new Error(`${file} is damaged: ${damaged.name} does not match its checksum`)
  const listed = new Set(files.map(({ name }) => name))
  const extra = fileNames.find(name => !listed.has(name))
  if (extra !== undefined) throw new Error(`${file} is damaged: ${extra} is not in the manifest`)
  const table = Object.keys(rows).find(name => !listed.has(`${TABLES_FOLDER}/${name}.jsonl`))
  if (table !== undefined) throw new Error(`${file} is damaged: the table ${table} is missing`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
