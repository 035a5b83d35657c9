import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { MAX_PICTURE_BYTES } from '#lib/admin/limits.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { PictureQuery } from '#lib/contract/admin/products.ts'
import { Picture } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { UPLOAD_BODY_TIMEOUT } from '#lib/time.ts'
import { savePicture } from './admin-queries.ts'

export const pictureRoutes: FastifyPluginAsyncZod = async app => {
  // Registered only for the routes below, so that forms on other websites can't post to the rest of the API (CSRF).
  await app.register(multipart, { limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 5, headerPairs: 50 } })

  app.post(
    '/pictures',
    {
      onRequest: async request => request.setBodyTimeout(UPLOAD_BODY_TIMEOUT),
      schema: {
        tags: ['admin'],
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
  if (!request.isMultipart()) throw new ShopError('UNSUPPORTED_MEDIA_TYPE', { message: ADMIN_MESSAGES.pictureMissing })
  const file = await request.file()
  if (!file) throw new ShopError('INVALID_INPUT', { message: ADMIN_MESSAGES.pictureMissing })
  try {
    return await file.toBuffer()
  } catch (cause) {
    if (!file.file.truncated) throw cause
    throw new ShopError('BODY_TOO_LARGE', { message: ADMIN_MESSAGES.pictureTooLarge, cause })
  }
}
