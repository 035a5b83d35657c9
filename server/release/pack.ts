import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'
import { mapLimit, listFiles, flush } from './files.ts'
import { SUFFIX } from './link-files.ts'
import { ReleaseFiles, type ReleaseFile } from './manifest.ts'
import { hashOf } from './writer.ts'

const CONCURRENCY = 4

export async function packFiles(folder: string): Promise<void> {
  const names = await listFiles(folder)
  const files = await mapLimit(CONCURRENCY, names, async (name): Promise<[string, ReleaseFile]> => {
    const content = await readFile(join(folder, name))
    const encodings = await compress(join(folder, name), name, content)
    return [name, { size: content.length, hash: hashOf(content), encodings }]
  })
  const forms = files.flatMap(([name, { encodings }]) => [name, ...encodings.map(form => name + SUFFIX[form])])
  await mapLimit(
    CONCURRENCY,
    forms.map(form => join(folder, form)),
    flush
  )
  await writeFile(listFile(folder), JSON.stringify(Object.fromEntries(files)))
  await flush(listFile(folder))
}

export async function loadPacked(folder: string): Promise<ReleaseFiles> {
  return ReleaseFiles.parse(JSON.parse(await readFile(listFile(folder), 'utf8')))
}

function listFile(folder: string): string {
  return join(dirname(folder), 'files.json')
}
