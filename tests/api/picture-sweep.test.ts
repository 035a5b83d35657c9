import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, SECOND } from '#lib/time.ts'
import type { Write } from '#server/platform/db/write.ts'
import { sweepPictures } from '#server/publishing/sweep-pictures.ts'
import { addShopper, buy, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'

const AGE = 30 * DAY

async function openSweepShop(engine: Engine) {
  const products = { cake: { pictures: ['ordered'] }, laddu: { pictures: ['sold'] } }
  const shop = await openCheckoutShop(engine, { products })
  const assets = join(shop.dataDir, 'assets')
  await mkdir(assets)
  return {
    ...shop,
    /** `age` in ms. */
    async addFile(name: string, age: number): Promise<void> {
      const changedAt = (shop.clock() - age) / SECOND
      await writeFile(join(assets, name), '')
      await utimes(join(assets, name), changedAt, changedAt)
    },
    listFiles: async () => (await readdir(assets)).toSorted(),
    /** Orders a product, which then gets another picture. */
    async orderPicture(): Promise<void> {
      await buy(shop, await addShopper(shop), [{ product: 'cake', quantity: 1 }])
      await shop.write(trx =>
        trx.deleteFrom('product_pictures').where('product_id', '=', 'cake').execute()
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
      ['fresh', 'ordered', 'sold'].map(name => `${name}-00000000`)
    )
    shop.clock.advance(3 * HOUR)
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(['notes.txt'])
  })

  test('keeps pictures of products, collections, posts, orders, the site and stored releases', async () => {
    const { addFile, listFiles, orderPicture, ...shop } = await openSweepShop(engine)
    await orderPicture()
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
    const used = ['sold', 'ordered', 'collected', 'posted', 'in-text', 'named', 'on-page']
    for (const name of [...used, 'unused']) await addFile(`${name}-00000000.jpg`, AGE)
    await sweepPictures(shop.app)
    expect(await listFiles()).toEqual(used.map(name => `${name}-00000000.jpg`).toSorted())
  })

  test('keeps pictures that become used while it runs', async () => {
    const { addFile, listFiles, orderPicture, ...shop } = await openSweepShop(engine)
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
        await orderPicture()
      }
      return shop.write(action, durability)
    }
    const { config, database, clock } = shop.app
    await sweepPictures({ config, database, clock, write, objects: undefined })
    expect(await listFiles()).toEqual(['in-text-00000000.jpg', 'ordered-00000000.jpg'])
  })
})
