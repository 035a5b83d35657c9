import { isPrivatePath, paths } from '#lib/paths.ts'
import { isInlineScript, type Element } from './html.ts'
import { pageAddress, pageFile } from './manifest.ts'

export class InvalidReleaseError extends Error {
  override readonly name = 'InvalidReleaseError'
  readonly problems: readonly string[]
  readonly count: number

  constructor(problems: readonly string[], count = problems.length) {
    super(`${problems[0]}${count > 1 ? ` (and ${count - 1} more)` : ''}`)
    this.problems = problems.slice(0, MAX_LISTED_PROBLEMS)
    this.count = count
  }
}

const MAX_LISTED_PROBLEMS = 20
const REQUIRED_FILES = ['index.html', 'products.html', '404.html', 'sitemap-index.xml']
const LINK_ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  link: ['href'],
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  use: ['href'],
  'astro-island': ['component-url', 'renderer-url']
}

type FileSet = Pick<ReadonlySet<string>, 'has'>

export function findMissingFiles(files: FileSet): string[] {
  return REQUIRED_FILES.filter(name => !files.has(name)).map(name => `${name} is missing`)
}

export function listLinks(page: readonly Element[]): string[] {
  return [...new Set(page.flatMap(listElementLinks))]
}

export function findBrokenLinks(
  name: string,
  links: readonly string[],
  files: FileSet,
  assets: FileSet
): string[] {
  return links
    .filter(link => !linkExists(link, files, assets))
    .map(link => `${pageAddress(name)} links to ${link}, which does not exist`)
}

export function countUnknownScripts(page: readonly Element[], known: ReadonlySet<string>): number {
  return page.filter(element => isInlineScript(element) && !known.has(element.text)).length
}

function listElementLinks({ name, attributes }: Element): string[] {
  const values = (LINK_ATTRIBUTES[name] ?? []).flatMap(attribute => {
    const value = attributes.get(attribute)
    if (value === undefined) return []
    return attribute === 'srcset'
      ? value.split(',').map(part => part.trim().split(/\s+/)[0] ?? '')
      : [value]
  })
  return values.filter(value => /^\/(?![/\\])/.test(value))
}

function linkExists(link: string, files: FileSet, assets: FileSet): boolean {
  const path = decodePath(link.replace(/[?#].*$/, ''))
  if (path === undefined) return false
  if (path.startsWith('/assets/')) return assets.has(path.slice('/assets/'.length))
  const isDynamic = isPrivatePath(path) || path === paths.deals
  return (
    isDynamic || path.startsWith('/api/') || files.has(pageFile(path)) || files.has(path.slice(1))
  )
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
