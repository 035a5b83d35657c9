import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import pLimit from 'p-limit'
import { raiseCounter } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx, PictureRow } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Images } from '../platform/storage/images.ts'
import manifest from './pictures/manifest.json' with { type: 'json' }

export interface SeedPicture {
  file: string
  row: PictureRow
  /** `view` is the position among the pictures of the product, starting at 1. */
  product?: { id: string; view: number }
}

/** Each picture uses one core and up to 30 MB of memory. */
const CONCURRENCY = 2
const PROGRESS_EVERY = 10

export async function preparePictures(
  images: Images,
  progress: (line: string) => void,
  selection: 'all' | 'site' = 'all'
): Promise<SeedPicture[]> {
  const entries = manifest.files.filter(({ slug }) => selection === 'all' || slug === undefined)
  let done = 0
  return pLimit(CONCURRENCY).map(entries, async entry => {
    const picture = await preparePicture(images, entry)
    done++
    if (done % PROGRESS_EVERY === 0 || done === entries.length) {
      progress(`Preparing pictures ${done}/${entries.length}`)
    }
    return picture
  })
}

type ManifestEntry = (typeof manifest.files)[number]

async function preparePicture(
  images: Images,
  { file, alt, view, slug }: ManifestEntry
): Promise<SeedPicture> {
  const { name } = parse(file)
  const original = await readFile(new URL(`pictures/${file}`, import.meta.url))
  const stored = await images.store(original, name)
  const row = { ...stored, alt, name: slug === undefined ? name : null }
  return { file, row, ...(slug !== undefined && { product: { id: slug, view } }) }
}

export interface SeedDeps extends DataDeps {
  images: Images
  progress: (line: string) => void
}

/** Site pictures show banners, categories and the kitchen, and belong to no product. */
export async function hasSitePictures(db: Db): Promise<boolean> {
  return (await countRows(db.selectFrom('pictures').where('name', 'is not', null))) > 0
}

export async function insertSitePictures({
  database,
  write,
  images,
  progress
}: Omit<SeedDeps, 'clock'>): Promise<void> {
  if (await hasSitePictures(database.kysely)) return
  const pictures = await preparePictures(images, progress, 'site')
  await write(async trx => {
    await insertPictures(trx, pictures)
    await raiseCounter(trx, 'catalog')
  })
}

export async function insertPictures(trx: Trx, pictures: readonly SeedPicture[]): Promise<void> {
  const rows = pictures.map(({ row }) => row)
  await trx
    .insertInto('pictures')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
