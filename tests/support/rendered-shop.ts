import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Renderer } from '#lib/renderer.ts'
import { listPictureFiles } from '#lib/images.ts'
import { buildApp } from '#server/app.ts'
import { readConfig, ROOT } from '#server/config.ts'
import manifest from '#server/demo/pictures/manifest.json' with { type: 'json' }
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { makeRelease, type ReleaseResult } from '#server/publishing/release/make-release.ts'
import { createCodeStore } from '#server/publishing/site-code.ts'
import { readSiteContent } from '#server/publishing/public-data.ts'
import { openReleases } from '#server/publishing/release/store.ts'
import { buildSite, SITE_URL } from './built-site.ts'
import { addToCatalog, type CatalogDraft } from './catalog.ts'
import { prepareDatabase } from './prepare-database.ts'

const PICTURES = manifest.files.flatMap(({ file, slug }) =>
  slug === undefined ? parse(file).name : []
)

export type RenderedShop = Awaited<ReturnType<typeof openRenderedShop>>

/**
 * Fills `dataDir` with a migrated SQLite database that has rows for all site pictures, so that a
 * start encodes none.
 */
export async function prepareDataDir(dataDir: string, draft: CatalogDraft = {}): Promise<void> {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  await prepareDatabase(database)
  const write = createWrite(database)
  const pictures = Object.fromEntries(PICTURES.map(name => [name, {}]))
  await write(trx => addToCatalog(trx, { pictures, ...draft }, Date.now()))
  await database.close()
  await writePictureFiles(dataDir, [...PICTURES, ...Object.keys(draft.products ?? {})])
}

export async function openRenderedShop(draft: CatalogDraft) {
  const dataDir = await mkdtemp(join(tmpdir(), 'palagaram-rendered-'))
  await prepareDataDir(dataDir, draft)
  const env = {
    DATA_DIR: dataDir,
    SITE_URL,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DEMO_DATA: 'false'
  }
  const config = readConfig(env)
  const database = connect(config)
  const write = createWrite(database)

  const releases = openReleases(dataDir)
  async function readSource() {
    const content = await readSiteContent(database.kysely, Date.now())
    return {
      content: { ...content, checkoutUrl: 'https://pay.example/checkout.js' },
      readAt: Date.now()
    }
  }
  const code = createCodeStore(dataDir, ROOT)
  const built = await buildSite()
  const version = basename(built)
  await cp(built, await code.begin(version), { recursive: true })
  const folder = await code.complete(version)

  const app = await buildApp({ config, database, write, clock: Date.now, site: { releases } })
  async function close() {
    await app.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    app,
    config,
    database,
    write,
    releases,
    readSource,
    dataDir,
    code: folder,
    version,
    env,
    close
  }
}

type Load = (url: string) => Promise<{ renderer: Renderer }>

async function loadRenderer({ code, readSource }: RenderedShop) {
  const nativeImport = createRequire(import.meta.url)('./native-import.cjs') as Load
  const { renderer } = await nativeImport(pathToFileURL(join(code, 'server', 'entry.mjs')).href)
  renderer.open(await readSource())
  return renderer
}

/** Writes empty files, because the tests do not read the pictures. */
async function writePictureFiles(dataDir: string, names: readonly string[]) {
  await mkdir(join(dataDir, 'assets'), { recursive: true })
  for (const file of names.flatMap(name => listPictureFiles(`${name}-00000000`, 1600)))
    await writeFile(join(dataDir, 'assets', file), '')
}

export async function openSite(draft: CatalogDraft) {
  const shop = await openRenderedShop(draft)
  const renderer = await loadRenderer(shop)
  let previous: string | undefined
  let count = 0

  async function beginRelease() {
    const id = `release-${++count}`
    const folder = join(shop.dataDir, id)
    await mkdir(folder)
    return {
      id,
      folder,
      code: shop.version,
      counter: count,
      levels: 0,
      createdAt: new Date().toISOString(),
      siteUrl: shop.config.siteUrl,
      publicApiBase: '/api',
      checkoutUrl: 'https://pay.example/checkout.js',
      client: join(shop.code, 'client'),
      rendersAll: false,
      source: await shop.readSource(),
      pictures: await shop.database.kysely
        .selectFrom('pictures')
        .select(['key', 'width'])
        .execute(),
      ...(previous !== undefined && { lastFolder: previous })
    }
  }

  /** Builds a release that reuses unchanged files of the previous one. */
  async function buildRelease(): Promise<{ result: ReleaseResult; folder: string }> {
    const job = await beginRelease()
    const { folder } = job
    const result = await makeRelease(renderer, job, () => undefined)
    if (result.state === 'made') {
      if (previous !== undefined) await rm(previous, { recursive: true })
      previous = folder
    } else await rm(folder, { recursive: true })
    return { result, folder: previous ?? folder }
  }
  return { shop, renderer, buildRelease, beginRelease }
}
