import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { isInSitemap } from '#lib/paths.ts'
import { flushAll } from '../../platform/storage/files.ts'
import { listStoredNames } from './files.ts'
import { parsePolicy, siteHeaders, formatHostFiles } from './headers.ts'
import {
  formatRecord,
  type Manifest,
  MANIFEST_FILE,
  pageAddress,
  type ReadRecord,
  RECORD_FILE,
  type ReleaseFiles
} from './manifest.ts'

interface ReleaseInfo extends Pick<
  Manifest,
  'id' | 'createdAt' | 'code' | 'counter' | 'levels' | 'catalog' | 'failed'
> {
  folder: string
  siteUrl: string
}

interface ReleaseContent {
  files: ReleaseFiles
  policies: ReadonlyMap<string, string>
  record: ReadRecord
  written: readonly string[]
}

export async function finishRelease(release: ReleaseInfo, content: ReleaseContent): Promise<void> {
  const { files, record, written } = content
  // Two processes render, so the order of the pages depends on chance.
  const policies = new Map([...content.policies].sort(([a], [b]) => (a < b ? -1 : 1)))
  const { id, createdAt, code, counter, levels, catalog, failed, folder } = release
  const headers = siteHeaders(release.siteUrl)
  const texts = [...new Set(policies.values())]
  const indexes = new Map(texts.map((text, index) => [text, index]))
  const manifest: Manifest = {
    id,
    createdAt,
    code,
    counter,
    levels,
    catalog,
    headers,
    failed,
    policies: texts,
    files: Object.fromEntries(
      Object.entries(files).map(([name, { policy: _previous, ...file }]) => {
        const policy = indexes.get(policies.get(name) ?? '')
        return [name, { ...file, ...(policy !== undefined && { policy }) }]
      })
    )
  }
  const parsed = new Map(texts.map(text => [text, parsePolicy(text)]))
  const policiesByAddress = [...policies].map(
    ([name, text]) => [pageAddress(name), parsed.get(text) ?? new Map()] as const
  )
  const details = {
    ...formatHostFiles(release.siteUrl, new Map(policiesByAddress)),
    [RECORD_FILE]: formatRecord(record),
    [MANIFEST_FILE]: JSON.stringify(manifest)
  }
  for (const [name, text] of Object.entries(details)) await writeFile(join(folder, name), text)

  const newNames = [
    ...written.flatMap(name => listStoredNames(name, files[name])),
    ...Object.keys(details)
  ]
  const folders = new Set(Object.keys(files).map(name => dirname(name)))
  await flushAll(folder, [...newNames, ...folders])
}

/** Search engines accept 50,000 URLs per file. */
const MAX_URLS = 45_000
const INDEX = 'sitemap-index.xml'

export const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

export async function createSitemaps(
  addresses: readonly string[],
  siteUrl: string
): Promise<Map<string, Buffer>> {
  const pages = addresses.filter(isInSitemap).sort()
  const files = new Map<string, Buffer>()
  for (let start = 0; start < pages.length; start += MAX_URLS) {
    const part = Readable.from(pages.slice(start, start + MAX_URLS))
    files.set(
      `sitemap-${files.size}.xml`,
      await streamToPromise(part.pipe(new SitemapStream({ hostname: siteUrl })))
    )
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(
    INDEX,
    await streamToPromise(Readable.from(locations).pipe(new SitemapIndexStream()))
  )
}
