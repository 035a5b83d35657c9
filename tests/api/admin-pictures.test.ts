import { randomUUID } from 'node:crypto'
import { readdir, utimes, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { sweepPictures } from '#server/publishing/sweep-pictures.ts'
import { expectOk, expectOutcome, logInAsAdmin } from '../support/accounts.ts'
import { withAdmin } from '../support/admin-products.ts'
import { startS3 } from '../support/object-store.ts'
import { openShop, type ShopOptions } from '../support/shop.ts'
import { makeUpload } from '../support/upload.ts'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import type { Write } from '#server/platform/db/write.ts'
import { addShopper, buy, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c08a3e' } })

async function openPictureShop(engine: Engine = 'sqlite', options: ShopOptions = {}) {
  const shop = await openShop(engine, options)
  const { token } = await logInAsAdmin(shop)
  const post = (payload: Buffer, type: string) =>
    shop.request({
      method: 'POST',
      url: '/api/admin/pictures?name=Rava%20Kesari',
      payload,
      headers: { 'content-type': type, authorization: `Bearer ${token}` }
    })
  return {
    shop,
    post,
    send(...file: Parameters<typeof makeUpload>) {
      const { payload, headers } = makeUpload(...file)
      return post(payload, String(headers['content-type']))
    },
    listFiles: () => readdir(join(shop.dataDir, 'assets')).catch((): string[] => [])
  }
}

describe('An uploaded picture', () => {
  test('is stored once in each size and format, with a hash of the content in the file name', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    const photo = await plainImage(300, 200).jpeg().toBuffer()
    const reply = await send(photo)
    const picture = reply.body as Picture
    expect(reply.status).toBe(201)
    expect(picture).toEqual({
      key: expect.stringMatching(/^rava-kesari-[0-9a-f]{8}$/),
      width: 300,
      height: 200,
      alt: '',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/)
    })
    expect((await send(photo, '../../etc/passwd.php', 'text/html')).body).toEqual(picture)
    const files = await listFiles()
    expect(files.length).toBeGreaterThan(2)
    expect(files.every(file => file.startsWith(picture.key))).toBe(true)
    expect(await shop.request({ url: `/assets/${picture.key}.jpg` })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' }
    })
  })

  test('is kept by the cleanup if it was unused for long, but has just been uploaded again', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    const photo = await plainImage(20, 20).webp().toBuffer()
    await send(photo)
    const files = await listFiles()
    for (const file of files) await utimes(join(shop.dataDir, 'assets', file), 0, 0)
    await send(photo)
    // Files have the time of the computer.
    shop.clock.advance(Date.now() - shop.clock())
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(files)
  })
})

test.each(ENGINES)(
  'An upload on %s wins against a cleanup that deletes the same old picture',
  async engine => {
    for (const s3 of [undefined, await startS3()]) {
      const objects = s3 && { objects: s3.objects }
      const { shop, send, listFiles } = await openPictureShop(engine, objects)
      const photo = await plainImage(20, 20).webp().toBuffer()
      const { key } = (await send(photo)).body as Picture
      const files = await listFiles()
      shop.clock.advance(Date.now() - shop.clock())
      for (let round = 0; round < 3; round++) {
        for (const file of files) await utimes(join(shop.dataDir, 'assets', file), 0, 0)
        await s3?.age(DAY + HOUR)
        const [reply] = await Promise.all([
          sleep(round).then(() => send(photo)),
          sweepPictures(shop.app)
        ])
        expect(reply.status).toBe(201)
        expect(await listFiles()).toEqual(files)
        for (const file of s3 ? files : [])
          expect(await s3?.objects.get(`assets/${file}`)).toBeDefined()
        const row = shop.database.kysely.selectFrom('pictures').select('key')
        expect(await row.where('key', '=', key).executeTakeFirst()).toEqual({ key })
      }
    }
  },
  60_000
)

describe('An upload is refused', () => {
  test('if it is no picture, whatever its name and type say, or has too many pixels', async () => {
    const { shop, send, listFiles } = await openPictureShop()
    for (const content of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      await plainImage(6000, 6000).png().toBuffer()
    ])
      await expectOutcome(send(content, 'photo.png', 'image/png'), '415 UNSUPPORTED_PICTURE')
    expect(await listFiles()).toEqual([])
    expect(await shop.database.kysely.selectFrom('pictures').selectAll().execute()).toEqual([])
  })

  test('over 10 MB with a message that names the limit', async () => {
    const { send } = await openPictureShop()
    const reply = await send(Buffer.alloc(MAX_PICTURE_BYTES + 1))
    await expectOutcome(reply, '413 BODY_TOO_LARGE')
    expect(reply.text).toContain('10 MB')
  })
})

const AGE = 30 * DAY

