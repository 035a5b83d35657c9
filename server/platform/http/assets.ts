import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createReadStream, type Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { CACHE_FOREVER, PICTURE_FILE, PICTURE_TYPES, type SharedPictures } from '../storage/shared-pictures.ts'
import { matchesEtag } from './content-negotiation.ts'

interface Options {
  folder: string
  shared: SharedPictures | undefined
}

const CACHE_BYTES = 16 * 1024 * 1024
const MAX_CACHED_SIZE = 512 * 1024

export const assets: FastifyPluginAsync<Options> = async (app, { folder, shared }) => {
  const cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length + 1 })

  async function findStats(name: string): Promise<Stats | undefined> {
    const local = await stat(join(folder, name)).catch(ignoreMissing)
    if (local || !(await shared?.fetch(name))) return local
    return stat(join(folder, name)).catch(ignoreMissing)
  }

  async function loadContent(name: string): Promise<{ size: number; content?: Buffer }> {
    const cached = cache.get(name)
    if (cached) return { size: cached.length, content: cached }
    const stats = await findStats(name)
    if (!stats?.isFile()) throw new ShopError('NOT_FOUND')
    if (stats.size > MAX_CACHED_SIZE) return { size: stats.size }
    const content = await readFile(join(folder, name)).catch(ignoreMissing)
    if (!content) throw new ShopError('NOT_FOUND')
    cache.set(name, content)
    return { size: content.length, content }
  }

  async function send(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): Promise<void> {
    const name = request.params['*']
    if (!PICTURE_FILE.test(name)) throw new ShopError('NOT_FOUND')
    const { size, content } = await loadContent(name)
    // The name contains a hash of the content. The size is added in case somebody replaces the file by hand.
    const etag = `"${name}-${size.toString(36)}"`
    reply.headers({ etag, 'cache-control': CACHE_FOREVER, 'content-type': PICTURE_TYPES[extname(name)] })
    if (matchesEtag(request.headers['if-none-match'], etag))
      return void reply.code(304).removeHeader('content-type').send()
    reply.header('content-length', size)
    if (request.method === 'HEAD') return void reply.send()
    await reply.send(content ?? createReadStream(join(folder, name)))
  }

  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: send })
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
}
