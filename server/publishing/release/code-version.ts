import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mapLimit, listFiles } from './files.ts'

const FOLDERS = ['src', 'public', 'server/publishing/release']
const FILES = ['server/publishing/renderer.ts', 'server/platform/process/progress.ts']
const STAT_CONCURRENCY = 16
const CONFIG_FILES = /^(?:(?:astro|tailwind)\b.*\.(?:mjs|js|ts)|tsconfig\.json|package-lock\.json)$/

let cached: { root: string; state: string; version: string } | undefined

/**
 * Returns a hash of the website's code in `root`. Reads the files again only if the size or time of a file has changed.
 */
export async function codeVersion(root: string): Promise<string> {
  const settings = (await readdir(root)).filter(name => CONFIG_FILES.test(name)).sort()
  const listed = await Promise.all(
    FOLDERS.map(async folder => (await listFiles(join(root, folder))).map(name => `${folder}/${name}`))
  )
  const names = [...listed.flat(), ...FILES, ...settings]
  const state = await listFileStates(root, names)
  if (cached?.root !== root || cached.state !== state) cached = { root, state, version: await hashFiles(root, names) }
  return cached.version
}

async function hashFiles(root: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const name of names) {
    const content = await readFile(join(root, name))
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function listFileStates(root: string, names: readonly string[]): Promise<string> {
  const states = await mapLimit(STAT_CONCURRENCY, names, async name => {
    const { size, mtimeMs, ctimeMs } = await stat(join(root, name))
    return `${name} ${size} ${mtimeMs} ${ctimeMs}`
  })
  return states.join('\n')
}
