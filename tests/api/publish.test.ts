import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import { planPublish, readSituation } from '#server/publishing/plan.ts'
import { publishSite, type PublishDeps } from '#server/publishing/publish.ts'
import { loadManifest } from '#server/publishing/release/store.ts'
import { BuildError } from '#server/publishing/site-code.ts'
import { ENGINES } from '../support/database.ts'
import { openTestPublisher, type TestPublisher } from '../support/test-publisher.ts'
import { makePage, SMALL_SITE, writeSite, type SiteFiles } from '../support/releases.ts'

const folderOf = ({ config }: TestPublisher, id: string): string =>
  join(config.dataDir, 'releases', id)

const isStale = async (deps: PublishDeps): Promise<boolean> =>
  planPublish(await readSituation(deps)) === 'render'

describe('Publishing', () => {
  test('builds into a new folder and switches the link "current" to this folder', async () => {
    const publisher = await openTestPublisher()
    const id = await publisher.publishRelease()
    expect(await publisher.current()).toBe(`releases/${id}`)
    expect((await publisher.releases.current())?.id).toBe(id)
    const { dataDir } = publisher.config
    expect(await readFile(join(dataDir, 'current', 'index.html'), 'utf8')).toBe(
      SMALL_SITE['index.html']
    )
    expect((await readdir(dataDir)).sort()).toEqual(['code', 'current', 'releases'])
  })

  test('reuses the built code after a content change and rebuilds the code if the API base changes', async () => {
    const publisher = await openTestPublisher('sqlite', { siteUrl: 'https://shop.example' })
    await publisher.publishRelease()
    await publisher.changeContent('second')
    await publisher.publishRelease()
    expect(publisher.builds).toEqual([
      expect.objectContaining({ siteUrl: 'https://shop.example', publicApiBase: '/api' })
    ])
    const config = { ...publisher.config, publicApiBase: 'https://api.example' }
    await publishSite(
      { ...publisher, config },
      { signal: new AbortController().signal, warn: () => undefined }
    )
    expect(publisher.builds).toHaveLength(2)
    expect(await readdir(join(publisher.config.dataDir, 'code'))).toHaveLength(1)
  })

  test('publishes an unchanged site only if forced', async () => {
    const publisher = await openTestPublisher()
    const first = await publisher.publishRelease()
    expect(await isStale(publisher)).toBe(false)
    expect(await publisher.publish()).toEqual({ state: 'fresh' })
    expect(await publisher.publishRelease({ force: true })).not.toBe(first)
    await publisher.changeContent('second')
    expect(await isStale(publisher)).toBe(true)
    expect((await publisher.publish()).state).toBe('published')
  })

  test('is necessary after a change of the code or of a setting that affects the pages', async () => {
    const publisher = await openTestPublisher()
    await publisher.publishRelease()
    expect(await isStale({ ...publisher, version: async () => 'other code' })).toBe(true)
    expect(
      await isStale({
        ...publisher,
        config: { ...publisher.config, siteUrl: 'https://shop.example' }
      })
    ).toBe(true)
    expect(
      await isStale({
        ...publisher,
        config: { ...publisher.config, publicApiBase: 'https://api.example' }
      })
    ).toBe(true)
    const keys = { keyId: 'rzp_test_1', keySecret: 'secret', webhookSecrets: ['secret'] }
    const provider = {
      apiBase: 'https://api.razorpay.com/v1',
      checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js'
    }
    const razorpay = { ...keys, ...provider }
    expect(await isStale({ ...publisher, config: { ...publisher.config, razorpay } })).toBe(true)
    expect(await isStale({ ...publisher, config: { ...publisher.config, logLevel: 'warn' } })).toBe(
      false
    )
  })

  test('keeps the release before, for visitors who are reading it, and no others', async () => {
    const publisher = await openTestPublisher()
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      ids.push(await publisher.publishRelease({ force: true }))
      publisher.clock.advance(2000)
    }
    expect(await readdir(join(publisher.config.dataDir, 'releases'))).toEqual(ids.slice(-2))
    expect(await publisher.current()).toBe(`releases/${ids.at(-1)}`)
  })

  test('keeps the scripts of older code for a day, for pages that are open in browsers', async () => {
    const publisher = await openTestPublisher()
    const publishCode = async (version: string): Promise<string[]> => {
      const { '_astro/shop.1a2b.js': _old, ...pages } = SMALL_SITE
      publisher.setFiles({
        ...pages,
        '404.html': makePage('Oops! Page not found'),
        [`_astro/${version}.js`]: version
      })
      await publishSite(
        { ...publisher, version: async () => version },
        { signal: new AbortController().signal, warn: () => undefined }
      )
      const { files = {} } = (await publisher.releases.current()) ?? {}
      return Object.keys(files).filter(name => name.startsWith('_astro/'))
    }
    await publishCode('v1')
    publisher.clock.advance(12 * HOUR)
    expect((await publishCode('v2')).sort()).toEqual(['_astro/v1.js', '_astro/v2.js'])
    publisher.clock.advance(23 * HOUR)
    expect(await publishCode('v3')).toHaveLength(3)
    publisher.clock.advance(HOUR)
    await publisher.changeContent('next')
    expect((await publishCode('v3')).sort()).toEqual(['_astro/v2.js', '_astro/v3.js'])
  })
})

