import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageAddress } from './manifest.ts'

/** Finds links to removed pages in pages that were not rendered again. */
export async function findLinksToRemovedPages(
  folder: string,
  pages: readonly string[],
  removed: readonly string[]
): Promise<string[]> {
  if (removed.length === 0) return []
  const links = new Map(removed.map(name => [`"${encodeURI(pageAddress(name))}"`, pageAddress(name)]))
  const problems: string[] = []
  for (const name of pages) {
    const text = await readFile(join(folder, name), 'utf8')
    for (const [link, address] of links) {
      if (text.includes(link)) problems.push(`${pageAddress(name)} links to ${address}, which does not exist`)
    }
  }
  return problems
}
