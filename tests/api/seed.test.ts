import { describe, expect, onTestFinished, test } from 'vitest'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import { BlogPost } from '#lib/contract/content.ts'
import { toIndianDateTime } from '#lib/time.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { insertSitePictures, seedDemo } from '#server/demo/seed.ts'
import type { Images } from '#server/platform/storage/images.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import {
  ENGINES,
  openDatabase,
  openEmptyDatabase,
  type Engine,
  type TestDatabase
} from '../support/database.ts'
import { CATEGORIES } from '../support/catalog.ts'

const NOON = Date.parse('2026-11-21T12:00:00.000Z')

describe('Demo data', () => {
  test('can be added later to a shop that was started with only the site pictures', async () => {
    const opened = await openTestDatabase('sqlite')
    const { kysely } = opened.database
    await insertSitePictures({ ...opened, images: fakeImages, progress: () => undefined })
    const namedPictures = await kysely.selectFrom('pictures').select('name').execute()
    expect(namedPictures.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['hero-sweets', 'about-kitchen'])
    )
    expect(await kysely.selectFrom('products').select('id').execute()).toEqual([])
    expect(await seed(opened)).toBe(true)
  })

  test('has pictures in a fixed order for each product and named pictures for the pages', async () => {
    const opened = await openTestDatabase('sqlite')
    await seed(opened)
    const { kysely } = opened.database
    const productPictures = kysely
      .selectFrom('product_pictures')
      .orderBy('product_id')
      .orderBy('position')
    const halwa = await productPictures
      .where('product_id', '=', 'tirunelveli-halwa')
      .select('picture_key')
      .execute()
    const pictureNames = ['tirunelveli-halwa', 'tirunelveli-halwa-2', 'tirunelveli-halwa-3']
    expect(halwa.map(row => row.picture_key)).toEqual(pictureNames.map(name => `${name}-key`))
    const first = await productPictures.where('position', '=', 0).select('product_id').execute()
    expect(first).toHaveLength(42)
    const namedPictures = await kysely
      .selectFrom('pictures')
      .where('name', 'is not', null)
      .select('name')
      .execute()
    expect(namedPictures.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['hero-sweets', 'category-pickles', 'about-kitchen'])
    )
  })

  test('has six posts with text and picture', async () => {
    const opened = await openTestDatabase('sqlite')
    await seed(opened)
    const posts = await opened.database.kysely.selectFrom('posts').selectAll().execute()
    expect(posts).toHaveLength(6)
    for (const { id, picture_key: picture, content, created_at: createdAt } of posts) {
      expect(picture, id).toMatch(/-key$/)
      expect(content.split(/\s+/).length, id).toBeGreaterThan(250)
      expect(BlogPost.shape.createdAt.safeParse(createdAt).success, id).toBe(true)
    }
  })

  test('has four running deals and one future deal, which end on different days at 9 pm in India', async () => {
    const opened = await openTestDatabase('sqlite')
    await seed(opened)
    const deals = await opened.database.kysely.selectFrom('deals').selectAll().execute()
    const now = new Date(NOON).toISOString()
    const running = deals.filter(deal => deal.starts_at <= now && deal.ends_at > now)
    expect(new Set(running.map(deal => deal.ends_at)).size).toBe(4)
    expect(deals.filter(deal => deal.starts_at > now)).toHaveLength(1)
    expect(deals.map(deal => toIndianDateTime(deal.ends_at).slice(11))).toEqual(
      Array(5).fill('21:00')
    )
  })

  test('is not added again after all of it was deleted', async () => {
    const opened = await openTestDatabase('sqlite')
    await seed(opened)
    expect(await seed(opened, { images: failingImages })).toBe(false)
    for (const table of ['deals', 'posts', 'product_pictures', 'products', 'pictures'] as const) {
      await opened.write(trx => trx.deleteFrom(table).execute())
    }
    expect(await seed(opened, { images: failingImages })).toBe(false)
    expect(await opened.database.kysely.selectFrom('products').select('id').execute()).toEqual([])
  })

  test('is not added to a database with content', async () => {
    const opened = await openTestDatabase('sqlite')
    const post = {
      id: 'ours',
      title: 'Ours',
      author: 'Us',
      excerpt: '',
      content: '',
      picture_key: null
    }
    await opened.write(trx =>
      trx
        .insertInto('posts')
        .values({ ...post, created_at: new Date(NOON).toISOString() })
        .execute()
    )
    expect(await seed(opened, { images: failingImages })).toBe(false)
    expect(await opened.database.kysely.selectFrom('products').select('id').execute()).toEqual([])
  })
})

describe.for(ENGINES)('Demo data on %s', engine => {
  test('fills an empty database and reports picture progress', async () => {
    const opened = await openTestDatabase(engine)
    const lines: string[] = []
    expect(await seed(opened, { progress: line => lines.push(line) })).toBe(true)
    expect(lines[0]).toMatch(/^Preparing pictures 10\/\d+$/)
    expect(lines.at(-1)).toMatch(/^Preparing pictures (\d+)\/\1$/)
    const { kysely } = opened.database
    const products = await kysely.selectFrom('products').selectAll().execute()
    expect(products).toHaveLength(42)
    expect(new Set(products.map(({ id, family_id }) => family_id ?? id)).size).toBe(38)
    expect(new Set(products.map(({ category }) => category))).toEqual(new Set(CATEGORIES))
    expect(products.filter(({ stock }) => stock === 0)).toHaveLength(2)
    expect(
      products.filter(({ stock }) => stock > 0 && stock <= LOW_STOCK_THRESHOLD).length
    ).toBeGreaterThanOrEqual(3)
    expect(
      products.every(({ name_tamil: tamil, price }) => /\p{Script=Tamil}/u.test(tamil) && price > 0)
    ).toBe(true)
    expect(await readCounter(kysely, 'catalog')).toBe(2)
  })

  test('is added only once if two processes start at the same time', async () => {
    const opened = await openEmptyDatabase(engine)
    await migrate(opened.database)
    const database = connect({ databaseUrl: opened.url })
    onTestFinished(async () => {
      await database.close()
      await opened.close()
    })
    const seeded = await Promise.all([
      seed(opened),
      seed({ database, write: createWrite(database) })
    ])
    expect(seeded.toSorted()).toEqual([false, true])
    expect(await database.kysely.selectFrom('products').select('id').execute()).toHaveLength(42)
  })

  test('is rolled back after an error and added at the next start', async () => {
    const opened = await openTestDatabase(engine)
    let stored = 0
    const failingAfterForty: Images = {
      store: (original, name) => (++stored > 40 ? failingImages : fakeImages).store(original, name)
    }
    await expect(seed(opened, { images: failingAfterForty })).rejects.toThrow('No space left')
    expect(await opened.database.kysely.selectFrom('pictures').select('key').execute()).toEqual([])
    expect(await seed(opened)).toBe(true)
  })
})

const fakeImages: Images = {
  store: async (_, name) => ({ key: `${name}-key`, width: 1200, height: 1200, color: '#c08a3e' })
}
const failingImages: Images = { store: async () => Promise.reject(new Error('No space left')) }

async function seed(
  { database, write }: Pick<TestDatabase, 'database' | 'write'>,
  { images = fakeImages, progress = (_line: string): void => undefined } = {}
): Promise<boolean> {
  return seedDemo({ database, write, images, clock: () => NOON, progress })
}

async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const opened = await openDatabase(engine)
  onTestFinished(opened.close)
  return opened
}
