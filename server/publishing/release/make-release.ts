import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap'
import { isInSitemap } from '#lib/paths.ts'
import type { Renderer, SiteAddress } from '#lib/renderer.ts'
import {
  createFileSet,
  findBrokenLinks,
  findMissingFiles,
  findUnknownScripts,
  InvalidReleaseError,
  type FileSet
} from './check.ts'
import { createWriter, DamagedReleaseError, hashContent, linkFiles, loadCompressedFiles, type Writer } from './files.ts'
import { finishRelease } from './finish-release.ts'
import { formatPolicy, pagePolicy } from './headers.ts'
import { parseElements } from './html.ts'
import {
  isPage,
  loadManifest,
  loadRecord,
  pageAddress,
  pageFile,
  type Manifest,
  type ReadRecord,
  type ReleaseFiles
} from './manifest.ts'

export interface ReleaseJob {
  id: string
  createdAt: string
  code: string
  counter: number
  siteUrl: string
  publicApiBase: string
  checkoutUrl: string
  folder: string
  client: string
  /** Folder of the live release. */
  previous?: string
  /** If true, only pages that can't be rendered are taken from the live release. */
  rendersAll: boolean
  assetsFolder: string
  /** Pictures that are only in the store. */
  remoteAssets?: readonly string[]
}

export type ReleaseResult =
  | { state: 'fresh' }
  | { state: 'made'; pages: number; rendered: number; catalog: string; warnings: readonly string[] }

export interface RenderProgress {
  rendered: number
  of: number
}

export type OnProgress = (progress: RenderProgress) => void

interface PreviousRelease extends Manifest {
  folder: string
  record: ReadRecord
}

interface Plan {
  addresses: ReadonlyMap<string, SiteAddress>
  stale: readonly string[]
  removed: readonly string[]
  hasSamePages: boolean
}

interface Draft {
  job: ReleaseJob
  plan: Plan
  /** Unchanged files are taken from this release. */
  previous: PreviousRelease | undefined
  /** Pages that can't be rendered are taken from this release. */
  last: PreviousRelease | undefined
  writer: Writer
  files: ReleaseFiles
  readsByFile: Map<string, readonly string[]>
  policies: Map<string, string>
  problems: string[]
  warnings: string[]
  /** Names of the files of pages that can't be rendered. */
  failed: string[]
}

/** Renders the pages whose data has changed and hard-links all other files. Throws InvalidReleaseError. */
export async function makeRelease(renderer: Renderer, job: ReleaseJob, onProgress: OnProgress): Promise<ReleaseResult> {
  const last = job.previous === undefined ? undefined : await loadPreviousRelease(job.previous, job.code)
  try {
    return await makeReleaseFrom(renderer, job, last, onProgress)
  } catch (error) {
    if (!(error instanceof DamagedReleaseError && last)) throw error
    await rm(job.folder, { recursive: true, force: true })
    await mkdir(job.folder)
    return makeReleaseFrom(renderer, job, undefined, onProgress)
  }
}

async function makeReleaseFrom(
  renderer: Renderer,
  job: ReleaseJob,
  last: PreviousRelease | undefined,
  onProgress: OnProgress
): Promise<ReleaseResult> {
  const previous = job.rendersAll ? undefined : last
  const plan = await makePlan(renderer, previous)
  if (plan.hasSamePages && plan.stale.length === 0) return { state: 'fresh' }
  const draft = { ...(await openDraft(job, plan, previous)), last }
  await renderStale(renderer, draft, onProgress)
  if (!plan.hasSamePages) await addSitemap(draft)
  const written = await draft.writer.finish()
  const files: ReleaseFiles = { ...draft.files, ...Object.fromEntries(written) }
  const { failed } = draft
  const missing = findMissingFiles({ has: name => Object.hasOwn(files, name) })
  const problems = [
    ...(missing.length > 0 ? failed.map(formatFailedPage) : []),
    ...missing,
    ...draft.problems,
    ...(plan.removed.length > 0 ? await findLinksToRemovedPages(draft) : [])
  ]
  if (problems.length > 0) throw new InvalidReleaseError(problems)

  const { policies, readsByFile } = draft
  const digests = await computeDigests(renderer, readsByFile)
  const catalog = createHash('sha256')
    .update(JSON.stringify([...digests].sort()))
    .digest('hex')
  await finishRelease(
    { ...job, catalog, failed },
    { files, policies, record: { digests, readsByFile }, written: [...written.keys()] }
  )
  const warnings = [...failed.map(formatFailedPage), ...draft.warnings]
  return { state: 'made', pages: policies.size, rendered: plan.stale.length - failed.length, catalog, warnings }
}

function formatFailedPage(name: string): string {
  return `${pageAddress(name)} could not be rendered`
}

async function openDraft(
  job: ReleaseJob,
  plan: Plan,
  previous: PreviousRelease | undefined
): Promise<Omit<Draft, 'last'>> {
  const draft = {
    job,
    plan,
    previous,
    writer: createWriter(job.folder),
    readsByFile: new Map(),
    policies: new Map(),
    problems: [],
    warnings: [],
    failed: []
  }
  if (!previous) {
    const files = await loadCompressedFiles(job.client)
    linkFiles(files, job.client, job.folder)
    return { ...draft, files }
  }
  const replaced = new Set([...plan.stale, ...plan.removed])
  const isUnchanged = (name: string): boolean => !replaced.has(name) && (plan.hasSamePages || !SITEMAP.test(name))
  const unchanged = Object.entries(previous.files).filter(([name]) => isUnchanged(name))
  const files = Object.fromEntries(unchanged)
  linkFiles(files, previous.folder, job.folder)
  const texts = unchanged.flatMap(([name, { policy }]) =>
    policy === undefined ? [] : [[name, previous.policies[policy] ?? ''] as const]
  )
  const reads = [...previous.record.readsByFile].filter(([name]) => !replaced.has(name))
  return { ...draft, files, readsByFile: new Map(reads), policies: new Map(texts) }
}

