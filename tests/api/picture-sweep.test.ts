import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture } from '#lib/contract/values.ts'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import type { Write } from '#server/platform/db/write.ts'
import {
  sweepPictures,
  findPictureKeys,
  parsePictureKey
} from '#server/publishing/sweep-pictures.ts'
import { KESARI, openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { makeUpload } from '../support/upload.ts'

interface SweepShop {
  shop: AdminShop
  /** Uploads a picture and sets the modification time of its files to `age` ms ago. */
  addPicture(background: string, age: number): Promise<Picture>
  listKeysOnDisk(): Promise<string[]>
}

async function openSweepShop(engine: Engine): Promise<SweepShop> {
  const shop = await openAdminShop(engine)
  const { token } = await logInAsAdmin(shop)
  const assets = join(shop.dataDir, 'assets')
  return {
    shop,
    async addPicture(background, age) {
      const content = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
        .jpeg()
        .toBuffer()
      const { payload, headers } = makeUpload(content)
      const reply = await shop.request({
        method: 'POST',
        url: `/api/admin/pictures?name=${encodeURIComponent(background.slice(1))}`,
        payload,
        headers: { ...headers, authorization: `Bearer ${token}` }
      })
      const picture = reply.body as Picture
      await setModifiedAt(assets, picture.key, shop.clock() - age)
      return picture
    },
    async listKeysOnDisk() {
      const keys = (await readdir(assets)).map(file => parsePictureKey(file) ?? file)
      return [...new Set(keys)].toSorted()
    }
  }
}

async function setModifiedAt(assets: string, key: string, modifiedAt: number): Promise<void> {
  for (const file of (await readdir(assets)).filter(name => name.startsWith(key))) {
    await utimes(join(assets, file), modifiedAt / SECOND, modifiedAt / SECOND)
  }
}

describe('Picture cleanup', () => {
  test('keeps pictures on pages of a stored release', async () => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop('sqlite')
    const onPage = await addPicture('#111111', 30 * DAY)
    await addPicture('#222222', 30 * DAY)
    const release = join(shop.dataDir, 'releases', '20261120-040000-abcdef', 'products')
    await mkdir(release, { recursive: true })
    await writeFile(
      join(release, 'kesari.html'),
      `<source srcset="/assets/${onPage.key}-240.avif 240w">`
    )
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual([onPage.key])
  })

  test('keeps an old unused picture if it has just been uploaded again', async () => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop('sqlite')
    const { key } = await addPicture('#111111', 30 * DAY)
    const again = await addPicture('#111111', 0)
    expect(again.key).toBe(key)
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual([key])
    expect(
      (await shop.createProduct({ ...KESARI, pictures: [{ key, alt: 'Kesari' }] })).status
    ).toBe(201)
  })

  test('deletes old temporary files, also of pictures that are used, and files that have no database row', async () => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop('sqlite')
    const { key } = await addPicture('#111111', 30 * DAY)
    await shop.write(trx => trx.deleteFrom('pictures').where('key', '=', key).execute())
    const used = await addPicture('#222222', 30 * DAY)
    await shop.createProduct({ pictures: [{ key: used.key, alt: 'Kesari' }], hidden: true })
    for (const file of ['half-11111111', used.key]) {
      const name = `${file}-240.avif.01234567-89ab-cdef-0123-456789abcdef.tmp`
      await writeFile(join(shop.dataDir, 'assets', name), '')
      await utimes(join(shop.dataDir, 'assets', name), 0, 0)
    }
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual([used.key])
  })
})

