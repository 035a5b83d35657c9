import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listPictureFiles } from '#lib/images.ts'
import type { Renderer, SiteAddress, SiteSource } from '#lib/renderer.ts'
import { DAY } from '#lib/time.ts'
import { DamagedReleaseError, linkFiles, loadCompressedFiles, writeCompressed } from './files.ts'
import { createSitemaps, finishRelease, SITEMAP } from './finish-release.ts'
import {
  findBrokenLinks,
  findMissingFiles,
  InvalidReleaseError,
  listLinks,
  parseElements,
  renderFile,
  type FileToRender,
  type RenderedFile
} from './page.ts'
import {
  ID_FILE,
  isPage,
  keepHashedFiles,
  loadPreviousRelease,
  pageAddress,
  pageFile,
  type Manifest,
  type PreviousRelease,
  type ReleaseFile,
  type ReleaseFiles
} from './store.ts'

export interface ReleaseJob extends Pick<
  Manifest,
  'id' | 'createdAt' | 'code' | 'counter' | 'levels'
> {
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

interface RenderPlan {
  addresses: ReadonlyMap<string, string>
  stale: readonly string[]
  removed: readonly string[]
  hasSamePages: boolean
}

interface Draft {
  job: ReleaseJob
  plan: RenderPlan
  /** Unchanged files are taken from this release. Undefined if all pages are rendered. */
  base: PreviousRelease | undefined
  /** The last release, if it is of this code. Pages that can't be rendered are taken from it. */
  own: PreviousRelease | undefined
  files: ReleaseFiles
  written: Map<string, ReleaseFile>
  readsByFile: Map<string, string[]>
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
    return await makeReleaseFrom(last, renderer, job, onProgress, openHelper)
  } catch (error) {
    if (!(error instanceof DamagedReleaseError && last)) throw error
    // Files of the last release are missing, so everything is rendered.
    await rm(job.folder, { recursive: true, force: true })
    await mkdir(job.folder)
    return makeReleaseFrom(undefined, renderer, job, onProgress, openHelper)
  }
}

async function makeReleaseFrom(
  last: PreviousRelease | undefined,
  renderer: Renderer,
  job: ReleaseJob,
  onProgress: OnProgress,
  openHelper: OpenHelper | undefined
): Promise<ReleaseResult> {
  const own = last?.code === job.code ? last : undefined
  const base = job.rendersAll ? undefined : own
  const plan = await planRender(renderer, base)
  if (plan.hasSamePages && plan.stale.length === 0) return { state: 'fresh' }
  const draft = await openDraft({ job, plan, base, own }, last?.files ?? {})
  const helper = plan.stale.length >= MIN_PAGES_FOR_HELPER ? openHelper?.(job.source) : undefined
  await renderStale(draft, onProgress, [
    file => renderFile(renderer, file),
    ...(helper ? Array<RenderFile>(FILES_IN_HELPER).fill(helper) : [])
  ])
  const { failed, written, policies } = draft
  const addresses = listIndexed({ ...draft.files, ...Object.fromEntries(written) })
  if (!plan.hasSamePages || !isDeepStrictEqual(addresses, listIndexed(base?.files ?? {}))) {
    const sitemaps = await createSitemaps(addresses, job.siteUrl)
    for (const [name, text] of sitemaps) written.set(name, writeCompressed(job.folder, name, text))
  }
  written.set(ID_FILE, writeCompressed(job.folder, ID_FILE, Buffer.from(job.id)))
  const files: ReleaseFiles = { ...draft.files, ...Object.fromEntries(written) }
  const failures = failed.map(name => `${pageAddress(name)} could not be rendered`)
  const missing = findMissingFiles({ has: name => Object.hasOwn(files, name) })
  const problems = [
    ...(missing.length > 0 ? failures : []),
    ...missing,
    ...draft.problems.sort(),
    ...(plan.removed.length > 0 ? await findLinksToRemovedPages(draft) : [])
  ]
  if (problems.length > 0) throw new InvalidReleaseError(problems)
  const catalog = await finishRelease(
    renderer,
    { ...job, failed },
    { ...draft, files, written: written.keys() }
  )
  return {
    state: 'made',
    pages: policies.size,
    rendered: plan.stale.length - failed.length,
    catalog,
    warnings: [...failures, ...draft.warnings.sort()]
  }
}

