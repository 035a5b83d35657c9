import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'
import { eachAtMost, filesUnder, flush } from './files.ts'
import { SUFFIX } from './links.ts'
import { ReleaseFiles, type ReleaseFile } from './manifest.ts'
import { hashOf } from './writer.ts'

const AT_ONCE = 4

/** Adds compressed forms to the files that come with the code, once for all releases of it, and lists them beside the folder. */
export async function packFiles(folder: string): Promise<void> {
  const names = await filesUnder(folder)
  const files = await eachAtMost(AT_ONCE, names, async (name): Promise<[string, ReleaseFile]> => {
    const content = await readFile(join(folder, name))
    const encodings = await compress(join(folder, name), name, content)
    return [name, { size: content.length, hash: hashOf(content), encodings }]
  })
  const forms = files.flatMap(([name, { encodings }]) => [name, ...encodings.map(form => name + SUFFIX[form])])
  await eachAtMost(
    AT_ONCE,
    forms.map(form => join(folder, form)),
    flush
  )
  await writeFile(listOf(folder), JSON.stringify(Object.fromEntries(files)))
  await flush(listOf(folder))
}

/** What `packFiles` listed. */
export async function loadPacked(folder: string): Promise<ReleaseFiles> {
  return ReleaseFiles.parse(JSON.parse(await readFile(listOf(folder), 'utf8')))
}

function listOf(folder: string): string {
  return join(dirname(folder), 'files.json')
}
