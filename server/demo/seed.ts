import type { Insertable } from 'kysely'
import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { TRANSLATIONS } from '#lib/constants.ts'
import { fromRupees } from '#lib/money.ts'
import { DAY, HOUR, toDayInIndia, toStartOfDay, toIso } from '#lib/time.ts'
import { readConfig, readEnvironment } from '../config.ts'
import { connect } from '../platform/db/connect.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, PictureRow, ProductRow, Tables, Trx } from '../platform/db/tables.ts'
import { createWrite, type DataDeps } from '../platform/db/write.ts'
import type { Progress } from '../platform/process/command.ts'
import { serveTasks } from '../platform/process/worker-process.ts'
import { ignoreMissing } from '../platform/storage/files.ts'
import { createImages, type Images } from '../platform/storage/images.ts'
import { openObjectStore } from '../platform/storage/open-store.ts'
import COLLECTIONS from './collections.json' with { type: 'json' }
import DEALS from './deals.json' with { type: 'json' }
import PICTURES from './pictures/manifest.json' with { type: 'json' }
import POSTS from './posts.json' with { type: 'json' }
import products from './products.json' with { type: 'json' }

type Entry = Omit<(typeof products)[number], 'sizes' | 'stock' | 'cookedToOrder'> & {
  dietary: ProductRow['dietary']
  stock?: number
  cookedToOrder?: boolean
  sizes?: readonly Pick<DemoProduct, 'id' | 'price' | 'quantity' | 'stock'>[]
}

interface DemoProduct extends Omit<Entry, 'sizes'> {
  /** Id of the entry in the file. Its pictures are those of all pack sizes. */
  entry: string
  family_id: string | null
  family_position: number
}

export const DEMO_PRODUCTS: readonly DemoProduct[] = (products as readonly Entry[]).flatMap(
  ({ sizes = [], ...entry }) =>
    [entry, ...sizes].map((size, position) => ({
      ...entry,
      ...size,
      entry: entry.id,
      family_id: sizes.length > 0 ? entry.id : null,
      family_position: position
    }))
)

interface SeedDeps extends DataDeps {
  images: Images
  progress: Progress
}

interface SeedPicture {
  file: string
  row: Insertable<PictureRow>
  product?: { id: string; view: number }
}

/** Above 0 after the first start, so that deleted demo data is not inserted again. */
export const DEMO_SEED_COUNTER = 'demo-data'
/** Each picture uses one core and up to 30 MB of memory. */
const CONCURRENCY = 2
const PROGRESS_EVERY = 10

/** Returns false if the database already contains data. Several processes may call it at once. */
export async function seedDemo(deps: SeedDeps): Promise<boolean> {
  const { database, write, clock } = deps
  const { kysely } = database
  if ((await readCounter(kysely, DEMO_SEED_COUNTER)) > 0 || !(await isEmpty(kysely))) return false
  const pictures = await preparePictures(deps, PICTURES.files)
  const postTexts = await readTranslations('posts/{language}/posts.json')
  const posts = await Promise.all(POSTS.map(post => postRow(post, pictures, postTexts)))
  const texts = {
    products: await readTranslations('{language}/products.json'),
    collections: await readTranslations('{language}/collections.json')
  }
  return write(async trx => {
    // If two processes start at once, the second one waits here. Its result is 2.
    if ((await raiseCounter(trx, DEMO_SEED_COUNTER)) > 1 || !(await isEmpty(trx))) return false
    await insertAll(trx, { pictures, posts, texts }, clock())
    await raiseCounter(trx, 'catalog')
    return true
  })
}

async function isEmpty(db: Db) {
  for (const table of ['products', 'posts', 'deals'] as const) {
    if ((await countRows(db.selectFrom(table))) > 0) return false
  }
  return true
}

export async function hasSitePictures(db: Db): Promise<boolean> {
  return (await countRows(db.selectFrom('pictures').where('name', 'is not', null))) > 0
}

export async function insertSitePictures(deps: Omit<SeedDeps, 'clock'>): Promise<void> {
  if (await hasSitePictures(deps.database.kysely)) return
  const ofSite = PICTURES.files.filter(({ slug }) => slug === undefined)
  const pictures = await preparePictures(deps, ofSite)
  await deps.write(async trx => {
    await insertPictures(trx, pictures)
    await raiseCounter(trx, 'catalog')
  })
}

async function preparePictures(
  { images, progress }: Pick<SeedDeps, 'images' | 'progress'>,
  files: typeof PICTURES.files
): Promise<SeedPicture[]> {
  const texts = await readTranslations('{language}/pictures.json')
  let done = 0
  return pLimit(CONCURRENCY).map(files, async ({ file, alt, view, slug }) => {
    const { name } = parse(file)
    const original = await readFile(new URL(`pictures/${file}`, import.meta.url))
    const row = {
      ...(await images.store(original, name)),
      alt,
      alt_translations: toColumn(texts, file),
      name: slug === undefined ? name : null
    }
    done++
    if (done % PROGRESS_EVERY === 0 || done === files.length)
      progress(`Preparing pictures ${done}/${files.length}`)
    return { file, row, ...(slug !== undefined && { product: { id: slug, view } }) }
  })
}

