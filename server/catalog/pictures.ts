import { t } from '#lib/contract/texts.ts'
import type { Selectable } from 'kysely'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { MAX_PICTURE_BYTES } from '#lib/constants.ts'
import { PictureQuery, type PictureUse, type SitePicture } from '#lib/contract/catalog.ts'
import { Picture } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { toTranslations } from '../accounts/records.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, PictureRow, Trx } from '../platform/db/tables.ts'

const pictureMissing = () => t('No picture received. Please choose one.')

export const pictureRoutes: FastifyPluginAsyncZod = async app => {
  // Only for these routes: forms on other websites can't post to the rest of the API (CSRF).
  await app.register(multipart, {
    limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 5, headerPairs: 50 }
  })

  app.post(
    '/pictures',
    {
      schema: {
        summary: 'Upload a picture: JPEG, PNG, WebP or AVIF, at most 10 MB and 24 megapixels',
        querystring: PictureQuery,
        response: { 201: Picture }
      }
    },
    async (request, reply) => {
      const stored = await app.images.store(await readUpload(request), request.query.name ?? '')
      const picture = await app.write(trx => savePicture(trx, { ...stored, alt: '' }))
      return reply.code(201).send(picture)
    }
  )
}

async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart())
    throw new ShopError('UNSUPPORTED_MEDIA_TYPE', { message: pictureMissing() })
  const file = await request.file().catch(throwMalformed)
  if (!file) throw new ShopError('INVALID_INPUT', { message: pictureMissing() })
  try {
    return await file.toBuffer()
  } catch (cause) {
    if (!file.file.truncated) throwMalformed(cause)
    throw new ShopError('BODY_TOO_LARGE', { message: ADMIN_MESSAGES.pictureTooLarge, cause })
  }
}

/** Errors of the multipart parser have a status, but errors of its tokenizer have none. */
function throwMalformed(cause: unknown): never {
  if (cause instanceof Error && 'statusCode' in cause) throw cause
  throw new ShopError('MALFORMED_REQUEST', { cause })
}

async function savePicture(trx: Trx, picture: Picture): Promise<Picture> {
  await trx
    .insertInto('pictures')
    .values({ ...picture, name: null })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  return readPicture(
    await trx
      .selectFrom('pictures')
      .select(PICTURE_COLUMNS)
      .where('key', '=', picture.key)
      .executeTakeFirstOrThrow()
  )
}

/** Pictures with a name, which settings use. */
export async function listSitePictures(db: Db): Promise<SitePicture[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('name')
    .select(PICTURE_COLUMNS)
    .where('name', 'is not', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name, ...picture }) => ({ ...readPicture(picture), name: name ?? '' }))
}

export async function hasPicture(db: Db, key: string): Promise<boolean> {
  return (await countRows(db.selectFrom('pictures').where('key', '=', key))) > 0
}

/** Returns false if the picture does not exist. A picture with a name keeps its description. */
export async function describePicture(trx: Trx, { key, alt }: PictureUse): Promise<boolean> {
  await trx
    .updateTable('pictures')
    .set({ alt, alt_translations: '{}' })
    .where('key', '=', key)
    .where('alt', '!=', alt)
    .where('name', 'is', null)
    .execute()
  return hasPicture(trx, key)
}

export const JOINED_COLUMNS = [
  'pictures.width',
  'pictures.height',
  'pictures.alt',
  'pictures.alt_translations',
  'pictures.color'
] as const
export const PICTURE_COLUMNS = ['pictures.key', ...JOINED_COLUMNS] as const

type StoredPicture = Omit<Selectable<PictureRow>, 'name'>
export type JoinedPicture = { picture_key: string | null } & {
  [Column in keyof Omit<StoredPicture, 'key'>]: StoredPicture[Column] | null
}

export function readPicture({
  alt_translations: translations,
  ...picture
}: StoredPicture): Picture {
  return { ...picture, ...toTranslations<Picture>({ translations }) }
}

export function toPicture({
  picture_key: key,
  width,
  height,
  alt,
  alt_translations: translations,
  color
}: JoinedPicture): Picture | undefined {
  if (key === null || width === null || height === null) return undefined
  const texts = { alt: alt ?? '', alt_translations: translations ?? '{}' }
  return readPicture({ key, width, height, color: color ?? '', ...texts })
}
