import type { Renderer } from '#lib/renderer.ts'
import { createFileSet, createLinkCheck, findBrokenLinks, findUnknownScripts } from './check.ts'
import { createWriter, hashContent, linkFiles } from './files.ts'
import { formatPolicy, pagePolicy } from './headers.ts'
import { parseElements } from './html.ts'
import type { ReleaseJob } from './make-release.ts'
import { isPage, pageAddress, type ReleaseFiles } from './manifest.ts'

interface PagesToRender {
  job: Pick<ReleaseJob, 'folder' | 'assetsFolder' | 'publicApiBase' | 'checkoutUrl'>
  pages: readonly (readonly [name: string, address: string])[]
  /** Names of the files that pages may link to. */
  linkTargets: ReadonlySet<string>
  /** A page that has the same content in this release is hard-linked. */
  previous: { folder: string; files: ReleaseFiles } | undefined
  onPage: (index: number) => void
}

interface RenderedPages {
  files: ReleaseFiles
  readsByFile: ReadonlyMap<string, readonly string[]>
  policies: ReadonlyMap<string, string>
  problems: readonly string[]
  warnings: readonly string[]
  /** Names of the files of pages that can't be rendered. */
  failed: readonly string[]
}

/** Renders, checks, compresses and writes pages. */
export async function renderPages(
  renderer: Renderer,
  { job, pages, linkTargets, previous, onPage }: PagesToRender
): Promise<RenderedPages> {
  const { folder, assetsFolder, publicApiBase, checkoutUrl } = job
  const writer = createWriter(folder)
  const linkExists = createLinkCheck(linkTargets, createFileSet(assetsFolder))
  const knownScripts = new Set(renderer.inlineScripts)
  const policySettings = { api: publicApiBase, checkout: checkoutUrl, knownScripts }
  const linked: ReleaseFiles = {}
  const readsByFile = new Map<string, readonly string[]>()
  const policies = new Map<string, string>()
  const problems: string[] = []
  const warnings: string[] = []
  const failed: string[] = []
  for (const [index, [name, address]] of pages.entries()) {
    onPage(index)
    const { status, body, reads } = await renderer.render(address)
    if (status !== (name === '404.html' ? 404 : 200)) {
      failed.push(name)
      continue
    }
    readsByFile.set(name, reads)
    if (isPage(name)) {
      const page = parseElements(body)
      policies.set(name, formatPolicy(pagePolicy(pageAddress(name), page, policySettings)))
      problems.push(...findBrokenLinks(name, page, linkExists))
      warnings.push(...findUnknownScripts(name, page, knownScripts))
    }
    const content = Buffer.from(body)
    const previousFile = previous?.files[name]
    if (previous && previousFile?.hash === hashContent(content)) {
      linked[name] = previousFile
      linkFiles({ [name]: previousFile }, previous.folder, folder)
    } else await writer.add(name, content)
  }
  const files = { ...linked, ...Object.fromEntries(await writer.finish()) }
  return { files, readsByFile, policies, problems, warnings, failed }
}
