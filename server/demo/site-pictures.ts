import type { Images } from '../platform/storage/images.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Db } from '../platform/db/tables.ts'
import type { Write } from '../platform/db/write.ts'
import { preparePictures } from './pictures.ts'

interface SitePictureDeps {
  database: Database
  write: Write
  images: Images
  progress: (line: string) => void
}

/** Site pictures show banners, categories and the kitchen, and belong to no product. */
export async function hasSitePictures(db: Db): Promise<boolean> {
  const named = await db.selectFrom('pictures').select('key').where('name', 'is not', null).limit(1).executeTakeFirst()
  return named !== undefined
}

export async function insertSitePictures({ database, write, images, progress }: SitePictureDeps): Promise<void> {
  if (await hasSitePictures(database.kysely)) return
  const pictures = await preparePictures(images, progress, 'site')
  await write(async trx => {
    await trx
      .insertInto('pictures')
      .values(pictures.map(({ row }) => row))
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await raiseCounter(trx, 'catalog')
  })
}