function listIndexed(files: ReleaseFiles) {
  const pages = Object.keys(files).filter(name => isPage(name) && !files[name]?.noindex)
  return pages.map(pageAddress).sort()
}

async function planRender(renderer: Renderer, base?: PreviousRelease): Promise<RenderPlan> {
  const listed = await renderer.list()
  const addresses = new Map(listed.map(item => [toFileName(item), item.address]))
  const names = [...addresses.keys()]
  if (!base) return { addresses, stale: names, removed: [], hasSamePages: false }
  const { digests, readsByFile } = base.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const isStale = (name: string) =>
    base.failed.includes(name) || (readsByFile.get(name)?.some(read => changed.has(read)) ?? true)
  const known = new Set([...readsByFile.keys(), ...base.failed])
  const removed = [...known].filter(name => !addresses.has(name))
  const hasSamePages = removed.length === 0 && readsByFile.size === addresses.size
  return { addresses, stale: names.filter(isStale), removed, hasSamePages }
}

function toFileName({ address, kind }: SiteAddress) {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}

async function openDraft(
  start: Pick<Draft, 'job' | 'plan' | 'base' | 'own'>,
  lastFiles: ReleaseFiles
): Promise<Draft> {
  const { job, plan, base } = start
  const now = Date.parse(job.createdAt)
  const draft: Draft = {
    ...start,
    files: {},
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
  const replaced = new Set([...plan.stale, ...plan.removed, ID_FILE])
  const isKept = ([name, { unusedSince = now }]: [string, ReleaseFile]) =>
    !replaced.has(name) && unusedSince > now - DAY && (plan.hasSamePages || !SITEMAP.test(name))
  takeFiles(draft, base, Object.fromEntries(Object.entries(base.files).filter(isKept)))
  return draft
}

function takeFiles(
  { job, files, policies, readsByFile }: Draft,
  from: PreviousRelease,
  taken: ReleaseFiles
) {
  linkFiles(taken, from.folder, job.folder)
  for (const [name, file] of Object.entries(taken)) {
    files[name] = file
    const reads = from.record.readsByFile.get(name)
    if (reads) readsByFile.set(name, reads)
    if (file.policy !== undefined) policies.set(name, from.policies[file.policy] ?? '')
  }
}

async function renderStale(draft: Draft, onProgress: OnProgress, renderers: readonly RenderFile[]) {
  const { job, plan, base, own, files } = draft
  const { folder, publicApiBase: api, checkoutUrl: checkout } = job
  const linkTargets = {
    has: (name: string) =>
      plan.addresses.has(name) || Object.hasOwn(files, name) || SITEMAP.test(name)
  }
  const assets = new Set(job.pictures.flatMap(({ key, width }) => listPictureFiles(key, width)))
  const waiting = [...plan.stale].reverse()
  let rendered = 0

  async function renderWaiting(render: RenderFile) {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const address = plan.addresses.get(name) ?? ''
      const previousHash = base?.files[name]?.hash
      const file = await render({ folder, name, address, previousHash, api, checkout })
      if (file) {
        addRendered(draft, name, file)
        draft.problems.push(...findBrokenLinks(name, file.page?.links ?? [], linkTargets, assets))
      } else {
        draft.failed.push(name)
        const lastVersion = own?.files[name]
        if (own && lastVersion) takeFiles(draft, own, { [name]: lastVersion })
      }
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

function addRendered(draft: Draft, name: string, { reads, file, page }: RenderedFile) {
  const { base, written, readsByFile, policies, warnings } = draft
  const previousFile = base?.files[name]
  if (file) written.set(name, file)
  else if (base && previousFile) takeFiles(draft, base, { [name]: previousFile })
  readsByFile.set(name, reads)
  if (!page) return
  policies.set(name, page.policy)
  const problem = 'contains an inline script that is not part of the site’s code'
  warnings.push(...Array<string>(page.unknownScripts).fill(`${pageAddress(name)} ${problem}`))
}

/** Reads the pages that were not rendered again. Pages that failed may link to removed pages. */
async function findLinksToRemovedPages({ job, plan, files, failed }: Draft) {
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
