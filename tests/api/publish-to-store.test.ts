import Fastify from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { restoreBackup } from '#server/backups/restore.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { openObjectStore } from '#server/platform/storage/open-store.ts'
import { POLICY_HEADER } from '#server/publishing/bucket.ts'
import { planPublish, readSituation, type PublishPlan } from '#server/publishing/plan.ts'
import { createRepublish } from '#server/publishing/republish.ts'
import { openBackupShop, openRestoreTarget } from '../support/backups.ts'
import { hasCaddy, startCaddy } from '../support/proxies.ts'
import { startS3 } from '../support/object-store.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  makePage,
  openTestPublisher,
  type SiteFiles,
  SMALL_SITE,
  type TestPublisher
} from '../support/test-publisher.ts'

const SITE: SiteFiles = { ...SMALL_SITE, 'products/mysore-pak.html': makePage('mysore-pak') }

/** Two nodes on one database and one bucket. */
async function openNodes() {
  const s3 = await startS3()
  const { objects } = s3
  const a = await openTestPublisher('sqlite', {}, { objects })
  const add = (version = 'this code'): Promise<TestPublisher> =>
    openTestPublisher('sqlite', {}, { objects, others: a, version })
  return {
    a,
    b: await add(),
    s3,
    add,
    text: async (key: string) => (await objects.get(key))?.toString(),
    /** Requests since the last call that changed objects, without those for the list of files. */
    changes: () =>
      s3.requests
        .splice(0)
        .filter(line => !line.startsWith('GET') && !line.includes('_site.json'))
        .map(line => line.replace(' test/', ' '))
  }
}

async function publish(node: TestPublisher, text: string, files = SITE): Promise<string> {
  node.clock.advance(2 * SECOND)
  node.setFiles({ ...files, 'about.html': makePage(text) })
  await node.changeContent(text)
  return node.publishRelease()
}

async function plan(node: TestPublisher): Promise<PublishPlan> {
  return planPublish(await readSituation(node))
}

