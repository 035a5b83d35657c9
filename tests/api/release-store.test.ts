import Fastify from 'fastify'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DAY } from '#lib/time.ts'
import { restoreBackup } from '#server/backups/restore.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { listFiles } from '#server/platform/storage/files.ts'
import { openObjectStore } from '#server/platform/storage/object-store.ts'
import { findLiveRelease, saveLiveRelease } from '#server/publishing/queries.ts'
import { SECOND } from '#lib/time.ts'
import { ENCODING_SUFFIX } from '#server/publishing/release/files.ts'
import { createRepublish } from '#server/publishing/republish.ts'
import { openBackupShop, openRestoreTarget } from '../support/backups.ts'
import { startS3 } from '../support/object-store.ts'
import { makePage, SMALL_SITE, writeSite } from '../support/releases.ts'
import { openTestPublisher } from '../support/test-publisher.ts'
import { failAt, fetchPage, listFolders, openNodes, publish, works } from '../support/nodes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.for([
  '../../outside.html',
  '/tmp/outside.html',
  'a/../../../outside.html',
  'a\\..\\outside.html'
])('A release whose manifest names the file %s is not copied', async name => {
  const { a, b, folder } = await openNodes()
  const old = await publish(a, 'first')
  await b.shared?.follow()
  const id = await publish(a, 'second')
  const file = join(folder, 'releases', id, 'release.json')
  const manifest = await readFile(file, 'utf8')
  await writeFile(file, manifest.replace('"about.html"', JSON.stringify(name)))
  await b.shared?.follow()
  expect(await b.current()).toBe(`releases/${old}`)
  expect(await listFolders(b)).toEqual([old])
  const outside = await Promise.all(
    [dirname(b.config.dataDir), b.config.dataDir].map(path => readdir(path))
  )
  expect(outside.flat().filter(found => found.includes('outside'))).toEqual([])
  await writeFile(file, manifest)
  await b.shared?.follow()
  expect(await b.current()).toBe(`releases/${id}`)
})

describe('A store that fails', () => {
  test('keeps the old release live on all nodes, with the reason, until it works again', async () => {
    const { a, b, onCall } = await openNodes()
    const old = await publish(a, 'first')
    await b.shared?.follow()
    onCall(failAt(/./))
    const run = createRepublish({ ...a, log: Fastify({ logger: false }).log }, 0)
    a.setFiles({ ...SMALL_SITE, 'about.html': makePage('second') })
    await a.changeContent('second')
    await run(new AbortController().signal)
    const rows = await a.database.kysely
      .selectFrom('publishes')
      .selectAll()
      .where('state', '=', 'failed')
      .execute()
    expect(rows.map(({ problem }) => problem)).toEqual([
      'waiting for the store: connection refused'
    ])
    await b.shared?.follow()
    for (const node of [a, b]) {
      expect(await node.current()).toBe(`releases/${old}`)
      expect(await listFolders(node)).toEqual([old])
      expect((await fetchPage(node, '/about')).body).toBe(makePage('first'))
    }
    onCall(works)
    const id = await a.publishRelease()
    await b.shared?.follow()
    for (const node of [a, b]) expect(await node.current()).toBe(`releases/${id}`)
  })

  test.for([
    ['a page cannot be fetched', /read files/],
    ['the manifest cannot be fetched', /read releases.*release.json/]
  ] as const)(
    'leaves the old release live if %s, and the next check repairs it',
    async ([, calls]) => {
      const { a, b, onCall } = await openNodes()
      const old = await publish(a, 'first')
      await b.shared?.follow()
      const id = await publish(a, 'second')
      onCall(failAt(calls))
      await expect(b.shared?.follow()).rejects.toThrow('waiting for the store: connection refused')
      expect(await b.current()).toBe(`releases/${old}`)
      expect(await listFolders(b)).toEqual([old])
      onCall(works)
      await b.shared?.follow()
      expect(await b.current()).toBe(`releases/${id}`)
    }
  )

  test.for(['', '.br'])('never makes a truncated object live (form "%s")', async suffix => {
    const { a, b, folder } = await openNodes()
    const id = await publish(a, 'first')
    const hash = (await a.store.manifest(id))?.files['about.html']?.hash
    const object = join(folder, 'files', `${hash}${suffix}`)
    const content = await readFile(object)
    await truncate(object, content.length - 1)
    await expect(b.shared?.follow()).rejects.toThrow('is truncated or damaged')
    expect(await b.current()).toBeUndefined()
    expect(await listFolders(b)).toEqual([])
    await writeFile(object, content)
    await b.shared?.follow()
    expect(await b.current()).toBe(`releases/${id}`)
  })

  test('is copied whole by two processes that have the same data folder', async () => {
    const { a, b, add, onCall } = await openNodes()
    const id = await publish(a, 'first')
    const other = await add('this code', b.config.dataDir)
    let isFirst = true
    onCall(async call => {
      if (!isFirst || !call.startsWith('read files/')) return
      isFirst = false
      await other.shared?.follow()
    })
    await b.shared?.follow()
    expect(await listFolders(b)).toEqual([id])
    expect(await listFiles(b.store.folder(id))).toEqual(await listFiles(a.store.folder(id)))
  })

  test('makes nothing live if a node loses the lock or stops after the upload', async () => {
    const { a, b, onCall } = await openNodes()
    const old = await publish(a, 'first')
    let uploaded = ''
    onCall(async call => {
      if (!call.endsWith('/release.json') || !call.startsWith('create')) return
      uploaded = call
      await a.write(trx => trx.updateTable('leases').set({ holder: 'another' }).execute())
    })
    await expect(publish(a, 'second')).rejects.toThrow(
      "Another process has taken the lock 'publish'"
    )
    expect(uploaded).not.toBe('')
    await b.shared?.follow()
    for (const node of [a, b]) expect(await node.current()).toBe(`releases/${old}`)
    onCall(works)
    await a.write(trx => trx.deleteFrom('leases').execute())
    await publish(b, 'third')
    await a.shared?.follow()
    expect((await fetchPage(a, '/about')).body).toBe(makePage('third'))
  })

  test('that was emptied or replaced gets the whole release at the next publish', async () => {
    const { a, folder, add } = await openNodes()
    await publish(a, 'first')
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
    const restarted = await add('this code', a.config.dataDir)
    await publish(restarted, 'second')
    const other = await add()
    await other.shared?.follow()
    expect((await fetchPage(other, '/about')).body).toBe(makePage('second'))
  })
})

