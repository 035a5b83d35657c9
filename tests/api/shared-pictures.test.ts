import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture } from '#lib/contract/values.ts'
import { listPictureFiles } from '#lib/images.ts'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import { createStoredReleases } from '#server/publishing/stored-releases.ts'
import { sweepPictures, uploadLocalPictures } from '#server/publishing/sweep-pictures.ts'
import { takeLease } from '#server/platform/jobs/leases.ts'
import { StoreError } from '#server/platform/storage/object-store.ts'
import { createSharedPictures, PICTURES_LOCK } from '#server/platform/storage/shared-pictures.ts'
import { isoNow } from '#server/platform/process/clock.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { openDatabase } from '../support/database.ts'
import { startS3, type TestS3 } from '../support/object-store.ts'
import { makePage, publishRelease, SMALL_SITE, writeSite } from '../support/releases.ts'
import { openShop, testClock, type Reply, type Shop } from '../support/shop.ts'
import { openTestPublisher } from '../support/test-publisher.ts'
import { makeUpload } from '../support/upload.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILE = 'laddu-1a2b3c4d-480.avif'
const CONTENT = Buffer.from('the picture')
const ROW = { key: 'halwa-1a2b3c4d', width: 50, height: 40, color: '#fff', alt: '' }

interface Node {
  s3: TestS3
  a: Shop
  openOther(): Promise<Shop>
  /** Uploads the same small picture at `a`. */
  upload(): Promise<Reply>
  /** Adds the picture of `ROW` like an upload. */
  addPicture(): Promise<void>
  storedNames(): Promise<string[]>
}

/** The other node has the same database and store, and a data folder of its own. */
async function openNode(timeout?: number): Promise<Node> {
  const s3 = await startS3(timeout === undefined ? {} : { timeout })
  const database = await openDatabase('sqlite')
  const options = { objects: s3.objects, clock: testClock(isoNow(Date.now)) }
  const a = await openShop('sqlite', { ...options, database })
  const { token } = await logInAsAdmin(a)
  const photo = await sharp({
    create: { width: 50, height: 40, channels: 3, background: '#c08a3e' }
  })
    .jpeg()
    .toBuffer()
  return {
    s3,
    a,
    openOther: () =>
      openShop('sqlite', { ...options, database: { ...database, close: async () => undefined } }),
    upload() {
      const { payload, headers } = makeUpload(photo)
      const url = '/api/admin/pictures?name=Laddu'
      return a.request({
        method: 'POST',
        url,
        payload,
        headers: { ...headers, authorization: `Bearer ${token}` }
      })
    },
    async addPicture() {
      const names = listPictureFiles(ROW.key, ROW.width)
      for (const name of names) await writeLocal(a, name)
      await a.app.sharedPictures?.upload(ROW.key, names)
      await a.write(trx => trx.insertInto('pictures').values(ROW).execute())
    },
    async storedNames() {
      const names: string[] = []
      for await (const { key } of s3.objects.list('pictures/'))
        names.push(key.slice('pictures/'.length))
      return names.sort()
    }
  }
}

async function listLocal(shop: Shop): Promise<string[]> {
  return (await readdir(join(shop.dataDir, 'assets')).catch(() => [])).sort()
}

async function listPictureKeys(shop: Shop): Promise<string[]> {
  return (await shop.database.kysely.selectFrom('pictures').select('key').execute()).map(
    ({ key }) => key
  )
}

async function writeLocal(shop: Shop, name: string): Promise<void> {
  await mkdir(join(shop.dataDir, 'assets'), { recursive: true })
  await writeFile(join(shop.dataDir, 'assets', name), CONTENT)
}

