import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { isInSitemap } from '#lib/paths.ts'

const MAX_URLS = 45_000
const INDEX = 'sitemap-index.xml'

export const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

const collator = new Intl.Collator('en', { numeric: true })

/** Returns the content of each sitemap file by name. The files are byte-identical to those of `@astrojs/sitemap`. */
export async function createSitemaps(addresses: readonly string[], siteUrl: string): Promise<Map<string, Buffer>> {
  const urls = addresses
    .filter(isInSitemap)
    .map(address => new URL(address, siteUrl).href)
    .sort(collator.compare)
  const files = new Map<string, Buffer>()
  for (let part = 0; part * MAX_URLS < urls.length; part++) {
    const partUrls = urls.slice(part * MAX_URLS, (part + 1) * MAX_URLS)
    files.set(`sitemap-${part}.xml`, await renderUrls(partUrls, new SitemapStream({ hostname: siteUrl })))
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(INDEX, await renderUrls(locations, new SitemapIndexStream()))
}

function renderUrls(urls: readonly string[], into: SitemapStream | SitemapIndexStream): Promise<Buffer> {
  return streamToPromise(Readable.from(urls.map(url => ({ url }))).pipe(into))
}
