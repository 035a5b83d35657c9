import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Renderer, SiteAddress } from '#lib/renderer.ts'
import { countUnknownScripts, listLinks, parseElements } from './check.ts'
import { hashContent, writeCompressed } from './files.ts'
import { formatPolicy, pagePolicy, type PolicySettings } from './headers.ts'
import {
  isPage,
  pageAddress,
  type ReleaseFile,
  pageFile,
  type PreviousRelease
} from './manifest.ts'

export interface FileToRender {
  folder: string
  name: string
  address: string
  previousHash?: string | undefined
  api: string
  checkout: string
}

export interface RenderedFile {
  reads: readonly string[]
  file: ReleaseFile | undefined
  page: { policy: string; links: readonly string[]; unknownScripts: number } | undefined
}

/** A renderer can render only one page at a time. */
const oneAtATime = pLimit(1)

export async function renderFile(
  renderer: Renderer,
  file: FileToRender
): Promise<RenderedFile | undefined> {
  const { folder, name, address, previousHash, api, checkout } = file
  const { status, body, reads } = await oneAtATime(async () => {
    // Lets the event loop handle the messages of the other process first.
    await setImmediate()
    return renderer.render(address)
  })
  if (status !== (name === '404.html' ? 404 : 200)) return undefined
  const page = isPage(name)
    ? readPage(name, body.toString(), { api, checkout, knownScripts: renderer.inlineScripts })
    : undefined
  if (hashContent(body) === previousHash) return { reads, file: undefined, page }
  return { reads, file: writeCompressed(folder, name, body), page }
}

function readPage(name: string, html: string, settings: PolicySettings): RenderedFile['page'] {
  const elements = parseElements(html)
  return {
    policy: formatPolicy(pagePolicy(pageAddress(name), elements, settings)),
    links: listLinks(elements),
    unknownScripts: countUnknownScripts(elements, settings.knownScripts)
  }
}

export interface RenderPlan {
  addresses: ReadonlyMap<string, SiteAddress>
  stale: readonly string[]
  removed: readonly string[]
  hasSamePages: boolean
}

export async function planRender(renderer: Renderer, base?: PreviousRelease): Promise<RenderPlan> {
  const addresses = new Map((await renderer.list()).map(item => [toFileName(item), item]))
  const names = [...addresses.keys()]
  if (!base) return { addresses, stale: names, removed: [], hasSamePages: false }
  const { digests, readsByFile } = base.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const failed = new Set(base.failed)
  const isStale = (name: string): boolean =>
    failed.has(name) || (readsByFile.get(name)?.some(read => changed.has(read)) ?? true)
  const removed = [...new Set([...readsByFile.keys(), ...failed])].filter(
    name => !addresses.has(name)
  )
  const hasSamePages = removed.length === 0 && readsByFile.size === addresses.size
  return { addresses, stale: names.filter(isStale), removed, hasSamePages }
}

function toFileName({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}
