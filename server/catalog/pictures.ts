import type { PictureUse } from '#lib/contract/catalog.ts'
import type { Picture } from '#lib/contract/values.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx, PictureRow } from '../platform/db/tables.ts'

export async function savePicture(trx: Trx, picture: Picture): Promise<Picture> {
  await trx
    .insertInto('pictures')
    .values({ ...picture, name: null })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  return trx
    .selectFrom('pictures')
    .select(['key', 'width', 'height', 'alt', 'color'])
    .where('key', '=', picture.key)
    .executeTakeFirstOrThrow()
}

export async function hasPicture(db: Db, key: string): Promise<boolean> {
  return (await countRows(db.selectFrom('pictures').where('key', '=', key))) > 0
}

/** Returns false if the picture does not exist. A picture with a name keeps its description. */
export async function describePicture(trx: Trx, { key, alt }: PictureUse): Promise<boolean> {
  await trx
    .updateTable('pictures')
    .set({ alt })
    .where('key', '=', key)
    .where('name', 'is', null)
    .execute()
  return hasPicture(trx, key)
}

export const JOINED_COLUMNS = [
  'pictures.width',
  'pictures.height',
  'pictures.alt',
  'pictures.color'
] as const

export type JoinedPicture = { picture_key: string | null } & {
  [Column in 'width' | 'height' | 'alt' | 'color']: PictureRow[Column] | null
}

export function toPicture({
  picture_key: key,
  width,
  height,
  alt,
  color
}: JoinedPicture): Picture | undefined {
  if (key === null || width === null || height === null) return undefined
  return { key, width, height, alt: alt ?? '', color: color ?? '' }
}
