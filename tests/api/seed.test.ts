import { describe, expect, onTestFinished, test } from 'vitest'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { SECTION_SCHEMAS } from '#lib/contract/settings.ts'
import { localize } from '#lib/localize.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { seedSettings } from '#server/demo/first-start.ts'
import { insertSitePictures, seedDemo } from '#server/demo/seed.ts'
import type { Images } from '#server/platform/storage/images.ts'
import { readCounter } from '#server/platform/db/counters.ts'
import { readCurrentSections, readShopSettings } from '#server/settings/settings.ts'
import {
  ENGINES,
  openTestDatabase,
  openEmptyDatabase,
  type TestDatabase
} from '../support/database.ts'
import { CATEGORIES } from '../support/catalog.ts'

const NOW = '2026-11-21T12:00:00.000Z'

describe('Demo data', () => {
  test('can be added later to a shop that was started with only the site pictures', async () => {
    const opened = await openTestDatabase('sqlite')
    const { kysely } = opened.database
    await insertSitePictures({ ...opened, images: fakeImages, progress: () => undefined })
    const pictures = await kysely.selectFrom('pictures').select('name').execute()
    expect(pictures.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['hero-sweets', 'category-pickles', 'about-kitchen'])
    )
    expect(await kysely.selectFrom('products').select('id').execute()).toEqual([])
    expect(await seed(opened)).toBe(true)
  })

  test('is not added again after all of it was deleted, or to a database with content', async () => {
    const opened = await openTestDatabase('sqlite')
    const { kysely } = opened.database
    const failing = { images: failingImages }
    await seed(opened)
    for (const table of [
      ...(['deals', 'posts', 'collection_products', 'collections'] as const),
      ...(['product_pictures', 'products', 'pictures'] as const)
    ])
      await kysely.deleteFrom(table).execute()
    expect(await seed(opened, failing)).toBe(false)
    expect(await kysely.selectFrom('products').select('id').execute()).toEqual([])
    const other = await openTestDatabase('sqlite')
    const post = { title: 'Ours', author: 'Us', excerpt: '', content: '', picture_key: null }
    await other.database.kysely
      .insertInto('posts')
      .values({ ...post, id: 'ours', created_at: NOW })
      .execute()
    expect(await seed(other, failing)).toBe(false)
  })
})

describe.for(ENGINES)('Demo data on %s', engine => {
  test('fills an empty database and reports picture progress', async () => {
    const opened = await openTestDatabase(engine)
    const lines: string[] = []
    expect(await seed(opened, { progress: line => lines.push(line) })).toBe(true)
    expect(lines.at(-1)).toMatch(/^Preparing pictures (\d+)\/\1$/)
    const { kysely } = opened.database
    const products = await kysely.selectFrom('products').selectAll().execute()
    expect(products).toHaveLength(42)
    expect(new Set(products.map(({ id, family_id }) => family_id ?? id)).size).toBe(38)
    expect(new Set(products.map(({ category }) => category))).toEqual(new Set(CATEGORIES))
    const limited = products.filter(product => product.cooked_to_order === 0)
    expect(limited).toHaveLength(37)
    expect(limited.filter(({ stock }) => stock === 0)).toHaveLength(2)
    const low = limited.filter(({ stock }) => stock > 0 && stock <= LOW_STOCK_THRESHOLD)
    expect(low.length).toBeGreaterThanOrEqual(3)
    for (const { id, name_tamil: tamil, price } of products)
      expect(/\p{Script=Tamil}/u.test(tamil) && price > 0, id).toBe(true)
    const pictures = await kysely.selectFrom('pictures').selectAll().execute()
    for (const { key, alt_translations: texts } of pictures)
      expect(texts, key).toMatch(/"ta":\{"alt":".*\p{Script=Tamil}/u)
    expect(await readCounter(kysely, 'catalog')).toBe(2)
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

describe('The settings of the first start', () => {
  async function openFirstStart() {
    const opened = await openEmptyDatabase('sqlite')
    onTestFinished(() => opened.close())
    await migrate(opened.database)
    return {
      ...opened,
      seed: (demoData: boolean) => seedSettings({ ...opened, clock: Date.now }, { demoData }),
      read: () => readShopSettings(opened.database.kysely)
    }
  }

  test('are complete in the demo shop, and say that it is a demo', async () => {
    const shop = await openFirstStart()
    await shop.seed(true)
    const { isDemo, shop: details, home, policies } = await shop.read()
    expect([isDemo, details.name, home.banners.length]).toEqual([true, 'Palagaram', 3])
    expect(policies.every(({ text }) => text !== '')).toBe(true)
    for (const { name, text, translations } of policies) {
      const tamil = translations?.['ta']?.text ?? ''
      for (const part of [/\{\w+\}/g, /\]\([^)]*\)/g, /^(#+|-) /gm])
        expect(tamil.match(part)?.toSorted(), name).toEqual(text.match(part)?.toSorted())
      expect(tamil, name).not.toMatch(/\{\{|^\[\w+\]|undefined/m)
    }
    expect(localize(home, 'ta').banners[0]?.heading).toMatch(/\p{Script=Tamil}/u)
    const sections = Object.entries(await readCurrentSections(shop.database.kysely))
    for (const [name, { value }] of sections)
      expect(SECTION_SCHEMAS[name as SectionName].parse(value), name).toEqual(value)
  })

  test('stay empty without demo data, also at later starts', async () => {
    const shop = await openFirstStart()
    await shop.seed(false)
    await shop.seed(true)
    const { isDemo, shop: details, policies } = await shop.read()
    expect([isDemo, details.name]).toEqual([false, 'New shop'])
    expect(policies.every(({ text }) => text === '')).toBe(true)
  })
})

const fakeImages: Images = {
  store: async (_, name) => ({ key: `${name}-key`, width: 1200, height: 1200, color: '#c08a3e' })
}
const failingImages: Images = { store: async () => Promise.reject(new Error('No space left')) }

async function seed(
  { database, write }: Pick<TestDatabase, 'database' | 'write'>,
  { images = fakeImages, progress = (_line: string): void => undefined } = {}
) {
  return seedDemo({ database, write, images, clock: () => Date.parse(NOW), progress })
}
