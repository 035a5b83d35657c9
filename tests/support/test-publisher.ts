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

type BeforeRender = (job: ReleaseJob, signal: AbortSignal) => Promise<void>

interface PublishOptions {
  force?: boolean
  signal?: AbortSignal
}

export interface TestPublisher extends PublishDeps {
  clock: TestClock
  publish(choice?: PublishOptions): Promise<Outcome>
  publishRelease(choice?: PublishOptions): Promise<string>
  setFiles(files: SiteFiles): void
  beforeRender(render: BeforeRender): void
  beforePage(page: () => Promise<void>): void
  /** Raises the catalogue counter. Setting the same content again changes no page. */
  changeContent(words: string): Promise<void>
  /** Changes the content without raising the catalogue counter. */
  changeContentQuietly(words: string): void
  /** How often the renderer checked the pages for changes. */
  checkCount(): number
  builds: BuildRequest[]
  warnings: unknown[]
  /** Target of the `current` link. */
  current(): Promise<string | undefined>
}

/** Real publishing code with a fake renderer in the same process instead of Astro. */
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
      if (outcome.state !== 'published') throw new Error(`Not published: ${outcome.state}`)
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
