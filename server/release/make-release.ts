import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Renderer } from '#lib/renderer.ts'
import { deadLinks, missingFiles, UnfitError, type Names } from './check.ts'
import { pagePolicy, policyText } from './csp.ts'
import { finishRelease } from './finish-release.ts'
import { elements } from './html.ts'
import { DamagedError, linkFiles } from './links.ts'
import { lostLinks } from './lost-links.ts'
import { isPage, pageAddress, type ReleaseFiles } from './manifest.ts'
import { loadPacked } from './pack.ts'
import { loadFormer, makePlan, type Former, type Plan } from './plan.ts'
import { SITEMAP, sitemap } from './sitemap.ts'
import { createWriter, hashOf, type Writer } from './writer.ts'

export interface ReleaseJob {
  id: string
  createdAt: string
  code: string
  counter: number
  siteUrl: string
  publicApiBase: string
  /** The payment provider's script: absolute, or a path of this origin. */
  checkoutUrl: string
  /** An empty folder that becomes the release. */
  folder: string
  /** The files that come with the code: see `packFiles`. */
  client: string
  /** A release to share files with, if it was made by the same code. */
  former?: string
  /** The folder that is served as `/assets`. */
  assetsFolder: string
}

export type Made = { state: 'fresh' } | { state: 'made'; pages: number; rendered: number; catalog: string }

/** Told how many of the pages that have to be rendered are. */
export type Progress = (rendered: number, of: number) => void

/** What is known of a release while it is made, by file. */
interface Draft {
  job: ReleaseJob
  plan: Plan
  former: Former | undefined
  writer: Writer
  files: ReleaseFiles
  readsOf: Map<string, readonly string[]>
  /** The policy of each page, as text. */
  policies: Map<string, string>
  problems: string[]
}

/**
 * Makes a release from today's data: renders what read something that has changed and shares everything else with the
 * former release. Nothing is made when nothing has changed. Throws UnfitError when the site must not be published.
 */
export async function makeRelease(renderer: Renderer, job: ReleaseJob, progress: Progress): Promise<Made> {
  const former = job.former === undefined ? undefined : await loadFormer(job.former, job.code)
  try {
    return await make(renderer, job, former, progress)
  } catch (error) {
    if (!(error instanceof DamagedError && former)) throw error
    await rm(job.folder, { recursive: true, force: true })
    await mkdir(job.folder)
    return make(renderer, job, undefined, progress)
  }
}

async function make(
  renderer: Renderer,
  job: ReleaseJob,
  former: Former | undefined,
  progress: Progress
): Promise<Made> {
  const plan = await makePlan(renderer, former)
  if (plan.sameList && plan.stale.length === 0) return { state: 'fresh' }
  const draft = await openDraft(job, plan, former)
  await renderStale(renderer, draft, progress)
  if (!plan.sameList) await addSitemap(draft)
  const written = await draft.writer.finish()
  const files: ReleaseFiles = { ...draft.files, ...Object.fromEntries(written) }
  const problems = [
    ...missingFiles({ has: name => Object.hasOwn(files, name) }),
    ...draft.problems,
    ...(await lostLinks(job.folder, Object.keys(draft.files).filter(isPage), plan.gone))
  ]
  if (problems.length > 0) throw new UnfitError(problems)

  const { policies, readsOf } = draft
  const digests = await digestsOf(renderer, readsOf)
  const catalog = hashOfAll(digests)
  await finishRelease(
    { ...job, catalog },
    { files, policies, record: { digests, readsOf }, written: [...written.keys()] }
  )
  return { state: 'made', pages: policies.size, rendered: plan.stale.length, catalog }
}

/** With everything in its folder that stays as it was. */
async function openDraft(job: ReleaseJob, plan: Plan, former: Former | undefined): Promise<Draft> {
  const draft = {
    job,
    plan,
    former,
    writer: createWriter(job.folder),
    readsOf: new Map(),
    policies: new Map(),
    problems: []
  }
  if (!former) {
    const files = await loadPacked(job.client)
    linkFiles(files, job.client, job.folder)
    return { ...draft, files }
  }
  const replaced = new Set([...plan.stale, ...plan.gone])
  const stays = (name: string): boolean => !replaced.has(name) && (plan.sameList || !SITEMAP.test(name))
  const kept = Object.entries(former.files).filter(([name]) => stays(name))
  const files = Object.fromEntries(kept)
  linkFiles(files, former.folder, job.folder)
  const texts = kept.flatMap(([name, { policy }]) =>
    policy === undefined ? [] : [[name, former.policies[policy] ?? ''] as const]
  )
  const reads = [...former.record.readsOf].filter(([name]) => !replaced.has(name))
  return { ...draft, files, readsOf: new Map(reads), policies: new Map(texts) }
}

async function renderStale(renderer: Renderer, draft: Draft, progress: Progress): Promise<void> {
  const { job, plan, files } = draft
  const known: Names = { has: name => plan.listed.has(name) || Object.hasOwn(files, name) || SITEMAP.test(name) }
  const assets = existing(job.assetsFolder)
  const surroundings = { api: job.publicApiBase, checkout: job.checkoutUrl }
  for (const [index, name] of plan.stale.entries()) {
    progress(index, plan.stale.length)
    const address = plan.listed.get(name)?.address ?? ''
    const { status, body, reads } = await renderer.render(address)
    if (status !== (name === '404.html' ? 404 : 200)) throw new Error(`${address} could not be rendered (${status})`)
    draft.readsOf.set(name, reads)
    if (isPage(name)) {
      const page = elements(body)
      draft.policies.set(name, policyText(pagePolicy(pageAddress(name), page, surroundings)))
      draft.problems.push(...deadLinks(name, page, known, assets))
    }
    await addRendered(draft, name, Buffer.from(body))
  }
  progress(plan.stale.length, plan.stale.length)
}

/** What turned out as it was is the same file again. */
async function addRendered({ job, former, files, writer }: Draft, name: string, content: Buffer): Promise<void> {
  const before = former?.files[name]
  if (!former || before?.hash !== hashOf(content)) return writer.add(name, content)
  files[name] = before
  linkFiles({ [name]: before }, former.folder, job.folder)
}

async function addSitemap({ job, plan, writer }: Draft): Promise<void> {
  const pages = [...plan.listed.values()].filter(({ kind }) => kind === 'page').map(({ address }) => address)
  for (const [name, text] of await sitemap(pages, job.siteUrl)) await writer.add(name, text)
}

async function digestsOf(
  renderer: Renderer,
  readsOf: ReadonlyMap<string, readonly string[]>
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const reads of readsOf.values()) {
    for (const read of reads) if (!digests.has(read)) digests.set(read, await renderer.digestOf(read))
  }
  return digests
}

function hashOfAll(digests: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...digests].sort()))
    .digest('hex')
}

/** The files of a folder, each looked for when it is first asked for. */
function existing(folder: string): Names {
  const known = new Map<string, boolean>()
  return {
    has(name) {
      const there = known.get(name) ?? existsSync(join(folder, name))
      known.set(name, there)
      return there
    }
  }
}
