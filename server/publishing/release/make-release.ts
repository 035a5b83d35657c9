import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listPictureFiles } from '#lib/images.ts'
import type { Renderer, SiteSource } from '#lib/renderer.ts'
import { DAY } from '#lib/time.ts'
import {
  findBrokenLinks,
  findMissingFiles,
  InvalidReleaseError,
  listLinks,
  parseElements
} from './check.ts'
import { DamagedReleaseError, linkFiles, loadCompressedFiles, writeCompressed } from './files.ts'
import { createSitemaps, finishRelease, SITEMAP } from './finish-release.ts'
import {
  isPage,
  keepHashedFiles,
  loadPreviousRelease,
  pageAddress,
  type PreviousRelease,
  type ReleaseFile,
  type ReleaseFiles
} from './manifest.ts'
import {
  planRender,
  type RenderPlan,
  renderFile,
  type FileToRender,
  type RenderedFile
} from './render-file.ts'

export interface ReleaseJob {
  id: string
  createdAt: string
  code: string
  counter: number
  levels: number
  siteUrl: string
  publicApiBase: string
  checkoutUrl: string
  folder: string
  client: string
  lastFolder?: string
  /** If true, only pages that can't be rendered are taken from the last release. */
  rendersAll: boolean
  source: SiteSource
  pictures: readonly { key: string; width: number }[]
}

export type ReleaseResult =
  | { state: 'fresh' }
  | { state: 'made'; pages: number; rendered: number; catalog: string; warnings: readonly string[] }

export interface RenderProgress {
  rendered: number
  of: number
}

export type OnProgress = (progress: RenderProgress) => void

export type OpenHelper = (source: SiteSource) => RenderFile
type RenderFile = (file: FileToRender) => Promise<RenderedFile | undefined>

/** With fewer pages, another process would take longer to start than it saves. */
const MIN_PAGES_FOR_HELPER = 100
/** The other process renders one file while others already wait there, so that it is never idle. */
const FILES_IN_HELPER = 4

interface Draft {
  job: ReleaseJob
  plan: RenderPlan
  /** Unchanged files are taken from this release. Undefined if all pages are rendered. */
  base: PreviousRelease | undefined
  /** The last release, if it is of this code. Pages that can't be rendered are taken from it. */
  own: PreviousRelease | undefined
  files: ReleaseFiles
  written: Map<string, ReleaseFile>
  readsByFile: Map<string, readonly string[]>
  policies: Map<string, string>
  problems: string[]
  warnings: string[]
  failed: string[]
}

export async function makeRelease(
  renderer: Renderer,
  job: ReleaseJob,
  onProgress: OnProgress,
  openHelper?: OpenHelper
): Promise<ReleaseResult> {
  renderer.open(job.source)
  const last = job.lastFolder === undefined ? undefined : await loadPreviousRelease(job.lastFolder)
  try {
    return await makeReleaseFrom(renderer, job, last, onProgress, openHelper)
  } catch (error) {
    if (!(error instanceof DamagedReleaseError && last)) throw error
    // Files of the last release are missing, so everything is rendered.
    await rm(job.folder, { recursive: true, force: true })
    await mkdir(job.folder)
    return makeReleaseFrom(renderer, job, undefined, onProgress, openHelper)
  }
}

async function makeReleaseFrom(
  renderer: Renderer,
  job: ReleaseJob,
  last: PreviousRelease | undefined,
  onProgress: OnProgress,
  openHelper?: OpenHelper
): Promise<ReleaseResult> {
  const own = last?.code === job.code ? last : undefined
  const base = job.rendersAll ? undefined : own
  const plan = await planRender(renderer, base)
  if (plan.hasSamePages && plan.stale.length === 0) return { state: 'fresh' }
  const draft = await openDraft({ job, plan, base, own }, last?.files ?? {})
  const renderInHelper =
    plan.stale.length >= MIN_PAGES_FOR_HELPER ? openHelper?.(job.source) : undefined
  await renderStale(draft, onProgress, [
    file => renderFile(renderer, file),
    ...(renderInHelper ? Array<RenderFile>(FILES_IN_HELPER).fill(renderInHelper) : [])
  ])
  if (!plan.hasSamePages) await addSitemap(draft)
  const { failed, written } = draft
  const files: ReleaseFiles = { ...draft.files, ...Object.fromEntries(written) }
  const missing = findMissingFiles({ has: name => Object.hasOwn(files, name) })
  const problems = [
    ...(missing.length > 0 ? failed.map(formatFailedPage) : []),
    ...missing,
    ...draft.problems.sort(),
    ...(plan.removed.length > 0 ? await findLinksToRemovedPages(draft) : [])
  ]
  if (problems.length > 0) throw new InvalidReleaseError(problems)

  const { policies, readsByFile } = draft
  const digests = await computeDigests(renderer, readsByFile)
  const lines = [...digests].map(([read, digest]) => `${read} ${digest}`).sort()
  const catalog = createHash('sha256').update(lines.join('\n')).digest('hex')
  await finishRelease(
    { ...job, catalog, failed },
    { files, policies, record: { digests, readsByFile }, written: [...written.keys()] }
  )
  const warnings = [...failed.map(formatFailedPage), ...draft.warnings.sort()]
  return {
    state: 'made',
    pages: policies.size,
    rendered: plan.stale.length - failed.length,
    catalog,
    warnings
  }
}

function formatFailedPage(name: string): string {
  return `${pageAddress(name)} could not be rendered`
}

