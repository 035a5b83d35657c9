import { readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Renderer } from '#lib/renderer.ts'
import { publishSite, type Outcome, type PublishDeps } from '#server/actions/publish-site.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { BuildRequest } from '#server/gateways/site-builder.ts'
import { raiseCounter } from '#server/queries/counters.ts'
import { createCodeStore } from '#server/release/code-store.ts'
import { makeRelease, type ReleaseJob } from '#server/release/make-release.ts'
import { packFiles } from '#server/release/pack.ts'
import { createReleases } from '#server/release/releases.ts'
import { createReleaseStore } from '#server/release/store.ts'
import { openDatabase, type Engine } from './database.ts'
import { temporaryDataDir, fakeRenderer, SMALL_SITE, writeClient, writeSite, type SiteFiles } from './releases.ts'
import { testClock, type TestClock } from './shop.ts'

/** Stands before each render: it may wait, change what is rendered, or throw. */
type BeforeRender = (job: ReleaseJob, signal: AbortSignal) => Promise<void>

interface PublishOptions {
  force?: boolean
  signal?: AbortSignal
}

export interface TestPublisher extends PublishDeps {
  clock: TestClock
  publish(choice?: PublishOptions): Promise<Outcome>
  /** Publishes, and answers the release's id. */
  publishRelease(choice?: PublishOptions): Promise<string>
  /** What the pages are from now on, and what they load once the code is built anew. */
  setFiles(files: SiteFiles): void
  /** What happens before each render from now on. */
  beforeRender(render: BeforeRender): void
  /** What happens before each page from now on, when it is known what all pages are made of. */
  beforePage(page: () => Promise<void>): void
  /** Changes what the pages are made of; the same words are no change that visitors can see. */
  changeContent(words: string): Promise<void>
  /** The same, behind the back of the shop. */
  changeContentQuietly(words: string): void
  /** How often the pages were looked through for what has changed. */
  checkCount(): number
  /** What the code was built with, each time. */
  builds: BuildRequest[]
  warnings: unknown[]
  /** Where the link to what visitors get leads. */
  current(): Promise<string | undefined>
}

/** All of publishing but Astro, whose place is taken by files that are there already, and but the second process. */
export async function openTestPublisher(
  engine: Engine = 'sqlite',
  settings: Partial<Config> = {}
): Promise<TestPublisher> {
  const dataDir = await temporaryDataDir()
  const { database, write, close } = await openDatabase(engine)
  onTestFinished(close)
  const store = createReleaseStore(dataDir)
  const warnings: unknown[] = []
  const builds: BuildRequest[] = []
  let words = 'first'
  let looks = 0
  let files = SMALL_SITE
  let shown = words
  let before: BeforeRender = async () => undefined
  let midway = async (): Promise<void> => undefined

  const pages = fakeRenderer(() => files)
  const renderer: Renderer = {
    ...pages,
    clearCache() {
      looks++
      shown = words
    },
    async render(address) {
      await midway()
      return pages.render(address)
    },
    digestOf: async read => `${await pages.digestOf(read)} ${shown}`
  }
  const deps = {
    config: { ...readConfig({ DATA_DIR: dataDir, DEMO_DATA: 'false' }), ...settings },
    database,
    write,
    clock: testClock(),
    builder: {
      async build(request: BuildRequest) {
        builds.push(request)
        await writeClient(request.outDir, files)
        await writeSite(request.outDir, { 'server/renderer.mjs': '' })
      }
    },
    renderer: {
      warm: () => undefined,
      pack: (code: string) => packFiles(join(code, 'client')),
      async render(_code: string, job: ReleaseJob, { signal }: { signal: AbortSignal }) {
        await before(job, signal)
        return makeRelease(renderer, job, () => undefined)
      },
      async remove(_code: string, folders: readonly string[]) {
        for (const folder of folders) await rm(folder, { recursive: true, force: true })
      },
      close: () => undefined
    },
    code: createCodeStore(dataDir, dataDir),
    store,
    releases: createReleases(store),
    version: async () => 'this code'
  }

  function publish({ force, signal = new AbortController().signal }: PublishOptions = {}): Promise<Outcome> {
    return publishSite(deps, { signal, warn: error => warnings.push(error), ...(force && { force }) })
  }

  return {
    ...deps,
    publish,
    async publishRelease(choice) {
      const outcome = await publish(choice)
      if (outcome.state !== 'published') throw new Error(`Nothing was published: ${outcome.state}`)
      return outcome.id
    },
    setFiles: next => void (files = next),
    beforeRender: next => void (before = next),
    beforePage: next => void (midway = next),
    changeContentQuietly: next => void (words = next),
    async changeContent(next) {
      words = next
      await write(trx => raiseCounter(trx, 'catalog'))
    },
    checkCount: () => looks,
    builds,
    warnings,
    current: () => readlink(join(dataDir, 'current')).catch(() => undefined)
  }
}
