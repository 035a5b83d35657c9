import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageAddress } from './manifest.ts'

/** Which of the pages still refer to a page that is gone. A page that reads the list it links to never does. */
export async function lostLinks(folder: string, pages: readonly string[], gone: readonly string[]): Promise<string[]> {
  if (gone.length === 0) return []
  const links = new Map(gone.map(name => [`"${encodeURI(pageAddress(name))}"`, pageAddress(name)]))
  const problems: string[] = []
  for (const name of pages) {
    const text = await readFile(join(folder, name), 'utf8')
    for (const [link, address] of links) {
      if (text.includes(link)) problems.push(`${pageAddress(name)} refers to ${address}, which is not there`)
    }
  }
  return problems
}