describe('The object store', () => {
  test('keeps the releases that can be brought back with all their files, and nothing else after a day', async () => {
    const { a, folder, add } = await openNodes()
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.push(await publish(a, `text ${count}`))
    await writeSite(folder, { 'files/unfinished': 'x', 'releases/unfinished/reads.json': 'x' })
    const kept = ids.slice(2).toReversed()
    expect(await a.archive.listIds()).toEqual(kept)
    a.clock.advance(Date.now() - a.clock() + 2 * DAY)
    kept.unshift(await publish(a, 'last'))
    const named = new Set<string>()
    for (const id of await a.archive.listIds()) {
      const files = Object.values((await a.archive.manifest(id))?.files ?? {})
      for (const { hash, encodings } of files)
        for (const suffix of ['', ...encodings.map(encoding => ENCODING_SUFFIX[encoding])])
          named.add(hash + suffix)
    }
    expect((await readdir(join(folder, 'files'))).sort()).toEqual([...named].sort())
    expect(new Set((await listFiles(join(folder, 'releases'))).map(name => dirname(name)))).toEqual(
      new Set(await a.archive.listIds())
    )
    const other = await add()
    for (const id of await a.archive.listIds()) expect(await other.shared?.fetch(id)).toBe(true)
  })

  test('gets the live release of a node that had no store before', async () => {
    const alone = await openTestPublisher()
    const id = await publish(alone, 'first')
    const folder = await temporaryFolder()
    const objects = await openObjectStore({ type: 'folder', folder }, () => undefined)
    const options = { objects, others: alone }
    const a = await openTestPublisher('sqlite', {}, { ...options, dataDir: alone.config.dataDir })
    a.setFiles({ ...SMALL_SITE, 'about.html': makePage('first') })
    a.changeContentWithoutCounter('first')
    expect(await a.publish()).toEqual({ state: 'fresh' })
    const b = await openTestPublisher('sqlite', {}, options)
    await b.shared?.follow()
    expect(await b.current()).toBe(`releases/${id}`)
  })

  test('tells a restore which catalogue counters are taken, and the restored database names no live release', async () => {
    const { a } = await openNodes()
    for (let count = 0; count < 50; count++) await a.changeContent(`text ${count}`)
    await publish(a, 'last')
    const shop = await openBackupShop('sqlite')
    await shop.store.write(trx => saveLiveRelease(trx, 'gone', '2026-11-21T04:00:00.000Z'))
    const file = await shop.backUp()
    const { store, dataDir } = await openRestoreTarget('sqlite')
    const task = {
      database: store.database,
      dataDir,
      file,
      force: false,
      siteUrl: null,
      storedReleases: a.archive
    }
    await restoreBackup(task, Date.now)
    const taken = await readCounter(a.database.kysely, 'catalog')
    expect(await readCounter(store.database.kysely, 'catalog')).toBe(taken + 1)
    expect(await findLiveRelease(store.database.kysely)).toBeUndefined()
  })

  test('can be an S3 bucket', async () => {
    const s3 = await startS3({ timeout: SECOND })
    const a = await openTestPublisher('sqlite', {}, { objects: s3.objects })
    const b = await openTestPublisher('sqlite', {}, { objects: s3.objects, others: a })
    const old = await publish(a, 'first')
    await b.shared?.follow()
    s3.fail('hang', { requests: /^PUT test.files/ })
    await expect(publish(a, 'second')).rejects.toThrow('waiting for the store: PUT files/')
    s3.heal()
    expect(await b.current()).toBe(`releases/${old}`)
    const id = await publish(a, 'third')
    s3.fail('truncate', { requests: /^GET test.files/ })
    await expect(b.shared?.follow()).rejects.toThrow('waiting for the store: GET files/')
    s3.heal()
    await b.shared?.follow()
    expect(await b.current()).toBe(`releases/${id}`)
  })
})
