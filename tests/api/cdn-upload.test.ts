import Fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import type { Write } from '#server/platform/db/write.ts'
import {
  openObjectStore,
  StoreError,
  type ObjectStore
} from '#server/platform/storage/object-store.ts'
import { createCdnUpload, type CdnUpload } from '#server/publishing/cdn.ts'
import {
  createReleases,
  createReleaseStore,
  type Releases,
  type ReleaseStore
} from '#server/publishing/release/store.ts'
import { openDatabase } from '../support/database.ts'
import { openNodes, publish as publishOn } from '../support/nodes.ts'
import { startS3, type TestS3 } from '../support/object-store.ts'
import {
  makePage,
  makeProductPage,
  publishRelease,
  SMALL_SITE,
  type SiteFiles
} from '../support/releases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SITE = { ...SMALL_SITE, ...makeProductPage('mysore-pak') }
const QUICK = { first: 10, max: 20 }

interface Cdn extends TestS3 {
  cdn: CdnUpload
  releases: Releases
  store: ReleaseStore
  /** Starts a further process of the shop. */
  restart(): Promise<CdnUpload>
  publish(files: SiteFiles): Promise<void>
  /**
   * The requests that changed objects since the last call, without those for the uploader's own
   * state.
   */
  changes(): string[]
  text(key: string): Promise<string | undefined>
}

interface Site extends Pick<Cdn, 'releases' | 'store' | 'publish'> {
  write: Write
}

async function openSite(): Promise<Site> {
  const dataDir = await temporaryFolder()
  const { write, close } = await openDatabase('sqlite')
  onTestFinished(close)
  const store = createReleaseStore(dataDir)
  const releases = createReleases(store)
  const publish = async (files: SiteFiles): Promise<void> => {
    await publishRelease(dataDir, files)
    await releases.refresh()
  }
  await publish(SITE)
  return { store, releases, write, publish }
}

async function openCdn(): Promise<Cdn> {
  const s3 = await startS3()
  const site = await openSite()
  let stop = async (): Promise<void> => undefined
  onTestFinished(() => stop())

  async function restart(): Promise<CdnUpload> {
    await stop()
    const cdn = createCdnUpload({ ...site, bucket: s3.objects, isFolder: false })
    const loop = cdn.start(Fastify().log, QUICK)
    stop = () => loop.stop()
    return cdn
  }

  const cdn = await restart()
  await expect.poll(() => s3.objects.read('_uploaded.json').then(String)).toContain('"createdAt"')
  let seen = 0
  return {
    ...s3,
    ...site,
    cdn,
    restart,
    changes() {
      const lines = s3.requests
        .slice(seen)
        .filter(line => !line.startsWith('GET') && !line.includes('_uploaded'))
      seen = s3.requests.length
      return lines.map(line => line.replace(' test/', ' '))
    },
    text: async key => (await s3.objects.read(key))?.toString()
  }
}

const isCurrent = (cdn: CdnUpload): Promise<void> => expect.poll(() => cdn.delay()).toBeUndefined()