async function renderStale(renderer: Renderer, draft: Draft, onProgress: OnProgress): Promise<void> {
  const { job, plan, files } = draft
  const linkTargets: FileSet = {
    has: name => plan.addresses.has(name) || Object.hasOwn(files, name) || SITEMAP.test(name)
  }
  const local = createFileSet(job.assetsFolder)
  const remote = new Set(job.remoteAssets)
  const assets: FileSet = { has: name => local.has(name) || remote.has(name) }
  const knownScripts = new Set(renderer.inlineScripts)
  const policySettings = { api: job.publicApiBase, checkout: job.checkoutUrl, knownScripts }
  for (const [index, name] of plan.stale.entries()) {
    onProgress({ rendered: index, of: plan.stale.length })
    const address = plan.addresses.get(name)?.address ?? ''
    const { status, body, reads } = await renderer.render(address)
    if (status !== (name === '404.html' ? 404 : 200)) {
      draft.failed.push(name)
      keepLastVersion(draft, name)
      continue
    }
    draft.readsByFile.set(name, reads)
    if (isPage(name)) {
      const page = parseElements(body)
      draft.policies.set(name, formatPolicy(pagePolicy(pageAddress(name), page, policySettings)))
      draft.problems.push(...findBrokenLinks(name, page, linkTargets, assets))
      draft.warnings.push(...findUnknownScripts(name, page, knownScripts))
    }
    await addRendered(draft, name, Buffer.from(body))
  }
  onProgress({ rendered: plan.stale.length, of: plan.stale.length })
}

function keepLastVersion({ job, last, files, policies, readsByFile }: Draft, name: string): void {
  const file = last?.files[name]
  if (!last || !file) return
  linkFiles({ [name]: file }, last.folder, job.folder)
  files[name] = file
  readsByFile.set(name, last.record.readsByFile.get(name) ?? [])
  if (file.policy !== undefined) policies.set(name, last.policies[file.policy] ?? '')
}

/** Reads the pages that were not rendered again. Pages that failed may link to removed pages. */
async function findLinksToRemovedPages({ job, plan, files, failed }: Draft): Promise<string[]> {
  const removed = new Set(plan.removed.map(pageAddress))
  const otherFiles: FileSet = { has: name => !removed.has(pageAddress(name)) }
  const problems: string[] = []
  for (const name of Object.keys(files).filter(name => isPage(name) && !failed.includes(name))) {
    const page = parseElements(await readFile(join(job.folder, name), 'utf8'))
    problems.push(...findBrokenLinks(name, page, otherFiles, { has: () => true }))
  }
  return problems
}

async function addRendered({ job, previous, files, writer }: Draft, name: string, content: Buffer): Promise<void> {
  const previousFile = previous?.files[name]
  if (!previous || previousFile?.hash !== hashContent(content)) return writer.add(name, content)
  files[name] = previousFile
  linkFiles({ [name]: previousFile }, previous.folder, job.folder)
}

async function addSitemap({ job, policies, writer }: Draft): Promise<void> {
  const pages = [...policies.keys()].map(pageAddress)
  for (const [name, text] of await createSitemaps(pages, job.siteUrl)) await writer.add(name, text)
}

async function computeDigests(
  renderer: Renderer,
  readsByFile: ReadonlyMap<string, readonly string[]>
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const reads of readsByFile.values()) {
    for (const read of reads) if (!digests.has(read)) digests.set(read, await renderer.digestOf(read))
  }
  return digests
}

async function loadPreviousRelease(folder: string, code: string): Promise<PreviousRelease | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && manifest.code === code ? { ...manifest, folder, record } : undefined
}

async function makePlan(renderer: Renderer, previous?: PreviousRelease): Promise<Plan> {
  renderer.clearCache()
  const addresses = new Map((await renderer.list()).map(item => [toFileName(item), item]))
  const names = [...addresses.keys()]
  if (!previous) return { addresses, stale: names, removed: [], hasSamePages: false }
  const { digests, readsByFile } = previous.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const failed = new Set(previous.failed)
  const isStale = (name: string): boolean =>
    failed.has(name) || (readsByFile.get(name)?.some(read => changed.has(read)) ?? true)
  const removed = [...new Set([...readsByFile.keys(), ...failed])].filter(name => !addresses.has(name))
  const hasSamePages = removed.length === 0 && readsByFile.size === addresses.size
  return { addresses, stale: names.filter(isStale), removed, hasSamePages }
}

function toFileName({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}

/** Search engines accept 50,000 URLs per file. */
const MAX_URLS = 45_000
const INDEX = 'sitemap-index.xml'

const SITEMAP = /^sitemap-(?:index|\d+)\.xml$/

/** Returns the content of each sitemap file by name. The names are those of `@astrojs/sitemap`. */
export async function createSitemaps(addresses: readonly string[], siteUrl: string): Promise<Map<string, Buffer>> {
  const pages = addresses.filter(isInSitemap).sort()
  const files = new Map<string, Buffer>()
  for (let start = 0; start < pages.length; start += MAX_URLS) {
    const part = Readable.from(pages.slice(start, start + MAX_URLS))
    files.set(`sitemap-${files.size}.xml`, await streamToPromise(part.pipe(new SitemapStream({ hostname: siteUrl }))))
  }
  const locations = [...files.keys()].map(name => new URL(name, siteUrl).href)
  return files.set(INDEX, await streamToPromise(Readable.from(locations).pipe(new SitemapIndexStream())))
}
