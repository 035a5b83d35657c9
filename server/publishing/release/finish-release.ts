import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise, type SitemapItemLoose } from 'sitemap'
import { LANGUAGE_CODES } from '#lib/constants.ts'
import { isInSitemap, localPath, toEnglishPath } from '#lib/paths.ts'
import type { Renderer } from '#lib/renderer.ts'
import { flushAll } from '../../platform/storage/files.ts'
import { listStoredNames } from './files.ts'
import { formatHostFiles, siteHeaders } from './headers.ts'
import {
  formatRecord,
  MANIFEST_FILE,
  pageAddress,
  RECORD_FILE,
  type Manifest,
  type ReadRecord,
  type ReleaseFiles
} from './store.ts'

interface ReleaseInfo extends Pick<
  Manifest,
  'id' | 'createdAt' | 'code' | 'counter' | 'levels' | 'failed'
> {
  folder: string
  siteUrl: string
}

interface ReleaseContent {
  files: ReleaseFiles
  policies: ReadonlyMap<string, string>
  readsByFile: ReadRecord['readsByFile']
  written: Iterable<string>
}

/** Returns the hash of all that the pages have read. */
export async function finishRelease(
  renderer: Renderer,
  { folder, siteUrl, id, createdAt, code, counter, levels, failed }: ReleaseInfo,
  { files, policies, readsByFile, written }: ReleaseContent
): Promise<string> {
  const digests = new Map<string, string>()
  for (const read of new Set([...readsByFile.values()].flat()))
    digests.set(read, await renderer.digestOf(read))
  const lines = [...digests].map(([read, digest]) => `${read} ${digest}`).sort()
  const catalog = createHash('sha256').update(lines.join('\n')).digest('hex')

  // Two processes render, so the order of the pages depends on chance.
  const texts = [...new Set(policies.values())].sort()
  const indexes = new Map(texts.map((text, index) => [text, index]))
  const manifest: Manifest = {
    ...{ id, createdAt, code, counter, levels, catalog, failed, policies: texts },
    headers: siteHeaders(siteUrl),
    files: Object.fromEntries(
      Object.entries(files).map(([name, { policy: _previous, ...file }]) => {
        const policy = indexes.get(policies.get(name) ?? '')
        return [name, { ...file, ...(policy !== undefined && { policy }) }]
      })
    )
  }
  const policyByAddress = [...policies].map(([name, text]) => [pageAddress(name), text] as const)
  const details = {
    ...formatHostFiles(siteUrl, new Map(policyByAddress)),
    [RECORD_FILE]: formatRecord({ digests, readsByFile }),
    [MANIFEST_FILE]: JSON.stringify(manifest)
  }
  for (const [name, text] of Object.entries(details)) await writeFile(join(folder, name), text)

  const folders = new Set(Object.keys(files).map(name => dirname(name)))
  const newNames = [...written].flatMap(name => listStoredNames(name, files[name]))
  await flushAll(folder, [...newNames, ...Object.keys(details), ...folders])
  return catalog
}

const MAX_URLS = 45_000

export const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

function toSitemapItem(url: string): SitemapItemLoose {
  const path = toEnglishPath(url)
  return { url, links: LANGUAGE_CODES.map(lang => ({ lang, url: localPath(path, lang) })) }
}

export async function createSitemaps(
  addresses: readonly string[],
  siteUrl: string
): Promise<Map<string, Buffer>> {
  const pages = addresses.filter(isInSitemap).sort()
  const files = new Map<string, Buffer>()
  for (let start = 0; start < pages.length; start += MAX_URLS) {
    const part = Readable.from(pages.slice(start, start + MAX_URLS).map(toSitemapItem))
    files.set(
      `sitemap-${files.size}.xml`,
      await streamToPromise(part.pipe(new SitemapStream({ hostname: siteUrl })))
    )
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(
    'sitemap-index.xml',
    await streamToPromise(Readable.from(locations).pipe(new SitemapIndexStream()))
  )
}