describe('Upload to a CDN’s bucket', () => {
  test('puts pages under their addresses, with the type and the cache time of each file', async () => {
    const { text, changes, location } = await openCdn()
    expect(changes().sort()).toEqual(
      [
        '404.html',
        '_astro/shop.1a2b.js',
        '_headers',
        '_redirects',
        'index.html',
        'products',
        'products/mysore-pak'
      ]
        .concat(['sitemap-0.xml', 'sitemap-index.xml'])
        .map(key => `PUT ${key}`)
    )
    expect(await text('products/mysore-pak')).toBe(SITE['products/mysore-pak.html'])
    expect(await text('_redirects')).toBe('/my-orders /orders 301\n')
    const head = (key: string): Promise<Response> =>
      fetch(`${location.endpoint}/shop/test/${key}`, { method: 'HEAD' })
    const headersOf = async (key: string): Promise<(string | null)[]> => {
      const { headers } = await head(key)
      return [headers.get('content-type'), headers.get('cache-control')]
    }
    expect(await headersOf('products/mysore-pak')).toEqual([
      'text/html; charset=utf-8',
      expect.stringMatching(/max-age=0/)
    ])
    expect(await headersOf('_astro/shop.1a2b.js')).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable'
    ])
  })

  test('sends only what a release changes: scripts, then pages, and removes what is gone at the end', async () => {
    const { publish, changes, text } = await openCdn()
    changes()
    const { 'products/mysore-pak.html': _gone, ...others } = SITE
    await publish({ ...others, 'index.html': makePage('New home'), '_astro/new.3c4d.js': 'new()' })
    await expect.poll(() => text('products/mysore-pak')).toBeUndefined()
    const lines = changes()
    expect(lines[0]).toBe('PUT _astro/new.3c4d.js')
    expect(lines.at(-1)).toBe('DELETE products/mysore-pak')
    expect(lines).toContain('PUT index.html')
    expect(lines).not.toContain('PUT products')
    expect(lines).not.toContain('PUT 404.html')
  })

  test('keeps the scripts of older versions for pages that are open in a browser', async () => {
    const { publish, text } = await openCdn()
    const { '_astro/shop.1a2b.js': _old, ...pages } = SITE
    const site = (version: number): SiteFiles => ({
      ...pages,
      '404.html': makePage('Oops! Page not found'),
      [`_astro/v${version}.js`]: String(version)
    })
    for (let version = 2; version <= 5; version++) {
      await publish(site(version))
      await expect.poll(() => text(`_astro/v${version}.js`)).toBeDefined()
    }
    expect(await text('_astro/shop.1a2b.js')).toBeDefined()
    await publish(site(6))
    await expect.poll(() => text('_astro/shop.1a2b.js')).toBeUndefined()
    expect(await text('_astro/v2.js')).toBe('2')
  })

  test('tells which release the CDN shows while the bucket can’t be written, and tries again', async () => {
    const { cdn, releases, publish, fail, heal, text } = await openCdn()
    await isCurrent(cdn)
    const shows = (await releases.current())?.createdAt
    fail(503, { requests: /PUT .*products/ })
    await publish({
      ...SITE,
      'products.html': makePage('All products'),
      'index.html': makePage('New home')
    })
    await expect.poll(() => cdn.delay()?.problem).toMatch(/status 503/)
    expect(cdn.delay()?.shows).toBe(shows)
    heal()
    await isCurrent(cdn)
    expect(await text('products')).toContain('All products')
  })

  test('leaves no page of an upload that was cut short, also after a restart and a return to the old release', async () => {
    const { cdn, releases, store, publish, fail, heal, text, restart } = await openCdn()
    const first = (await releases.current())?.id ?? ''
    fail(503, { requests: /PUT .*products$/ })
    await publish({
      ...SITE,
      ...makeProductPage('short-lived'),
      'products.html': makePage('All products')
    })
    await expect.poll(() => cdn.delay()?.problem).toMatch(/status 503/)
    expect(await text('products/short-lived')).toBeDefined()
    await store.switchTo(first)
    await releases.refresh()
    heal()
    await isCurrent(await restart())
    await expect.poll(() => text('products/short-lived')).toBeUndefined()
    expect(await text('products')).toBe(SITE['products.html'])
  })

  test('stops in the middle of a request that hangs, so that the next process can upload at once', async () => {
    const { publish, restart, fail, heal, requests, text } = await openCdn()
    fail('hang', { requests: /^PUT .*index/ })
    requests.length = 0
    await publish({ ...SITE, 'index.html': makePage('New home') })
    await expect.poll(() => requests).toContain('PUT test/index.html')
    heal()
    const start = performance.now()
    await restart()
    expect(performance.now() - start).toBeLessThan(2000)
    await expect.poll(() => text('index.html')).toBe(makePage('New home'))
  })

  test('sends a page again that an upload has deleted before it failed', async () => {
    const { cdn, releases, store, publish, fail, heal, text } = await openCdn()
    await publish({ ...SITE, ...makeProductPage('laddu') })
    await expect.poll(() => text('products/laddu')).toBeDefined()
    await isCurrent(cdn)
    const first = (await releases.current())?.id ?? ''
    fail(503, { requests: /DELETE .*mysore-pak/ })
    await publish(SMALL_SITE)
    await expect.poll(() => cdn.delay()?.problem).toMatch(/status 503/)
    await expect.poll(() => text('products/laddu')).toBeUndefined()
    await store.switchTo(first)
    await releases.refresh()
    heal()
    await expect.poll(() => text('products/laddu')).toBeDefined()
  })
})

