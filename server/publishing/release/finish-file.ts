import { countUnknownScripts, listLinks } from './check.ts'
import { hashContent, writeCompressed } from './files.ts'
import { formatPolicy, pagePolicy, type PolicySettings } from './headers.ts'
import { parseElements } from './html.ts'
import { isPage, pageAddress, type ReleaseFile } from './manifest.ts'

export interface RenderedFile {
  folder: string
  name: string
  content: Uint8Array
  /** A file with this hash is not written. */
  previousHash?: string | undefined
  policySettings: PolicySettings
}

export interface FinishedFile {
  /** Undefined if the content has the previous hash. */
  file: ReleaseFile | undefined
  page: { policy: string; links: readonly string[]; unknownScripts: number } | undefined
}

export type FinishFile = (rendered: RenderedFile) => Promise<FinishedFile>

/** Reads what the checks and headers need, and writes the file and its compressed forms. */
export const finishFile: FinishFile = async ({ folder, name, content, previousHash, policySettings }) => {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const page = isPage(name) ? readPage(name, buffer.toString(), policySettings) : undefined
  if (hashContent(buffer) === previousHash) return { file: undefined, page }
  return { file: await writeCompressed(folder, name, buffer), page }
}

function readPage(name: string, html: string, settings: PolicySettings): FinishedFile['page'] {
  const elements = parseElements(html)
  return {
    policy: formatPolicy(pagePolicy(pageAddress(name), elements, settings)),
    links: listLinks(elements),
    unknownScripts: countUnknownScripts(elements, settings.knownScripts)
  }
}