async function openSweepShop(engine: Engine) {
  const products = {
    cake: { pictures: ['ordered'] },
    kesari: { price: 80, pictures: ['removed'] },
    laddu: { pictures: ['sold'] }
  }
  const shop = await withAdmin(await openCheckoutShop(engine, { products }))
  const assets = join(shop.dataDir, 'assets')
  await mkdir(assets)
  return {
    ...shop,
    /** `age` in ms. */
    async addFile(name: string, age: number) {
      const changedAt = (shop.clock() - age) / SECOND
      await writeFile(join(assets, name), '')
      await utimes(join(assets, name), changedAt, changedAt)
    },
    listFiles: async () => (await readdir(assets)).toSorted(),
    /** Orders two products, takes one out again, and then both get other pictures. */
    async orderPictures() {
      const cart = ['cake', 'kesari'].map(product => ({ product, quantity: 1 }))
      const { _id } = await buy(shop, await addShopper(shop), cart)
      const packs = { key: randomUUID(), lines: [{ line: 2, packs: 1 }], refund: 80 }
      const body = { version: 0, cause: 'other', restock: true, ...packs }
      await expectOk(shop.callAsAdmin(`POST /admin/orders/${_id}/refund`, body))
      await shop.write(trx =>
        trx.deleteFrom('product_pictures').where('product_id', 'in', ['cake', 'kesari']).execute()
      )
    }
  }
}

describe.each(ENGINES)('The cleanup of pictures on %s', engine => {
  test('deletes all files of a picture that has been unused for a day, its row, and old temporary files', async () => {
    const { addFile, listFiles, ...shop } = await openSweepShop(engine)
    await shop.addToCatalog({ pictures: { old: {}, fresh: {} } })
    await shop.write(trx => trx.updateTable('pictures').set({ name: null }).execute())
    for (const file of ['old-00000000-240.avif', 'old-00000000.jpg'])
      await addFile(file, DAY + HOUR)
    await addFile('without-row-00000000.jpg', DAY + HOUR)
    await addFile('fresh-00000000.jpg', DAY - HOUR)
    await addFile('notes.txt', AGE)
    await addFile(`fresh-00000000-240.avif.${randomUUID()}.tmp`, shop.clock())
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(['fresh-00000000.jpg', 'notes.txt'])
    const rows = await shop.database.kysely.selectFrom('pictures').select('key').execute()
    expect(rows.map(({ key }) => key).toSorted()).toEqual(
      ['fresh', 'ordered', 'removed', 'sold'].map(name => `${name}-00000000`)
    )
    shop.clock.advance(3 * HOUR)
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(['notes.txt'])
  })

  test('keeps pictures of products, collections, posts, orders, the site and stored releases', async () => {
    const { addFile, listFiles, orderPictures, ...shop } = await openSweepShop(engine)
    await orderPictures()
    await shop.addToCatalog({
      pictures: { posted: {}, collected: {}, named: {} },
      collections: { gifts: ['laddu'] },
      posts: {
        one: { picture_key: 'posted-00000000' },
        two: { content: '![Frying](/assets/in-text-00000000-240.webp)' }
      }
    })
    await shop.write(async trx => {
      const unnamed = trx.updateTable('pictures').set({ name: null })
      await unnamed.where('name', '!=', 'named').execute()
      await trx.updateTable('collections').set({ picture_key: 'collected-00000000' }).execute()
    })
    const release = join(shop.dataDir, 'releases', '20261120-040000-abcdef', 'products')
    await mkdir(release, { recursive: true })
    const page = '<source srcset="/assets/on-page-00000000-240.avif 240w">'
    await writeFile(join(release, 'kesari.html'), page)
    const used = [
      'sold',
      'ordered',
      'removed',
      'collected',
      'posted',
      'in-text',
      'named',
      'on-page'
    ]
    for (const name of [...used, 'unused']) await addFile(`${name}-00000000.jpg`, AGE)
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(used.map(name => `${name}-00000000.jpg`).toSorted())
  })

  test('keeps pictures that become used while it runs', async () => {
    const { addFile, listFiles, orderPictures, ...shop } = await openSweepShop(engine)
    await shop.write(trx => trx.deleteFrom('product_pictures').execute())
    for (const name of ['ordered', 'in-text', 'unused']) await addFile(`${name}-00000000.jpg`, AGE)
    let isFirst = true
    // The first write of the cleanup comes after it has read which pictures are used.
    const write: Write = async (action, durability) => {
      if (isFirst) {
        isFirst = false
        const content = '![Frying](/assets/in-text-00000000-240.webp)'
        const picture = { product_id: 'cake', position: 0, picture_key: 'ordered-00000000' }
        await shop.addToCatalog({ posts: { one: { content } } })
        await shop.write(trx => trx.insertInto('product_pictures').values(picture).execute())
        await orderPictures()
      }
      return shop.write(action, durability)
    }
    const { config, database, clock } = shop.app
    await sweepPictures({ config, database, clock, write, objects: undefined })
    expect(await listFiles()).toEqual(['in-text-00000000.jpg', 'ordered-00000000.jpg'])
  })
})