describe.each(ENGINES)('Picture cleanup on %s', engine => {
  test('deletes all files of a picture that has been unused for a day', async () => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop(engine)
    await addPicture('#111111', DAY + HOUR)
    const newPicture = await addPicture('#222222', DAY - HOUR)
    await writeFile(join(shop.dataDir, 'assets', 'notes.txt'), 'Not a picture')
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual([newPicture.key, 'notes.txt'])
    const rows = await shop.database.kysely
      .selectFrom('pictures')
      .select('key')
      .where('key', 'like', '%111111%')
      .execute()
    expect(rows).toEqual([])
    shop.clock.advance(3 * HOUR)
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual(['notes.txt'])
  })

  test('keeps pictures used by a product, a post, an order or the site', async () => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop(engine)
    const age = 30 * DAY
    const pictures = [
      await addPicture('#111111', age),
      await addPicture('#222222', age),
      await addPicture('#333333', age)
    ]
    const [product, post, inText] = pictures.map(({ key }) => key)
    const site = await addPicture('#444444', age)
    const ordered = await addPicture('#555555', age)
    await shop.createProduct({ pictures: [{ key: product ?? '', alt: 'Kesari' }], hidden: true })
    await shop.addToCatalog({
      posts: {
        one: { picture_key: post ?? '' },
        two: { content: `![Frying](/assets/${inText}-240.webp)` }
      }
    })
    await shop.write(trx =>
      trx.updateTable('pictures').set({ name: 'kitchen' }).where('key', '=', site.key).execute()
    )
    await insertOrder(shop, ordered)
    await sweepPictures(shop.app)
    expect(await listKeysOnDisk()).toEqual(
      [...pictures, site, ordered].map(({ key }) => key).toSorted()
    )
  })
})

test.each(ENGINES)(
  'Picture cleanup on %s keeps pictures that become used while it runs',
  async engine => {
    const { shop, addPicture, listKeysOnDisk } = await openSweepShop(engine)
    const age = 30 * DAY
    const [inText, ordered] = [await addPicture('#111111', age), await addPicture('#222222', age)]
    await addPicture('#333333', age)
    let isFirst = true
    // The first write of the cleanup comes after it has read which pictures are used.
    const write: Write = async (action, durability) => {
      if (isFirst) {
        isFirst = false
        await shop.addToCatalog({
          posts: { one: { content: `![Frying](/assets/${inText.key}-240.webp)` } }
        })
        await insertOrder(shop, ordered)
      }
      return shop.write(action, durability)
    }
    const { config, database, clock } = shop.app
    await sweepPictures({
      config,
      database,
      clock,
      write,
      objects: undefined
    })
    expect(await listKeysOnDisk()).toEqual([inText.key, ordered.key].toSorted())
  }
)

test('Picture keys are found in file names and in HTML', () => {
  expect(
    ['rava-kesari-1a2b3c4d-480.avif', 'a-1a2b3c4d.jpg', 'x.txt', '.jpg'].map(parsePictureKey)
  ).toEqual(['rava-kesari-1a2b3c4d', 'a-1a2b3c4d', undefined, undefined])
  const text =
    'srcset="/assets/b-2-240.avif 240w, /assets/b-2-480.avif 480w" src="https://x.example/assets/c-3.jpg"'
  expect([...findPictureKeys(text)]).toEqual(['b-2', 'c-3'])
})

/** Inserts an order whose line has the picture, while no product has it. */
async function insertOrder(shop: AdminShop, picture: Picture): Promise<void> {
  const [user] = await shop.database.kysely.selectFrom('users').select('id').execute()
  const createdAt = new Date(shop.clock()).toISOString()
  const text = {
    currency: 'INR',
    customer: '{}',
    address: '{}',
    request_hash: '',
    reserved_until: createdAt,
    created_at: createdAt
  }
  await shop.write(async trx => {
    const draft = {
      ...text,
      id: 'o1',
      order_no: 'PG-1',
      user_id: user?.id ?? '',
      checkout_key: 'k',
      payment_state: 'expired'
    }
    await trx
      .insertInto('orders')
      .values({ ...draft, total: 0 } as never)
      .execute()
    const line = {
      order_id: 'o1',
      n: 1,
      product_id: 'gone',
      name: 'Gone',
      category: 'sweets',
      pack_value: 1
    }
    const sums = {
      quantity: 1,
      list_price: 1,
      price: 1,
      total: 1,
      pack_unit: 'g',
      pack_type: 'weight'
    }
    await trx
      .insertInto('order_lines')
      .values({ ...line, ...sums, picture: JSON.stringify(picture) } as never)
      .execute()
  })
}
