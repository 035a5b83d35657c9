import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parsePolicy, type Policy } from './csp.ts'
import { mapLimit, flush } from './files.ts'
import { headersFile, siteHeaders } from './headers.ts'
import { SUFFIX } from './link-files.ts'
import { MANIFEST, pageAddress, type Manifest, type ReleaseFiles } from './manifest.ts'
import { recordFile, formatRecord, type ReadRecord } from './record.ts'

const CONCURRENCY = 16

interface ReleaseInfo extends Pick<Manifest, 'id' | 'createdAt' | 'code' | 'counter' | 'catalog'> {
  folder: string
  siteUrl: string
}

interface ReleaseContent {
  files: ReleaseFiles
  policies: ReadonlyMap<string, string>
  record: ReadRecord
  written: readonly string[]
}

export async function finishRelease(
  about: ReleaseInfo,
  { files, policies, record, written }: ReleaseContent
): Promise<void> {
  const { id, createdAt, code, counter, catalog, folder } = about
  const headers = siteHeaders(about.siteUrl)
  const texts = [...new Set(policies.values())]
  const numbers = new Map(texts.map((text, number) => [text, number]))
  const listed = Object.entries(files).map(([name, { size, hash, encodings }]) => {
    const policy = numbers.get(policies.get(name) ?? '')
    return [name, { size, hash, encodings, ...(policy !== undefined && { policy }) }] as const
  })
  const manifest: Manifest = {
    ...{ id, createdAt, code, counter, catalog, headers },
    policies: texts,
    files: Object.fromEntries(listed)
  }
  await writeFile(join(folder, '_headers'), headersFile(headers, byAddress(policies, texts)))
  await writeFile(recordFile(folder), formatRecord(record))
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))

  const forms = written.flatMap(name => [name, ...(files[name]?.encodings ?? []).map(form => name + SUFFIX[form])])
  const folders = new Set(Object.keys(files).map(name => dirname(name)))
  const fresh = [...forms.map(form => join(folder, form)), join(folder, '_headers'), recordFile(folder)]
  await mapLimit(CONCURRENCY, [...fresh, join(folder, MANIFEST)], flush)
  await mapLimit(
    CONCURRENCY,
    [...folders].map(name => join(folder, name)),
    flush
  )
}

function byAddress(policies: ReadonlyMap<string, string>, texts: readonly string[]): Map<string, Policy> {
  const known = new Map(texts.map(text => [text, parsePolicy(text)]))
  return new Map(
    [...policies].flatMap(([name, text]) => {
      const policy = known.get(text)
      return policy ? [[pageAddress(name), policy]] : []
    })
  )
}
