import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { restoreBackup } from '#server/backups/restore.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { POLICY_HEADER } from '#server/publishing/bucket.ts'
import { planPublish, readSituation } from '#server/publishing/plan.ts'
import { createRepublish } from '#server/publishing/republish.ts'
import { openBackupShop, openRestoreTarget } from '../support/backups.ts'
import { startS3 } from '../support/object-store.ts'
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
  const add = (version = 'this code') =>
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
        .filter(line => !line.startsWith('GET') && !/_site\.json|release\.txt/.test(line))
        .map(line => line.replace(' test/', ' '))
  }
}

async function publish(node: TestPublisher, text: string, files = SITE) {
  node.clock.advance(2 * SECOND)
  node.setFiles({ ...files, 'about.html': makePage(text) })
  await node.changeContent(text)
  return node.publishRelease()
}

async function plan(node: TestPublisher) {
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
    expect(await text('_redirects')).toMatch(/^\/my-orders \/orders 301\n/)
    const headersOf = async (key: string) =>
      (await fetch(`${s3.location.endpoint}/shop/test/${key}`, { method: 'HEAD' })).headers
    const page = await headersOf('products/mysore-pak')
    expect(page.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.get('cache-control')).toMatch(/max-age=0/)
    expect(page.get(POLICY_HEADER)).toMatch(/^default-src 'none'; script-src/)
    const script = await headersOf('_astro/shop.1a2b.js')
    expect(script.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('gets only what changes: scripts, pages, its id, and at the end loses what is gone', async () => {
    const { a, add, s3, changes, text } = await openNodes()
    await publish(a, 'first')
    changes()
    const { 'products/mysore-pak.html': _gone, '_astro/shop.1a2b.js': _old, ...others } = SITE
    await publish(await add('newer code'), 'second', {
      ...others,
      '404.html': makePage('Oops', '<script src="/_astro/new.3c4d.js"></script>'),
      '_astro/new.3c4d.js': 'new()'
    })
    const puts = s3.requests.filter(line => /^PUT (?!.*_site\.json)/.test(line))
    expect(puts.at(-1)).toMatch(/release\.txt$/)
    const lines = changes()
    expect([lines[0], lines.at(-1)]).toEqual([
      'PUT _astro/new.3c4d.js',
      'DELETE products/mysore-pak'
    ])
    expect(lines).toEqual(expect.arrayContaining(['PUT 404.html', 'PUT about']))
    expect(lines).not.toContain('PUT products')
    expect(await text('_astro/shop.1a2b.js')).toBe(SITE['_astro/shop.1a2b.js'])
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

test('A bucket that fails makes the publish fail with the reason, and the next attempt repairs it', async () => {
  const { a, s3, text } = await openNodes()
  await publish(a, 'first')
  const run = createRepublish({ ...a, log: Fastify({ logger: false }).log }, 0)
  await run(new AbortController().signal)
  s3.fail(503, { requests: /^PUT .*products$/ })
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
    { problem: expect.stringMatching(/^PUT products at the object store 1/) }
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
})

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