describe('Failed publish', () => {
  async function expectOldRelease(publisher: TestPublisher, id: string): Promise<void> {
    expect(await publisher.current()).toBe(`releases/${id}`)
    expect(await readdir(join(publisher.config.dataDir, 'releases'))).toEqual([id])
    publisher.setFiles(SMALL_SITE)
    expect((await publisher.publish()).state).toBe('published')
  }

  test('keeps the old release and reports the reason if a page cannot be rendered', async () => {
    const publisher = await openTestPublisher()
    const id = await publisher.publishRelease()
    await publisher.changeContent('second')
    publisher.beforeRender(async ({ folder }) => {
      await writeSite(folder, { 'index.html': 'half' })
      throw new BuildError('Rendering failed: Failed to fetch products', 'full output')
    })
    await expect(publisher.publish()).rejects.toThrow('Failed to fetch products')
    publisher.beforeRender(async () => undefined)
    await expectOldRelease(publisher, id)
  })

  test.for([
    [
      'a page is missing',
      { ...SMALL_SITE, 'products.html': undefined },
      'products.html is missing'
    ],
    [
      'a link is broken',
      { ...SMALL_SITE, 'about.html': makePage('About', '<a href="/gone">') },
      '/about links to /gone'
    ]
  ] as const)('keeps the old release if %s', async ([, files, reason]) => {
    const publisher = await openTestPublisher()
    const id = await publisher.publishRelease()
    await publisher.changeContent('second')
    publisher.setFiles(
      Object.fromEntries(
        Object.entries(files).filter(([, text]) => text !== undefined)
      ) as SiteFiles
    )
    await expect(publisher.publish()).rejects.toThrow(reason)
    await expectOldRelease(publisher, id)
  })

  test('keeps the old release if the publish is aborted', async () => {
    const publisher = await openTestPublisher()
    const id = await publisher.publishRelease()
    await publisher.changeContent('second')
    const controller = new AbortController()
    publisher.beforeRender(async (_job, signal) => {
      controller.abort(new Error('The shop is shutting down'))
      await sleep(10_000, undefined, { signal }).catch(() => signal.throwIfAborted())
    })
    await expect(publisher.publish({ signal: controller.signal })).rejects.toThrow(
      'The shop is shutting down'
    )
    publisher.beforeRender(async () => undefined)
    await expectOldRelease(publisher, id)
  })

  test('is cleaned up by the next publish if the process of the failed publish was killed', async () => {
    const publisher = await openTestPublisher()
    const leftover = join(publisher.config.dataDir, 'releases', '20200101-000000-abcdef.building')
    await mkdir(leftover, { recursive: true })
    await writeFile(join(leftover, 'index.html'), 'half')
    const id = await publisher.publishRelease()
    expect(await readdir(join(publisher.config.dataDir, 'releases'))).toEqual([id])
  })
})