async function insertPictures(trx: Trx, pictures: readonly SeedPicture[]) {
  await trx
    .insertInto('pictures')
    .values(pictures.map(({ row }) => row))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

interface SeedRows {
  pictures: readonly SeedPicture[]
  posts: Insertable<Tables['posts']>[]
  texts: Record<'products' | 'collections', ByLanguage>
}

async function insertAll(trx: Trx, { pictures, posts, texts }: SeedRows, now: number) {
  await insertPictures(trx, pictures)
  const productRows = DEMO_PRODUCTS.map((product, index) => ({
    ...productRow(product, now - index),
    translations: toColumn(texts.products, product.entry)
  }))
  await trx.insertInto('products').values(productRows).execute()
  await trx.insertInto('product_pictures').values(pictures.flatMap(productPictures)).execute()
  await trx.insertInto('posts').values(posts).execute()
  const collections = COLLECTIONS.map(
    ({ id, name, nameTamil, description, picture }, position) => ({
      ...{ id, name, name_tamil: nameTamil, description, position },
      translations: toColumn(texts.collections, id),
      picture_key: pictures.find(({ file }) => file === picture)?.row.key ?? null
    })
  )
  await trx.insertInto('collections').values(collections).execute()
  const collectionProducts = COLLECTIONS.flatMap(({ id, products: ids }) =>
    ids.map((product_id, position) => ({ collection_id: id, product_id, position }))
  )
  await trx.insertInto('collection_products').values(collectionProducts).execute()
  const startOfDay = (days: number) => toStartOfDay(toDayInIndia(now + days * DAY))
  const deals = DEALS.map(({ id, productId, percent, startsInDays, endsInDays }) => ({
    id,
    product_id: productId,
    percent,
    starts_at: startOfDay(startsInDays),
    ends_at: toIso(Date.parse(startOfDay(endsInDays)) + 21 * HOUR)
  }))
  await trx.insertInto('deals').values(deals).execute()
}

function productRow(product: DemoProduct, createdAt: number): Insertable<Tables['products']> {
  const { id, name, description, category, dietary, allergens, nutrition } = product
  const { stock = 0, cookedToOrder = false } = product
  const { quantity, family_id, family_position } = product
  return {
    ...{ id, name, description, category, dietary, stock, allergens, nutrition },
    ...{ family_id, family_position },
    cooked_to_order: cookedToOrder ? 1 : 0,
    name_tamil: product.nameTamil,
    price: fromRupees(product.price),
    rating: Math.round(product.rating * 10),
    ingredients: JSON.stringify(product.ingredients),
    pack_value: quantity.value,
    pack_unit: quantity.unit,
    pack_type: quantity.type,
    shelf_life: product.shelfLife,
    shelf_life_days: product.shelfLifeDays,
    created_at: toIso(createdAt)
  }
}

function productPictures({ row, product }: SeedPicture): Tables['product_pictures'][] {
  const sizes = DEMO_PRODUCTS.filter(({ entry }) => entry === product?.id)
  const position = (product?.view ?? 1) - 1
  return sizes.map(({ id }) => ({ product_id: id, position, picture_key: row.key }))
}

async function postRow(
  post: (typeof POSTS)[number],
  pictures: readonly SeedPicture[],
  texts: ByLanguage
): Promise<Insertable<Tables['posts']>> {
  const { id, title, author, excerpt, picture, createdAt } = post
  const content = (await readText(`posts/${id}.md`)) ?? ''
  const translated = await Promise.all(
    Object.entries(texts).map(async ([code, posts]) => [
      code,
      { ...(posts[id] as object), content: await readText(`posts/${code}/${id}.md`) }
    ])
  )
  const pictureKey = pictures.find(candidate => candidate.file === picture)?.row.key ?? null
  const translations = JSON.stringify(Object.fromEntries(translated))
  const columns = { id, title, author, excerpt, content, translations }
  return { ...columns, picture_key: pictureKey, created_at: createdAt }
}

type Texts = Readonly<Record<string, unknown>>
type ByLanguage = Readonly<Record<string, Texts>>

/** Of the languages that have this file of the demo, such as `{language}/products.json`. */
async function readTranslations(file: string): Promise<ByLanguage> {
  const read = TRANSLATIONS.map(async code => {
    const json = await readText(file.replace('{language}', code))
    return json === undefined ? [] : [[code, JSON.parse(json) as Texts] as const]
  })
  return Object.fromEntries((await Promise.all(read)).flat())
}

async function readText(file: string) {
  return (await readFile(new URL(file, import.meta.url), 'utf8').catch(ignoreMissing))?.trim()
}

/** For the column `translations` of a record. */
function toColumn(texts: ByLanguage, id: string) {
  const own = Object.entries(texts).filter(([, records]) => id in records)
  return JSON.stringify(Object.fromEntries(own.map(([code, records]) => [code, records[id]])))
}

// A process of its own, because encoding pictures needs much memory.
if (process.argv[1] === fileURLToPath(import.meta.url))
  serveTasks<null, void, string>(async (_task, progress) => {
    const config = readConfig(readEnvironment())
    const database = connect(config)
    const write = createWrite(database)
    const objects = config.storage && openObjectStore(config.storage)
    const images = createImages(config.dataDir, objects && { objects, write })
    const deps = { database, write, images, clock: Date.now, progress }
    if (config.demoData) await seedDemo(deps)
    await insertSitePictures(deps)
    await database.close()
  })
