import type { Insertable } from 'kysely'
import { readFile } from 'node:fs/promises'
import { fromRupees } from '#lib/money.ts'
import { DAY, HOUR, toDayInIndia, toStartOfDay, toIso } from '#lib/time.ts'
import { raiseCounter, readCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, PostRow, Tables, Trx, ProductRow } from '../platform/db/tables.ts'
import COLLECTIONS from './collections.json' with { type: 'json' }
import DEALS from './deals.json' with { type: 'json' }
import { insertPictures, preparePictures, type SeedDeps, type SeedPicture } from './pictures.ts'
import POSTS from './posts.json' with { type: 'json' }
import products from './products.json' with { type: 'json' }

type Entry = Omit<(typeof products)[number], 'sizes'> & {
  dietary: ProductRow['dietary']
  sizes?: readonly Pick<DemoProduct, 'id' | 'price' | 'quantity' | 'stock'>[]
}

/** `price` is in rupees per pack. */
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

/** Above 0 after the first start, so that deleted demo data is not inserted again. */
export const DEMO_SEED_COUNTER = 'demo-data'

/** Returns false if the database already contains data. Several processes may call it at once. */
export async function seedDemo({
  database,
  write,
  images,
  clock,
  progress
}: SeedDeps): Promise<boolean> {
  const { kysely } = database
  if ((await readCounter(kysely, DEMO_SEED_COUNTER)) > 0 || !(await isEmpty(kysely))) return false
  const pictures = await preparePictures(images, progress)
  const posts = await Promise.all(POSTS.map(post => postRow(post, pictures)))
  return write(async trx => {
    // If two processes start at once, the second one waits here. Its result is 2.
    if ((await raiseCounter(trx, DEMO_SEED_COUNTER)) > 1 || !(await isEmpty(trx))) return false
    await insertAll(trx, pictures, posts, clock())
    await raiseCounter(trx, 'catalog')
    return true
  })
}

async function isEmpty(db: Db): Promise<boolean> {
  for (const table of ['products', 'posts', 'deals'] as const) {
    if ((await countRows(db.selectFrom(table))) > 0) return false
  }
  return true
}

async function insertAll(
  trx: Trx,
  pictures: readonly SeedPicture[],
  posts: PostRow[],
  now: number
): Promise<void> {
  await insertPictures(trx, pictures)
  await trx
    .insertInto('products')
    .values(DEMO_PRODUCTS.map((product, index) => productRow(product, now - index)))
    .execute()
  await trx.insertInto('product_pictures').values(pictures.flatMap(productPicture)).execute()
  await trx.insertInto('posts').values(posts).execute()
  const collections = COLLECTIONS.map(({ id, name, nameTamil, description }, position) => ({
    ...{ id, name, name_tamil: nameTamil, description, picture_key: null, position }
  }))
  await trx.insertInto('collections').values(collections).execute()
  const collectionProducts = COLLECTIONS.flatMap(({ id, products: ids }) =>
    ids.map((product_id, position) => ({ collection_id: id, product_id, position }))
  )
  await trx.insertInto('collection_products').values(collectionProducts).execute()
  const deals = DEALS.map(({ id, productId, percent, startsInDays, endsInDays }) => ({
    id,
    product_id: productId,
    percent,
    starts_at: toStartOfDay(toDayInIndia(now + startsInDays * DAY)),
    ends_at: toIso(Date.parse(toStartOfDay(toDayInIndia(now + endsInDays * DAY))) + 21 * HOUR)
  }))
  await trx.insertInto('deals').values(deals).execute()
}

function productRow(product: DemoProduct, createdAt: number): Insertable<Tables['products']> {
  return {
    id: product.id,
    name: product.name,
    name_tamil: product.nameTamil,
    description: product.description,
    price: fromRupees(product.price),
    category: product.category,
    dietary: product.dietary,
    rating: Math.round(product.rating * 10),
    stock: product.stock,
    ingredients: JSON.stringify(product.ingredients),
    pack_value: product.quantity.value,
    pack_unit: product.quantity.unit,
    pack_type: product.quantity.type,
    shelf_life: product.shelfLife,
    shelf_life_days: product.shelfLifeDays,
    allergens: product.allergens,
    nutrition: product.nutrition,
    created_at: toIso(createdAt),
    family_id: product.family_id,
    family_position: product.family_position
  }
}

function productPicture({ row, product }: SeedPicture): Tables['product_pictures'][] {
  if (!product) return []
  const sizes = DEMO_PRODUCTS.filter(({ entry }) => entry === product.id)
  return sizes.map(({ id }) => ({
    product_id: id,
    position: product.view - 1,
    picture_key: row.key
  }))
}

async function postRow(
  post: (typeof POSTS)[number],
  pictures: readonly SeedPicture[]
): Promise<PostRow> {
  const { id, title, author, excerpt, picture, createdAt } = post
  const content = await readFile(new URL(`posts/${id}.md`, import.meta.url), 'utf8')
  const pictureKey = pictures.find(candidate => candidate.file === picture)?.row.key ?? null
  return { id, title, author, excerpt, content, picture_key: pictureKey, created_at: createdAt }
}