describe.for(ENGINES)('Concurrent publishers on %s', engine => {
  test('run one after the other, and the second finds nothing to publish', async () => {
    const publisher = await openTestPublisher(engine)
    let rendering = 0
    let maxRendering = 0
    let renders = 0
    publisher.beforeRender(async () => {
      maxRendering = Math.max(maxRendering, ++rendering)
      renders++
      await sleep(100)
      rendering--
    })
    const outcomes = await Promise.all([publisher.publish(), publisher.publish()])
    expect(outcomes.map(({ state }) => state).sort()).toEqual(['fresh', 'published'])
    expect({ maxRendering, renders }).toEqual({ maxRendering: 1, renders: 1 })
  })

  test('cannot switch the release after another process has taken the publish lock', async () => {
    const publisher = await openTestPublisher(engine)
    publisher.beforeRender(async () => {
      await publisher.write(trx =>
        trx
          .updateTable('leases')
          .set({ holder: 'another' })
          .execute()
          .then(() => undefined)
      )
    })
    await expect(publisher.publish()).rejects.toThrow(
      "Another process has taken the lock 'publish'"
    )
    expect(await publisher.current()).toBeUndefined()
  })
})

describe('Release', () => {
  test('is made from scratch if a file of the one before is missing', async () => {
    const publisher = await openTestPublisher()
    const first = await publisher.publishRelease()
    await rm(join(folderOf(publisher, first), 'index.html'))
    publisher.beforePage(() => sleep(5))
    await publisher.changeContent('second')
    const second = await publisher.publishRelease()
    expect(await readFile(join(folderOf(publisher, second), 'index.html'), 'utf8')).toBe(
      SMALL_SITE['index.html']
    )
  })

  test('contains compressed copies of pages and scripts if the copies are smaller', async () => {
    const publisher = await openTestPublisher()
    const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
    publisher.setFiles({ ...SMALL_SITE, 'icon.png': picture, 'tiny.txt': 'a' })
    const id = await publisher.publishRelease()
    const read = (name: string): Promise<Buffer> => readFile(join(folderOf(publisher, id), name))
    for (const name of ['index.html', '_astro/shop.1a2b.js']) {
      expect(brotliDecompressSync(await read(`${name}.br`)).toString()).toBe(SMALL_SITE[name])
    }
    const manifest = await loadManifest(folderOf(publisher, id))
    expect(manifest?.files['index.html']?.encodings).toEqual(['br'])
    expect(manifest?.files['icon.png']?.encodings).toEqual([])
    expect(manifest?.files['tiny.txt']?.encodings).toEqual([])
  })

  test('stores a content security policy per page in its manifest and in the _headers file for CDN hosts', async () => {
    const publisher = await openTestPublisher('sqlite', {
      siteUrl: 'https://shop.example',
      publicApiBase: 'https://api.shop.example/api'
    })
    publisher.setFiles({ ...SMALL_SITE, 'contact.html': makePage('Contact', '<style>b{}</style>') })
    const id = await publisher.publishRelease()
    const manifest = await loadManifest(folderOf(publisher, id))
    const policyOf = (name: string): string =>
      manifest?.policies[manifest.files[name]?.policy ?? -1] ?? ''
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64')
    expect(policyOf('index.html')).toContain(
      `script-src 'self' 'sha256-${hash('console.log("Vanakkam")')}'`
    )
    expect(policyOf('contact.html')).toContain(`style-src 'self' 'sha256-${hash('b{}')}'`)
    expect(policyOf('contact.html')).toContain('frame-src https://www.openstreetmap.org')
    expect(policyOf('products.html')).toContain("connect-src 'self' https://api.shop.example")

    const headers = await readFile(join(folderOf(publisher, id), '_headers'), 'utf8')
    expect(headers).toContain(`/contact\n  content-security-policy: ${policyOf('contact.html')}\n`)
    expect(headers).toContain('strict-transport-security')
    expect(manifest?.headers).toHaveProperty('strict-transport-security')
  })
})
