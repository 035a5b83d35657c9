import { isPrivatePath, paths } from '#lib/paths.ts'
import { pageAddress, pageFile } from './manifest.ts'
import { Parser } from 'htmlparser2'

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

export interface Element {
  name: string
  /** Entities, such as `&amp;`, are not decoded. */
  attributes: ReadonlyMap<string, string>
  text: string
}

// Scripts of other types, such as JSON-LD, are data. Browsers don't run them.
const EXECUTABLE_TYPE = /^(?:|module|(?:text|application)\/javascript|importmap|speculationrules)$/i

export function isInlineScript({ name, attributes }: Element): boolean {
  return (
    name === 'script' &&
    !attributes.has('src') &&
    EXECUTABLE_TYPE.test((attributes.get('type') ?? '').trim())
  )
}

export function parseElements(html: string): Element[] {
  const elements: Element[] = []
  let inline: Element | undefined
  const handlers = {
    onopentag(name: string, attributes: Record<string, string>) {
      const element = { name, attributes: new Map(Object.entries(attributes)), text: '' }
      elements.push(element)
      inline = name === 'script' || name === 'style' ? element : undefined
    },
    ontext(text: string) {
      if (inline) inline.text += text
    },
    onclosetag: () => void (inline = undefined)
  }
  // Decoding takes half of the time, and no check needs the few values that contain entities.
  const parser = new Parser(handlers, { decodeEntities: false })
  // Browsers normalise newlines before they compute hashes for the Content-Security-Policy.
  parser.end(html.replace(/\r\n?/g, '\n'))
  return elements
}
