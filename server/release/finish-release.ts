import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { policyOf, type Policy } from './csp.ts'
import { eachAtMost, flush } from './files.ts'
import { headersFile, siteHeaders } from './headers.ts'
import { SUFFIX } from './links.ts'
import { MANIFEST, pageAddress, type Manifest, type ReleaseFiles } from './manifest.ts'
import { recordFile, recordText, type ReadRecord } from './record.ts'

const FLUSHED_AT_ONCE = 16

interface About extends Pick<Manifest, 'id' | 'createdAt' | 'code' | 'counter' | 'catalog'> {
  folder: string
  siteUrl: string
}

interface Parts {
  files: ReleaseFiles
  /** The policy of each page, as text, by file. */
  policies: ReadonlyMap<string, string>
  record: ReadRecord
  /** Of the files, those that are new on disk. */
  written: readonly string[]
}

/** Adds what tells of a release's files, for this shop, for CDN hosts and for the next release, and makes it outlive a power cut. */
export async function finishRelease(about: About, { files, policies, record, written }: Parts): Promise<void> {
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
  await writeFile(recordFile(folder), recordText(record))
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))

  const forms = written.flatMap(name => [name, ...(files[name]?.encodings ?? []).map(form => name + SUFFIX[form])])
  const folders = new Set(Object.keys(files).map(name => dirname(name)))
  const fresh = [...forms.map(form => join(folder, form)), join(folder, '_headers'), recordFile(folder)]
  await eachAtMost(FLUSHED_AT_ONCE, [...fresh, join(folder, MANIFEST)], flush)
  await eachAtMost(
    FLUSHED_AT_ONCE,
    [...folders].map(name => join(folder, name)),
    flush
  )
}

function byAddress(policies: ReadonlyMap<string, string>, texts: readonly string[]): Map<string, Policy> {
  const known = new Map(texts.map(text => [text, policyOf(text)]))
  return new Map(
    [...policies].flatMap(([name, text]) => {
      const policy = known.get(text)
      return policy ? [[pageAddress(name), policy]] : []
    })
  )
}
