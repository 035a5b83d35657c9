import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { CACHE_FOREVER, PICTURE_FILE, PICTURE_TYPES } from '../storage/images.ts'
import { sendIfNew } from './content-negotiation.ts'

export const assets: FastifyPluginAsync<{ folder: string }> = async (app, { folder }) => {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    async handler(request, reply) {
      const name = request.params['*']
      const content = PICTURE_FILE.test(name)
        ? await readFile(join(folder, name)).catch(ignoreMissing)
        : undefined
      if (!content) throw new ShopError('NOT_FOUND')
      const headers = {
        // The size is added in case somebody replaces the file by hand.
        etag: `"${name}-${content.length.toString(36)}"`,
        'cache-control': CACHE_FOREVER,
        'content-type': PICTURE_TYPES[extname(name)] ?? ''
      }
      sendIfNew(request, reply, headers, content)
    }
  })
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
}
