import { isPrivate, paths } from '#lib/paths.ts'
import type { Element } from './html.ts'
import { pageAddress, pageFile } from './manifest.ts'

/** A built site that must not be published; the message says the first reason, `problems` the first twenty. */
export class InvalidReleaseError extends Error {
  override readonly name = 'InvalidReleaseError'
  readonly problems: readonly string[]
  readonly count: number

  constructor(problems: readonly string[], count = problems.length) {
    super(`${problems[0]}${count > 1 ? ` (and ${count - 1} more problems)` : ''}`)
    this.problems = problems.slice(0, MOST_LISTED)
    this.count = count
  }
}

const MOST_LISTED = 20
const REQUIRED = ['index.html', 'products.html', '404.html', 'sitemap-index.xml']
const LINKS: Record<string, readonly string[]> = {
  a: ['href'],
  link: ['href'],
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  'astro-island': ['component-url', 'renderer-url']
}

/** Names of files, however they are known. */
export type Names = Pick<ReadonlySet<string>, 'has'>

/** What a site lacks that has `files`. */
export function missingFiles(files: Names): string[] {
  return REQUIRED.filter(name => !files.has(name)).map(name => `${name} is missing`)
}

/** What the page in file `name` refers to on this site and is neither in `files` nor in `assets`. */
export function deadLinks(name: string, page: readonly Element[], files: Names, assets: Names): string[] {
  const links = new Set(page.flatMap(references))
  return [...links]
    .filter(link => !leadsSomewhere(link, files, assets))
    .map(link => `${pageAddress(name)} refers to ${link}, which is not there`)
}

function references({ name, attributes }: Element): string[] {
  const values = (LINKS[name] ?? []).flatMap(attribute => {
    const value = attributes.get(attribute)
    if (value === undefined) return []
    return attribute === 'srcset' ? value.split(',').map(part => part.trim().split(/\s+/)[0] ?? '') : [value]
  })
  return values.filter(value => /^\/(?![/\\])/.test(value))
}

function leadsSomewhere(link: string, files: Names, assets: Names): boolean {
  const path = decoded(link.replace(/[?#].*$/, ''))
  if (path === undefined) return false
  if (path.startsWith('/assets/')) return assets.has(path.slice('/assets/'.length))
  // The shopper's own pages and the deals come with their features, and are linked from the first day on.
  const comes = isPrivate(path) || path === paths.deals
  return comes || path.startsWith('/api/') || files.has(pageFile(path)) || files.has(path.slice(1))
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