async function openFolder(
  beforePut: (key: string, content: string) => Promise<void>
): Promise<ObjectStore> {
  const bucket = await openObjectStore(
    { type: 'folder', folder: await temporaryFolder() },
    () => undefined
  )
  const put: ObjectStore['put'] = async (key, content, headers, signal) => {
    await beforePut(key, Buffer.from(content).toString())
    await bucket.put(key, content, headers, signal)
  }
  return { ...bucket, put }
}

test('An upload that fails sends nothing any more, because another node may be uploading then', async () => {
  const sent: string[] = []
  const bucket = await openFolder(async key => {
    sent.push(key)
    await sleep(5)
    if (key === 'products/1.html') throw new StoreError('refused')
  })
  const site = await openSite()
  const pages = Object.assign(
    {},
    ...Array.from({ length: 60 }, (_, n) => makeProductPage(String(n)))
  ) as SiteFiles
  await site.publish({ ...SITE, ...pages })
  const cdn = createCdnUpload({ ...site, bucket, isFolder: true })
  const loop = cdn.start(Fastify().log, { first: MINUTE, max: MINUTE })
  onTestFinished(() => loop.stop())
  await expect.poll(() => cdn.delay()?.problem).toBe('refused')
  const count = sent.length
  await sleep(100)
  expect(sent).toHaveLength(count)
  expect(count).toBeLessThan(60)
})

test('A node that was stopped for a while never uploads the older release that it still has', async () => {
  const { a, b } = await openNodes()
  await publishOn(a, 'first')
  await b.shared?.follow()
  const second = await publishOn(a, 'second')
  const sent: string[] = []
  const bucket = await openFolder(async (key, content) => {
    if (key === 'about.html') sent.push(content)
  })
  const cdn = createCdnUpload({ ...b, bucket, isFolder: true })
  const loop = cdn.start(Fastify().log, QUICK)
  onTestFinished(() => loop.stop())
  await expect.poll(() => sent).toEqual([makePage('second')])
  expect((await b.releases.current())?.id).toBe(second)
})

test('Upload to a folder keeps the names of files, as web servers expect them', async () => {
  const folder = await temporaryFolder()
  const bucket = await openObjectStore({ type: 'folder', folder }, () => undefined)
  const site = await openSite()
  const loop = createCdnUpload({ ...site, bucket, isFolder: true }).start(Fastify().log, QUICK)
  onTestFinished(() => loop.stop())
  await expect
    .poll(() => bucket.read('products/mysore-pak.html').then(String))
    .toBe(SITE['products/mysore-pak.html'])
  await expect.poll(() => bucket.read('_headers').then(String)).toContain('content-security-policy')
})

test('Upload waits while a node can’t tell which release is live on the others', async () => {
  const folder = await temporaryFolder()
  const bucket = await openObjectStore({ type: 'folder', folder }, () => undefined)
  const site = await openSite()
  let isCutOff = true
  const shared = {
    async follow() {
      if (isCutOff) throw new StoreError('the store can’t be reached')
    },
    liveId: async () => (await site.releases.current())?.id
  }
  const cdn = createCdnUpload({ ...site, bucket, isFolder: true, shared })
  const loop = cdn.start(Fastify().log, QUICK)
  onTestFinished(() => loop.stop())
  await expect.poll(() => cdn.delay()?.problem).toContain('the store can’t be reached')
  expect(await bucket.read('index.html')).toBeUndefined()
  isCutOff = false
  await expect.poll(() => bucket.read('index.html')).toBeDefined()
})