describe('A release in a bucket', () => {
  test('has pages under their addresses, with type, cache time and policy of each file', async () => {
    const { a, s3, changes, text } = await openNodes()
    a.setFiles(SITE)
    await a.publishRelease()
    const keys = ['404.html', '_astro/shop.1a2b.js', '_headers', '_redirects', 'index.html']
    const pages = ['products', 'products/mysore-pak', 'sitemap-0.xml', 'sitemap-index.xml']
    expect(changes().sort()).toEqual([...keys, ...pages].map(key => `PUT ${key}`))
    expect(await text('products/mysore-pak')).toBe(SITE['products/mysore-pak.html'])
    expect(await text('_redirects')).toBe('/my-orders /orders 301\n')
    const headersOf = async (key: string): Promise<Headers> =>
      (await fetch(`${s3.location.endpoint}/shop/test/${key}`, { method: 'HEAD' })).headers
    const page = await headersOf('products/mysore-pak')
    expect(page.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.get('cache-control')).toMatch(/max-age=0/)
    expect(page.get(POLICY_HEADER)).toMatch(/^default-src 'none'; script-src/)
    const script = await headersOf('_astro/shop.1a2b.js')
    expect(script.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('gets only what changes: scripts, then pages, and at the end loses what is gone', async () => {
    const { a, add, changes, text } = await openNodes()
    await publish(a, 'first')
    changes()
    const { 'products/mysore-pak.html': _gone, '_astro/shop.1a2b.js': _old, ...others } = SITE
    await publish(await add('newer code'), 'second', {
      ...others,
      '404.html': makePage('Oops', '<script src="/_astro/new.3c4d.js"></script>'),
      '_astro/new.3c4d.js': 'new()'
    })
    const lines = changes()
    expect([lines[0], lines.at(-1)]).toEqual([
      'PUT _astro/new.3c4d.js',
      'DELETE products/mysore-pak'
    ])
    expect(lines).toEqual(expect.arrayContaining(['PUT 404.html', 'PUT about']))
    expect(lines).not.toContain('PUT products')
    expect(await text('_astro/shop.1a2b.js')).toBe(SITE['_astro/shop.1a2b.js'])
  })

  test('can be in a folder, with the names of files that web servers expect', async () => {
    const folder = await temporaryFolder()
    const objects = openObjectStore({ type: 'folder', folder })
    const publisher = await openTestPublisher('sqlite', {}, { objects })
    await publish(publisher, 'first')
    expect(await readFile(join(folder, 'about.html'), 'utf8')).toBe(makePage('first'))
    expect(await readFile(join(folder, '_headers'), 'utf8')).toContain('content-security-policy')
  })
})

describe('Nodes with one bucket', () => {
  test('publish in turn, also what they have never had, and send only what differs', async () => {
    const { a, b, changes, text } = await openNodes()
    await publish(a, 'first')
    changes()
    await publish(b, 'second')
    expect(changes()).toEqual(['PUT about'])
    await publish(a, 'third')
    expect(changes()).toEqual(['PUT about'])
    expect(await text('about')).toBe(makePage('third'))
  })

  test('find nothing to do after another one has published, and settle after any check', async () => {
    const { a, b, changes } = await openNodes()
    for (const node of [a, b]) node.setFiles(SITE)
    await publish(a, 'first')
    expect(await plan(b)).toBe('nothing')
    b.setFiles({ ...SITE, 'about.html': makePage('first') })
    b.changeContentWithoutCounter('first')
    await publish(b, 'second')
    a.setFiles({ ...SITE, 'about.html': makePage('first') })
    await publish(b, 'first')
    changes()
    // Shows the same pages as its last release, which is not the live one.
    await a.changeContent('first')
    expect(await a.publish()).toEqual({ state: 'fresh' })
    expect(changes()).toEqual([])
    expect([await plan(a), await plan(b)]).toEqual(['nothing', 'nothing'])
  })

  test('keep a page of another node that they can’t render themselves', async () => {
    const { a, b, text } = await openNodes()
    await publish(a, 'first')
    b.breakPages('/products/mysore-pak')
    await publish(b, 'second')
    expect(await text('about')).toBe(makePage('second'))
    expect(await text('products/mysore-pak')).toBe(SITE['products/mysore-pak.html'])
  })

  test('publish until one with newer code has, and then only that one does', async () => {
    const { a: old, add } = await openNodes()
    await publish(old, 'first')
    const newer = await add('newer code')
    expect(await plan(newer)).toBe('render')
    await publish(old, 'second')
    await publish(newer, 'third')
    await old.changeContent('fourth')
    expect(await plan(old)).toBe('superseded')
    expect(await old.publish({ force: true })).toEqual({ state: 'fresh' })
    expect(await plan(newer)).toBe('render')
    const restarted = await add('older code')
    await publish(restarted, 'fifth')
    expect(await plan(newer)).toBe('superseded')
  })
})

describe('A bucket that fails', () => {
  test.for([
    [503, /^PUT .*products$/],
    ['cut', /./]
  ] as const)(
    'makes the publish fail with the reason, and the next attempt repairs it (%s, %s)',
    async ([fault, requests]) => {
      const { a, s3, text } = await openNodes()
      await publish(a, 'first')
      const run = createRepublish({ ...a, log: Fastify({ logger: false }).log }, 0)
      await run(new AbortController().signal)
      s3.fail(fault, { requests })
      a.setFiles({
        ...SITE,
        'products/short-lived.html': makePage('short-lived'),
        'products.html': makePage('All products')
      })
      await a.changeContent('second')
      await run(new AbortController().signal)
      const failed = await a.database.kysely
        .selectFrom('publishes')
        .select('problem')
        .where('state', '=', 'failed')
        .execute()
      expect(failed).toEqual([
        { problem: expect.stringMatching(/^(?:PUT products|GET _site.json) at the object store 1/) }
      ])
      s3.heal()
      expect(await text('products')).toBe(SITE['products.html'])
      // Back to the release from before, although parts of the other one are in the bucket.
      a.setFiles({ ...SITE, 'about.html': makePage('first') })
      await a.changeContent('first')
      expect(await a.publish()).toEqual({ state: 'fresh' })
      expect(await text('products')).toBe(SITE['products.html'])
      expect(await text('products/short-lived')).toBeUndefined()
      expect(await plan(a)).toBe('nothing')
    }
  )

  test('is completed by another node if the publishing one was killed', async () => {
    const { a, b, s3, text } = await openNodes()
    await publish(a, 'first')
    s3.fail('cut', { requests: /^PUT .*about/ })
    await expect(publish(a, 'second')).rejects.toThrow('PUT about')
    await a.write(trx => trx.updateTable('publishes').set({ state: 'rendering' }).execute())
    s3.heal()
    expect(await plan(b)).not.toBe('nothing')
    await publish(b, 'second')
    expect(await text('about')).toBe(makePage('second'))
  })

  test('gets nothing more from a node that has lost the publish lock', async () => {
    const { a, s3, changes } = await openNodes()
    await publish(a, 'first')
    changes()
    a.beforePage(async () => {
      await a.write(trx => trx.updateTable('leases').set({ holder: 'b' }).execute())
    })
    await expect(publish(a, 'second')).rejects.toThrow('Another process has taken the lock')
    expect(changes()).toEqual([])
    expect(s3.requests).toEqual([])
  })

  test('that was emptied gets the whole release at the next publish', async () => {
    const { a, s3, add, text } = await openNodes()
    await publish(a, 'first')
    for await (const { key } of s3.objects.list('')) await s3.objects.delete(key)
    const restarted = await add()
    expect(await plan(restarted)).toBe('render')
    await publish(restarted, 'second')
    expect(await text('index.html')).toBe(SITE['index.html'])
  })
})

test.runIf(hasCaddy)(
  'Caddy with deploy/Caddyfile.bucket serves pages with their policies, the not-found page and redirects',
  async () => {
    const { a, s3 } = await openNodes()
    a.setFiles(SITE)
    await a.publishRelease()
    const port = await freePort()
    const site = (await readFile('deploy/Caddyfile.bucket', 'utf8'))
      .replace(/\{\$SHOP_DOMAIN.*?\}/, `http://127.0.0.1:${port}`)
      .replaceAll(/\{\$BUCKET_ORIGIN.*?\}/g, s3.location.endpoint)
      .replaceAll(/\{\$BUCKET_PATH.*?\}/g, '/shop/test')
    onTestFinished(await startCaddy(site))
    const get = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
    const isUp = async (): Promise<boolean> => (await get('/').catch(() => undefined))?.ok ?? false
    await expect.poll(isUp).toBe(true)

    const home = await get('/')
    expect(await home.text()).toBe(SITE['index.html'])
    expect(home.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-/)
    expect(home.headers.get('x-content-type-options')).toBe('nosniff')
    expect([...home.headers.keys()].filter(name => name.startsWith('x-amz'))).toEqual([])
    const product = await get('/products/mysore-pak?q=1')
    expect(await product.text()).toBe(SITE['products/mysore-pak.html'])
    expect(product.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const missing = await get('/nothing')
    expect([missing.status, await missing.text()]).toEqual([404, SITE['404.html']])
    expect(missing.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    const { headers } = await get('/_astro/shop.1a2b.js')
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('content-security-policy')).toBeNull()
    const locationOf = async (path: string): Promise<string | null> =>
      (await get(path)).headers.get('location')
    expect(await locationOf('/products/')).toMatch(/^\/products\??$/)
    expect(await locationOf('/my-orders')).toBe('/orders')
    expect(await locationOf('//evil.example/')).not.toMatch(/^\/\/|:/)
  }
)

test('A restore takes a catalogue counter that no published release has', async () => {
  const { a, s3 } = await openNodes()
  for (let count = 0; count < 3; count++) await a.changeContent(`text ${count}`)
  await publish(a, 'last')
  const shop = await openBackupShop('sqlite')
  const file = await shop.backUp()
  const { store, dataDir } = await openRestoreTarget('sqlite')
  const { database } = store
  const task = { database, dataDir, file, force: false, siteUrl: null, objects: s3.objects }
  await restoreBackup(task, Date.now)
  const taken = await readCounter(a.database.kysely, 'catalog')
  expect(await readCounter(database.kysely, 'catalog')).toBe(taken + 1)
})
