import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { publishSite, type Outcome, type PublishDeps } from '#server/actions/publish-site.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { BuildRequest } from '#server/gateways/site-builder.ts'
import { createReleases } from '#server/release/releases.ts'
import { seal, type Sealing } from '#server/release/seal.ts'
import { createReleaseStore } from '#server/release/store.ts'
import { openDatabase, type Engine } from './database.ts'
import { dataFolder, SMALL_SITE, writeSite, type SiteFiles } from './releases.ts'
import { testClock, type TestClock } from './shop.ts'

type Build = (request: BuildRequest) => Promise<void>
interface Choice {
  force?: boolean
  signal?: AbortSignal
}

export interface Press extends PublishDeps {
  clock: TestClock
  publish(choice?: Choice): Promise<Outcome>
  /** Publishes, and answers the release's id. */
  published(choice?: Choice): Promise<string>
  /** What the next builds make. */
  builds(build: Build | SiteFiles): void
  /** Changes what the pages are built from. */
  change(catalog: string): void
  /** How often what the pages are built from was looked through. */
  looks(): number
  warnings: unknown[]
  /** Where the link to what visitors get leads. */
  current(): Promise<string | undefined>
}

/** All of publishing but `astro build`, whose place is taken by one that writes the files it is told to. */
export async function openPress(engine: Engine = 'sqlite', settings: Partial<Config> = {}): Promise<Press> {
  const dataDir = await dataFolder()
  const { database, write, close } = await openDatabase(engine)
  onTestFinished(close)
  const store = createReleaseStore(dataDir)
  const warnings: unknown[] = []
  let catalog = 'first'
  let looks = 0
  let build: Build = request => writeSite(request.outDir, SMALL_SITE)
  const deps = {
    config: { ...readConfig({ DATA_DIR: dataDir, DEMO_DATA: 'false' }), ...settings },
    database,
    write,
    clock: testClock(),
    builder: {
      build: (request: BuildRequest) => build(request),
      seal: async (folder: string, sealing: Sealing) => ({ pages: await seal(folder, sealing) })
    },
    store,
    releases: createReleases(store),
    async catalog() {
      looks++
      return catalog
    },
    code: async () => 'this code'
  }

  function publish({ force, signal = new AbortController().signal }: Choice = {}): Promise<Outcome> {
    return publishSite(deps, { signal, warn: error => warnings.push(error), ...(force && { force }) })
  }

  return {
    ...deps,
    publish,
    async published(choice) {
      const outcome = await publish(choice)
      if (outcome.state !== 'published') throw new Error(`Nothing was published: ${outcome.state}`)
      return outcome.id
    },
    builds: next => void (build = typeof next === 'function' ? next : ({ outDir }) => writeSite(outDir, next)),
    change: next => void (catalog = next),
    looks: () => looks,
    warnings,
    current: () => readlink(join(dataDir, 'current')).catch(() => undefined)
  }
}