describe('With an object store', () => {
  test('a picture that was uploaded at one node is served by the other', async () => {
    const { a, openOther, upload, storedNames } = await openNode()
    const { key } = (await upload()).body as Picture
    expect(await storedNames()).toEqual(await listLocal(a))
    const b = await openOther()
    const [original, copy] = await Promise.all(
      [a, b].map(shop => shop.request({ url: `/assets/${key}.jpg` }))
    )
    expect(copy?.status).toBe(200)
    expect(copy?.raw).toEqual(original?.raw)
    expect(copy?.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(await listLocal(b)).toEqual([`${key}.jpg`])
  })

  test('an upload fails and leaves no row if the store does not confirm all its files', async () => {
    const { a, s3, upload } = await openNode()
    const before = await listPictureKeys(a)
    s3.fail('cut', { requests: /^PUT .*avif/ })
    const reply = await upload()
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(await listPictureKeys(a)).toEqual(before)
    s3.heal()
    expect((await upload()).status).toBe(201)
  })

  test('a missing picture is fetched once, however many visitors ask', async () => {
    const { a, s3 } = await openNode()
    await s3.objects.put(`pictures/${FILE}`, CONTENT)
    s3.fail({ delay: 30 }, { requests: /^GET/ })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => a.request({ url: `/assets/${FILE}` }))
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 the picture'])
    )
    expect(s3.requests.filter(line => line.startsWith('GET'))).toEqual([
      `GET test/pictures/${FILE}`
    ])
  })

  test('the store is not asked again at once for a picture that it does not have', async () => {
    const { a, s3 } = await openNode()
    const statuses = [
      await a.request({ url: `/assets/${FILE}` }),
      await a.request({ url: `/assets/${FILE}` })
    ]
    expect(statuses.map(({ status }) => status)).toEqual([404, 404])
    expect(s3.requests).toHaveLength(1)
    expect((await a.request({ url: '/assets/../shop.db' })).status).toBe(404)
    expect(s3.requests).toHaveLength(1)
  })

  test.for(['cut', 'hang', 503] as const)(
    'local pictures are served while the store is down (%s)',
    async fault => {
      const { a, s3 } = await openNode(50)
      await writeLocal(a, FILE)
      s3.fail(fault)
      expect((await a.request({ url: `/assets/${FILE}` })).status).toBe(200)
      const missing = await a.request({ url: '/assets/halwa-1a2b3c4d.jpg' })
      expect([missing.status, missing.headers['cache-control']]).toEqual([503, 'no-store'])
      const tries = s3.requests.length
      expect((await a.request({ url: '/assets/jangiri-1a2b3c4d.jpg' })).status).toBe(503)
      expect(s3.requests).toHaveLength(tries)
    }
  )

  test('a damaged picture fails alone, and is not downloaded again at once', async () => {
    const { a, s3 } = await openNode()
    const others = ['halwa-1a2b3c4d.jpg', 'jangiri-1a2b3c4d.jpg']
    for (const name of [FILE, ...others]) await s3.objects.put(`pictures/${name}`, CONTENT)
    s3.fail('damage', { requests: /^GET .*laddu/ })
    const statuses = async (): Promise<number[]> => {
      const replies = [FILE, ...others].map(name => a.request({ url: `/assets/${name}` }))
      return (await Promise.all(replies)).map(({ status }) => status)
    }
    expect((await a.request({ url: `/assets/${FILE}` })).status).toBe(503)
    const tries = s3.requests.length
    expect(await statuses()).toEqual([503, 200, 200])
    expect(s3.requests).toHaveLength(tries + 2)
  })

  test('a picture that the disk does not take leaves the others as they are', async () => {
    const { a, s3 } = await openNode()
    await s3.objects.put(`pictures/${FILE}`, CONTENT)
    const assets = join(a.dataDir, 'assets')
    await rm(assets, { recursive: true, force: true })
    await writeFile(assets, 'not a folder')
    expect((await a.request({ url: `/assets/${FILE}` })).status).toBe(500)
    await rm(assets)
    expect((await a.request({ url: '/assets/halwa-1a2b3c4d.jpg' })).status).toBe(404)
  })

  test.for([
    'x.jpg',
    'laddu.jpg',
    'laddu-480.avif',
    'laddu-1a2b3c4d.avif',
    'laddu-1a2b3c4d-00480.avif'
  ])('the store is never asked for %s, because no picture has such a name', async name => {
    const { a, s3 } = await openNode()
    expect((await a.request({ url: `/assets/${name}` })).status).toBe(404)
    expect(s3.requests).toEqual([])
  })

  test('an upload answers like one to a store that is down if another node keeps the lock', async () => {
    const { a, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    const names = await storedNames()
    await a.write(trx => takeLease(trx, PICTURES_LOCK, 'another node', 10 * SECOND))
    const pictures = createSharedPictures(s3.objects, a.write, a.dataDir, 50)
    await expect(pictures.upload(ROW.key, names)).rejects.toThrow(StoreError)
  })

  test('pictures from before the shop had a store are uploaded once', async () => {
    const { a, s3, storedNames } = await openNode()
    await a.write(trx => trx.insertInto('pictures').values(ROW).execute())
    for (const name of ['halwa-1a2b3c4d.jpg', 'halwa-1a2b3c4d-50.avif', 'unused-1a2b3c4d.jpg'])
      await writeLocal(a, name)
    expect(await uploadLocalPictures(a.app)).toBe(2)
    expect(await storedNames()).toEqual(['halwa-1a2b3c4d-50.avif', 'halwa-1a2b3c4d.jpg'])
    const puts = s3.requests.filter(line => line.startsWith('PUT')).length
    expect(await uploadLocalPictures(a.app)).toBe(0)
    expect(s3.requests.filter(line => line.startsWith('PUT'))).toHaveLength(puts)
  })
})

