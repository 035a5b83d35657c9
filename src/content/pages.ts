import { isPage } from '#lib/paths.ts'
import { fetchSiteContent, memoize } from './reads.ts'

const loadPages = memoize(async () => {
  const { products, posts, collections } = await fetchSiteContent()
  const idsOf = (items: readonly { id: string }[]): Set<string> =>
    new Set(items.map(({ id }) => id))
  return { products: idsOf(products), posts: idsOf(posts), collections: idsOf(collections) }
})

/**
 * Links to other addresses of the shop must be left out, because publishing fails if a page has a
 * broken link.
 */
export async function readIsPage(): Promise<(address: string) => boolean> {
  const pages = await loadPages()
  return address => isPage(address, pages)
}