async function openDraft(
  start: Pick<Draft, 'job' | 'plan' | 'base' | 'own'>,
  lastFiles: ReleaseFiles
): Promise<Draft> {
  const { job, plan, base } = start
  const now = Date.parse(job.createdAt)
  const draft = {
    ...start,
    written: new Map(),
    readsByFile: new Map(),
    policies: new Map(),
    problems: [],
    warnings: [],
    failed: []
  }
  if (!base) {
    const client = await loadCompressedFiles(job.client)
    linkFiles(client, job.client, job.folder)
    const older = keepHashedFiles(lastFiles, name => Object.hasOwn(client, name), now)
    linkFiles(older, job.lastFolder ?? '', job.folder)
    return { ...draft, files: { ...client, ...older } }
  }
  const expired = Object.entries(base.files)
    .filter(([, { unusedSince = now }]) => unusedSince <= now - DAY)
    .map(([name]) => name)
  const replaced = new Set([...plan.stale, ...plan.removed, ...expired])
  const isUnchanged = (name: string): boolean =>
    !replaced.has(name) && (plan.hasSamePages || !SITEMAP.test(name))
  const unchanged = Object.entries(base.files).filter(([name]) => isUnchanged(name))
  const files = Object.fromEntries(unchanged)
  linkFiles(files, base.folder, job.folder)
  const texts = unchanged.flatMap(([name, { policy }]) =>
    policy === undefined ? [] : [[name, base.policies[policy] ?? ''] as const]
  )
  const reads = [...base.record.readsByFile].filter(([name]) => !replaced.has(name))
  return { ...draft, files, readsByFile: new Map(reads), policies: new Map(texts) }
}

async function renderStale(
  draft: Draft,
  onProgress: OnProgress,
  renderers: readonly RenderFile[]
): Promise<void> {
  const { job, plan, files } = draft
  const { folder, publicApiBase: api, checkoutUrl: checkout } = job
  const linkTargets = {
    has: (name: string) =>
      plan.addresses.has(name) || Object.hasOwn(files, name) || SITEMAP.test(name)
  }
  const assets = new Set(job.pictures.flatMap(({ key, width }) => listPictureFiles(key, width)))
  const waiting = [...plan.stale].reverse()
  let rendered = 0

  async function renderWaiting(render: RenderFile): Promise<void> {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const address = plan.addresses.get(name)?.address ?? ''
      const previousHash = draft.base?.files[name]?.hash
      const file = await render({ folder, name, address, previousHash, api, checkout })
      if (file)
        addRendered(draft, name, file, links => findBrokenLinks(name, links, linkTargets, assets))
      else keepLastVersion(draft, name)
      onProgress({ rendered: ++rendered, of: plan.stale.length })
    }
  }

  onProgress({ rendered, of: plan.stale.length })
  const work = renderers.map(renderWaiting)
  try {
    await Promise.all(work)
  } finally {
    // Nothing may write into the folder after this, because it can be deleted.
    waiting.length = 0
    await Promise.allSettled(work)
  }
}

function addRendered(
  { job, base, files, written, readsByFile, policies, problems, warnings }: Draft,
  name: string,
  { reads, file, page }: RenderedFile,
  check: (links: readonly string[]) => readonly string[]
): void {
  readsByFile.set(name, reads)
  const previousFile = base?.files[name]
  if (file) written.set(name, file)
  else if (base && previousFile) {
    files[name] = previousFile
    linkFiles({ [name]: previousFile }, base.folder, job.folder)
  }
  if (!page) return
  policies.set(name, page.policy)
  problems.push(...check(page.links))
  const problem = 'contains an inline script that is not part of the site’s code'
  const warning = `${pageAddress(name)} ${problem}`
  warnings.push(...Array<string>(page.unknownScripts).fill(warning))
}

function keepLastVersion(
  { job, own, files, policies, readsByFile, failed }: Draft,
  name: string
): void {
  failed.push(name)
  const file = own?.files[name]
  if (!own || !file) return
  linkFiles({ [name]: file }, own.folder, job.folder)
  files[name] = file
  readsByFile.set(name, own.record.readsByFile.get(name) ?? [])
  if (file.policy !== undefined) policies.set(name, own.policies[file.policy] ?? '')
}

/** Reads the pages that were not rendered again. Pages that failed may link to removed pages. */
async function findLinksToRemovedPages({ job, plan, files, failed }: Draft): Promise<string[]> {
  const removed = new Set(plan.removed.map(pageAddress))
  const otherFiles = { has: (name: string) => !removed.has(pageAddress(name)) }
  const problems: string[] = []
  for (const name of Object.keys(files).filter(name => isPage(name) && !failed.includes(name))) {
    const content = await readFile(join(job.folder, name))
    if (![...removed].some(address => content.includes(address))) continue
    const links = listLinks(parseElements(content.toString()))
    problems.push(...findBrokenLinks(name, links, otherFiles, { has: () => true }))
  }
  return problems
}

async function addSitemap({ job, policies, written }: Draft): Promise<void> {
  const pages = [...policies.keys()].map(pageAddress)
  for (const [name, text] of await createSitemaps(pages, job.siteUrl)) {
    written.set(name, writeCompressed(job.folder, name, text))
  }
}

async function computeDigests(
  renderer: Renderer,
  readsByFile: ReadonlyMap<string, readonly string[]>
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const reads of readsByFile.values()) {
    for (const read of reads)
      if (!digests.has(read)) digests.set(read, await renderer.digestOf(read))
  }
  return digests
}
