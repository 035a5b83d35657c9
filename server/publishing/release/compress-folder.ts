import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'
import { mapLimit, listFiles, flush } from './files.ts'
import { ENCODING_SUFFIX } from './link-files.ts'
import { ReleaseFiles, type ReleaseFile } from './manifest.ts'
import { hashContent } from './writer.ts'

const CONCURRENCY = 4

export async function compressFolder(folder: string): Promise<void> {
  const names = await listFiles(folder)
  const files = await mapLimit(CONCURRENCY, names, async (name): Promise<[string, ReleaseFile]> => {
    const content = await readFile(join(folder, name))
    const encodings = await compress(join(folder, name), name, content)
    return [name, { size: content.length, hash: hashContent(content), encodings }]
  })
  const storedNames = files.flatMap(([name, { encodings }]) => [
    name,
    ...encodings.map(encoding => name + ENCODING_SUFFIX[encoding])
  ])
  await mapLimit(
    CONCURRENCY,
    storedNames.map(name => join(folder, name)),
    flush
  )
  await writeFile(listFile(folder), JSON.stringify(Object.fromEntries(files)))
  await flush(listFile(folder))
}

export async function loadCompressedFiles(folder: string): Promise<ReleaseFiles> {
  return ReleaseFiles.parse(JSON.parse(await readFile(listFile(folder), 'utf8')))
}

function listFile(folder: string): string {
  return join(dirname(folder), 'files.json')
}
