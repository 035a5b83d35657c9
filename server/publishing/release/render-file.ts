import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Renderer } from '#lib/renderer.ts'
import { countUnknownScripts, listLinks } from './check.ts'
import { hashContent, writeCompressed } from './files.ts'
import { formatPolicy, pagePolicy, type PolicySettings } from './headers.ts'
import { parseElements } from './html.ts'
import { isPage, pageAddress, type ReleaseFile } from './manifest.ts'

export interface FileToRender {
  folder: string
  name: string
  address: string
  /** A file with this hash is not written. */
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
