import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { isListed } from '#lib/paths.ts'

/** How many addresses a sitemap holds, as `@astrojs/sitemap` has it. */
const MOST = 45_000
const INDEX = 'sitemap-index.xml'

/** The names of the files that `writeSitemap` writes. */
export const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

const collator = new Intl.Collator('en', { numeric: true })

/** The sitemaps and their index by file name, byte for byte as `@astrojs/sitemap` writes them. */
export async function sitemap(addresses: readonly string[], siteUrl: string): Promise<Map<string, Buffer>> {
  const urls = addresses
    .filter(isListed)
    .map(address => new URL(address, siteUrl).href)
    .sort(collator.compare)
  const files = new Map<string, Buffer>()
  for (let part = 0; part * MOST < urls.length; part++) {
    const some = urls.slice(part * MOST, (part + 1) * MOST)
    files.set(`sitemap-${part}.xml`, await written(some, new SitemapStream({ hostname: siteUrl })))
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(INDEX, await written(locations, new SitemapIndexStream()))
}

function written(urls: readonly string[], into: SitemapStream | SitemapIndexStream): Promise<Buffer> {
  return streamToPromise(Readable.from(urls.map(url => ({ url }))).pipe(into))
}
