import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parsePolicy, type Policy } from './csp.ts'
import { mapLimit, flush } from './files.ts'
import { formatHeadersFile, siteHeaders } from './headers.ts'
import { ENCODING_SUFFIX } from './link-files.ts'
import { MANIFEST_FILE, pageAddress, type Manifest, type ReleaseFiles } from './manifest.ts'
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
  release: ReleaseInfo,
  { files, policies, record, written }: ReleaseContent
): Promise<void> {
  const { id, createdAt, code, counter, catalog, folder } = release
  const headers = siteHeaders(release.siteUrl)
  const policyTexts = [...new Set(policies.values())]
  const policyIndexes = new Map(policyTexts.map((text, number) => [text, number]))
  const listed = Object.entries(files).map(([name, { size, hash, encodings }]) => {
    const policy = policyIndexes.get(policies.get(name) ?? '')
    return [name, { size, hash, encodings, ...(policy !== undefined && { policy }) }] as const
  })
  const manifest: Manifest = {
    id,
    createdAt,
    code,
    counter,
    catalog,
    headers,
    policies: policyTexts,
    files: Object.fromEntries(listed)
  }
  await writeFile(join(folder, '_headers'), formatHeadersFile(headers, policiesByAddress(policies, policyTexts)))
  await writeFile(recordFile(folder), formatRecord(record))
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest))

  const storedNames = written.flatMap(name => [
    name,
    ...(files[name]?.encodings ?? []).map(encoding => name + ENCODING_SUFFIX[encoding])
  ])
  const folders = new Set(Object.keys(files).map(name => dirname(name)))
  const newFiles = [...storedNames.map(name => join(folder, name)), join(folder, '_headers'), recordFile(folder)]
  await mapLimit(CONCURRENCY, [...newFiles, join(folder, MANIFEST_FILE)], flush)
  await mapLimit(
    CONCURRENCY,
    [...folders].map(name => join(folder, name)),
    flush
  )
}

function policiesByAddress(policies: ReadonlyMap<string, string>, policyTexts: readonly string[]): Map<string, Policy> {
  const parsedPolicies = new Map(policyTexts.map(text => [text, parsePolicy(text)]))
  return new Map(
    [...policies].flatMap(([name, text]) => {
      const policy = parsedPolicies.get(text)
      return policy ? [[pageAddress(name), policy]] : []
    })
  )
}
