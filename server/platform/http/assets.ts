import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { CACHE_FOREVER, PICTURE_FILE, PICTURE_TYPES } from '../storage/images.ts'
import { sendIfNew } from './content-negotiation.ts'

interface Options {
  folder: string
}

const CACHE_BYTES = 16 * 1024 * 1024

export const assets: FastifyPluginAsync<Options> = async (app, { folder }) => {
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length + 1
  })

  async function load(name: string): Promise<Buffer> {
    const cached = cache.get(name)
    if (cached) return cached
    const content = await readFile(join(folder, name)).catch(ignoreMissing)
    if (!content) throw new ShopError('NOT_FOUND')
    cache.set(name, content)
    return content
  }

  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    async handler(request, reply) {
      const name = request.params['*']
      if (!PICTURE_FILE.test(name)) throw new ShopError('NOT_FOUND')
      const content = await load(name)
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
