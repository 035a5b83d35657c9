import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesUnder } from './files.ts'

/** What pages and their headers are made by, besides the data. */
const FOLDERS = ['src', 'public', 'server/release']
const SETTINGS = /^(?:(?:astro|tailwind)\b.*\.(?:mjs|js|ts)|tsconfig\.json|package-lock\.json)$/

/** A hash over every file that decides what a release looks like; `root` is the folder of package.json. */
export async function codeVersion(root: string): Promise<string> {
  const settings = (await readdir(root)).filter(name => SETTINGS.test(name)).sort()
  const listed = await Promise.all(
    FOLDERS.map(async folder => (await filesUnder(join(root, folder))).map(name => `${folder}/${name}`))
  )
  const hash = createHash('sha256')
  for (const name of [...listed.flat(), ...settings]) {
    const content = await readFile(join(root, name))
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
