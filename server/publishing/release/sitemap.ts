import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { isInSitemap } from '#lib/paths.ts'

/** Search engines accept 50,000 URLs per file. */
const MAX_URLS = 45_000
const INDEX = 'sitemap-index.xml'

export const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

/** Returns the content of each sitemap file by name. The names are those of `@astrojs/sitemap`. */
export async function createSitemaps(addresses: readonly string[], siteUrl: string): Promise<Map<string, Buffer>> {
  const pages = addresses.filter(isInSitemap).sort()
  const files = new Map<string, Buffer>()
  for (let start = 0; start < pages.length; start += MAX_URLS) {
    const part = Readable.from(pages.slice(start, start + MAX_URLS))
    files.set(`sitemap-${files.size}.xml`, await streamToPromise(part.pipe(new SitemapStream({ hostname: siteUrl }))))
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(INDEX, await streamToPromise(Readable.from(locations).pipe(new SitemapIndexStream())))
}
