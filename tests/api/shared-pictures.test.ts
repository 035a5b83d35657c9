import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture } from '#lib/contract/values.ts'
import { listPictureFiles } from '#lib/images.ts'
import { DAY, HOUR, isoNow } from '#lib/time.ts'
import { SITE_KEY } from '#server/publishing/bucket.ts'
import { sweepPictures, uploadMissingPictures } from '#server/publishing/sweep-pictures.ts'
import { uploadPictures } from '#server/platform/storage/images.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { openDatabase } from '../support/database.ts'
import { startS3 } from '../support/object-store.ts'
import { openShop, testClock, type Shop } from '../support/shop.ts'
import { makePage, openTestPublisher, SMALL_SITE } from '../support/test-publisher.ts'
import { makeUpload } from '../support/upload.ts'

const CONTENT = Buffer.from('the picture')
const ROW = { key: 'halwa-1a2b3c4d', width: 50, height: 40, color: '#fff', alt: '' }

/** The other node has the same database and store, and a data folder of its own. */
async function openNode() {
  const s3 = await startS3()
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
    /** Uploads the same small picture at `a`. */
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
    /** Adds the picture of `ROW` like an upload. */
    async addPicture() {
      const names = listPictureFiles(ROW.key, ROW.width)
      for (const name of names) await writeLocal(a, name)
      await uploadPictures(s3.objects, a.dataDir, names)
      await a.write(trx => trx.insertInto('pictures').values(ROW).execute())
    },
    async storedNames() {
      const names: string[] = []
      for await (const { key } of s3.objects.list('assets/'))
        names.push(key.slice('assets/'.length))
      return names.sort()
    }
  }
}

async function listLocal(shop: Shop) {
  return (await readdir(join(shop.dataDir, 'assets')).catch(() => [])).sort()
}

async function listPictureKeys(shop: Shop) {
  return (await shop.database.kysely.selectFrom('pictures').select('key').execute()).map(
    ({ key }) => key
  )
}

async function writeLocal(shop: Shop, name: string) {
  await mkdir(join(shop.dataDir, 'assets'), { recursive: true })
  await writeFile(join(shop.dataDir, 'assets', name), CONTENT)
}

describe('With an object store', () => {
  test('a picture is in the store, with its type, when its upload is confirmed', async () => {
    const { a, s3, upload, storedNames } = await openNode()
    const { key } = (await upload()).body as Picture
    expect(await storedNames()).toEqual(await listLocal(a))
    const { endpoint, bucket, prefix } = s3.location
    const { headers } = await fetch(`${endpoint}/${bucket}/${prefix}assets/${key}.jpg`)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
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

  test('pictures from before the shop had a store, or of older versions, are uploaded there once', async () => {
    const { a, s3, storedNames } = await openNode()
    await a.write(trx => trx.insertInto('pictures').values(ROW).execute())
    const [local, older] = [`${ROW.key}-50.avif`, `${ROW.key}.jpg`]
    for (const name of [local, 'unused-1a2b3c4d.jpg']) await writeLocal(a, name)
    for (const name of [older, 'unused-1a2b3c4d.jpg'])
      await s3.objects.put(`pictures/${name}`, CONTENT)
    expect(await uploadMissingPictures(a.app)).toBe(2)
    expect(await storedNames()).toEqual([local, older])
    expect(await s3.objects.get(`assets/${older}`)).toEqual(CONTENT)
    s3.requests.length = 0
    expect(await uploadMissingPictures(a.app)).toBe(0)
    expect(s3.requests.filter(line => line.startsWith('PUT'))).toEqual([])
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
    await writeLocal(b, `${ROW.key}.jpg`)
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

  test('keeps pictures on pages of the store, and deletes nothing while these can’t be read', async () => {
    const { a, s3, addPicture, storedNames } = await openNode()
    await addPicture()
    const names = await storedNames()
    await s3.objects.put('products', Buffer.from(`<img src="/assets/${ROW.key}.jpg">`))
    const site = { files: { products: { version: '1' } } }
    await s3.objects.put(SITE_KEY, Buffer.from(JSON.stringify(site)))
    await s3.age(DAY + HOUR)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual(names)
    s3.fail(503, { requests: /^GET .*products/ })
    await s3.objects.put('products', Buffer.from('no picture'))
    a.clock.advance(DAY)
    await expect(sweepPictures(a.app)).rejects.toThrow('status 503')
    s3.heal()
    a.clock.advance(DAY)
    await sweepPictures(a.app)
    expect(await storedNames()).toEqual([])
  })
})