test('A page with a picture of another node is published, but not one with a picture that nobody has', async () => {
  const { objects } = await startS3()
  const publisher = await openTestPublisher('sqlite', {}, { objects })
  await publisher.write(trx => trx.insertInto('pictures').values(ROW).execute())
  const page = (file: string) => ({
    ...SMALL_SITE,
    'index.html': makePage('Shop', `<img src="/assets/${file}">`)
  })
  publisher.setFiles(page('jangiri-1a2b3c4d.jpg'))
  await expect(publisher.publish()).rejects.toThrow(/jangiri-1a2b3c4d\.jpg, which does not exist/)
  publisher.setFiles(page('halwa-1a2b3c4d.jpg'))
  await publisher.publishRelease()
})

describe('The cleanup of pictures with an object store', () => {
  test('deletes unused pictures after a day, in the store and at all nodes', async () => {
    const { a, openOther, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    const b = await openOther()
    await b.request({ url: `/assets/${ROW.key}.jpg` })
    await sweepPictures(a.app)
    expect(await storedNames()).not.toEqual([])
    await s3.age(DAY + HOUR)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual([])
    expect(await listPictureKeys(a)).not.toContain(ROW.key)
    b.clock.advance(DAY + HOUR)
    await sweepPictures(b.app)
    expect(await listLocal(b)).toEqual([])
  })

  test('keeps pictures that are used, or that are on a page of a release', async () => {
    const { a, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    await s3.age(DAY + HOUR)
    const names = await storedNames()
    const page = join(a.dataDir, 'releases', '20261120-040000-abcdef', 'products')
    await mkdir(page, { recursive: true })
    await writeFile(join(page, 'laddu.html'), `<img src="/assets/${ROW.key}.jpg">`)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual(names)
    await rm(page, { recursive: true })
    await a.write(trx =>
      trx.updateTable('pictures').set({ name: 'kitchen' }).where('key', '=', ROW.key).execute()
    )
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual(names)
  })

  test('keeps pictures on pages of releases that this node does not have', async () => {
    const { a, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    const names = await storedNames()
    const otherDir = await temporaryFolder()
    const page = makePage('Halwa', `<img src="/assets/${ROW.key}.jpg">`)
    await writeSite(
      otherDir,
      Object.fromEntries(names.map(name => [`assets/${name}`, 'a picture']))
    )
    const id = await publishRelease(otherDir, { ...SMALL_SITE, 'products.html': page })
    const releases = createStoredReleases(s3.objects)
    await releases.upload(join(otherDir, 'releases', id), {}, new AbortController().signal)
    await s3.age(DAY + HOUR)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual(names)
    await releases.deleteRelease(id, new AbortController().signal)
    a.clock.advance(DAY)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual([])
  })

  test('deletes nothing while a release in the store can’t be read', async () => {
    const { a, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    await s3.objects.put('releases/20261120-040000-abcdef/release.json', CONTENT)
    await s3.age(DAY + HOUR)
    await expect(sweepPictures(a.app)).rejects.toThrow('no valid manifest')
    expect(await storedNames()).not.toEqual([])
  })

  test('stops in the middle of a request that hangs when the shop stops', async () => {
    const { a, s3, addPicture } = await openNode()
    await addPicture()
    await s3.age(DAY + HOUR)
    s3.fail('hang', { requests: /^DELETE/ })
    const stopped = new AbortController()
    const running = sweepPictures(a.app, stopped.signal)
    const deletions = (): number => s3.requests.filter(line => line.startsWith('DELETE')).length
    await expect.poll(deletions).toBe(1)
    stopped.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
    expect(deletions()).toBe(1)
  })

  test.for([
    ['is deleting it', /^DELETE/],
    ['is about to delete it', /^PUT/]
  ] as const)(
    'loses no old picture that is uploaded again while another node %s',
    async ([, requests]) => {
      const { a, openOther, s3, addPicture, storedNames } = await openNode()
      await addPicture()
      const b = await openOther()
      const names = await storedNames()
      await s3.age(DAY + HOUR)
      s3.requests.length = 0
      s3.fail({ delay: 40 }, { requests })
      const uploadAgain = async () => a.app.sharedPictures?.upload(ROW.key, names)
      const actions = [uploadAgain, () => sweepPictures(b.app)]
      const [first, second] = requests.test('PUT') ? actions : actions.reverse()
      const running = first?.()
      await expect
        .poll(() => s3.requests.some(line => requests.test(line)), { interval: 1 })
        .toBe(true)
      await Promise.all([running, second?.()])
      expect(await storedNames()).toEqual(names)
    }
  )
})
