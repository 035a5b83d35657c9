import { mkdir, readlink, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Renderer } from '#lib/renderer.ts'
import { publishSite, type PublishDeps } from '#server/publishing/publish.ts'
import { readConfig, type Config } from '#server/config.ts'
import { type BuildRequest, createCodeStore } from '#server/publishing/site-code.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import type { ObjectStore } from '#server/platform/storage/object-store.ts'
import { makeRelease, type ReleaseJob } from '#server/publishing/release/make-release.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { isPage, openReleases, pageAddress } from '#server/publishing/release/store.ts'
import { openTestDatabase, type Engine } from './database.ts'
import { testClock, type TestClock } from './shop.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type SiteFiles = Record<string, string | Buffer>

/** The only inline script of the fake site's code. */
const SCRIPT = 'console.log("Vanakkam")'

export const SMALL_SITE: SiteFiles = {
  'index.html': makePage('Home', `<script>${SCRIPT}</script><a href="/products">Products</a>`),
  'products.html': makePage('Products', '<a href="/">Home</a>'),
  '404.html': makePage('Oops! Page not found', '<script src="/_astro/shop.1a2b.js"></script>'),
  '_astro/shop.1a2b.js': `/* ${'spices '.repeat(50)} */ ${SCRIPT}`
}

export function makePage(title: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
}

export async function writeSite(folder: string, files: SiteFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

type BeforeRender = (job: ReleaseJob, signal: AbortSignal) => Promise<void>

interface PublishOptions {
  force?: boolean
  signal?: AbortSignal
}

/** One of several nodes that share a database and an object store. */
interface TestNode {
  objects?: ObjectStore
  /** A node with the same database and clock. */
  others?: Pick<PublishDeps, 'database' | 'write'> & { clock: TestClock }
  version?: string
}

export type TestPublisher = Awaited<ReturnType<typeof openTestPublisher>>

/** Runs the real publishing code, with a fake renderer in the same process instead of Astro. */
export async function openTestPublisher(
  engine: Engine = 'sqlite',
  settings: Partial<Config> = {},
  node: TestNode = {}
) {
  const dataDir = await temporaryFolder()
  const { database, write, clock } = node.others ?? {
    ...(await openTestDatabase(engine)),
    clock: testClock()
  }
  const warnings: unknown[] = []
  const builds: BuildRequest[] = []
  const { version = 'this code' } = node
  let content = 'first'
  let checks = 0
  let files: SiteFiles = SMALL_SITE
  let renderedContent = content
  let beforeRender: BeforeRender = async () => undefined
  let beforePage = async (): Promise<void> => undefined
  let brokenPages: readonly string[] = []

  const fileOf = (address: string) =>
    Object.keys(files).find(name => pageAddress(name) === address) ?? ''
  // Each page depends only on its own file.
  const renderer: Renderer = {
    inlineScripts: new Set([SCRIPT]),
    open() {
      checks++
      renderedContent = content
    },
    list: async () =>
      Object.keys(files)
        .filter(isPage)
        .map(name => ({ address: pageAddress(name), kind: 'page' })),
    async render(address) {
      await beforePage()
      if (brokenPages.includes(address)) return { status: 500, body: Buffer.of(), reads: [] }
      const name = fileOf(address)
      const status = name === '404.html' ? 404 : 200
      return { status, body: Buffer.from(files[name] ?? ''), reads: [name] }
    },
    digestOf: async name => `${String(files[name])} ${renderedContent}`
  }
  const deps: PublishDeps & { clock: TestClock } = {
    config: { ...readConfig({ DATA_DIR: dataDir, DEMO_DATA: 'false' }), ...settings },
    database,
    write,
    clock,
    objects: node.objects,
    releases: openReleases(dataDir),
    builder: {
      async build(request: BuildRequest) {
        builds.push(request)
        const client = Object.entries(files).filter(([name]) => !isPage(name))
        await rm(join(request.outDir, 'client'), { recursive: true, force: true })
        await writeSite(request.outDir, { 'server/renderer.mjs': '' })
        await writeSite(join(request.outDir, 'client'), Object.fromEntries(client))
      }
    },
    renderer: {
      warm: () => undefined,
      compressClientFiles: (code: string) => compressFolder(join(code, 'client')),
      async render(_code: string, job: ReleaseJob, { signal }: { signal: AbortSignal }) {
        await beforeRender(job, signal)
        return makeRelease(renderer, job, () => undefined)
      },
      close: () => undefined
    },
    code: createCodeStore(dataDir, dataDir),
    version: async () => version,
    state: {}
  }

  function publish({ force, signal = new AbortController().signal }: PublishOptions = {}) {
    return publishSite(deps, {
      signal,
      warn: error => warnings.push(error),
      ...(force && { force })
    })
  }

  return {
    ...deps,
    publish,
    async publishRelease(options?: PublishOptions) {
      const outcome = await publish(options)
      if (outcome.state !== 'published') throw new Error(`Not published: ${outcome.state}`)
      return outcome.id
    },
    setFiles: (next: SiteFiles) => void (files = next),
    beforeRender: (next: BeforeRender) => void (beforeRender = next),
    beforePage: (next: () => Promise<void>) => void (beforePage = next),
    /** These pages can't be rendered. */
    breakPages: (...addresses: string[]) => void (brokenPages = addresses),
    changeContentWithoutCounter: (next: string) => void (content = next),
    /** Changes the content of all pages and raises the catalogue counter. */
    async changeContent(next: string) {
      content = next
      await write(trx => raiseCounter(trx, 'catalog'))
    },
    /** How often a publish checked the pages for changes. */
    checkCount: () => checks,
    builds,
    warnings,
    /** Target of the `current` link. */
    current: () => readlink(join(dataDir, 'current')).catch(() => undefined)
  }
}
