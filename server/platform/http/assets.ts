import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { DAY, SECOND } from '#lib/time.ts'
import { matchesEtag } from './content-negotiation.ts'

interface Options {
  folder: string
}

// Security: matches only file names that the picture gateway creates. Folders, hidden files and temporary files do not
// match.
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg)$/
const CONTENT_TYPES: Record<string, string> = { '.avif': 'image/avif', '.webp': 'image/webp', '.jpg': 'image/jpeg' }
const CACHE_FOREVER = `public, max-age=${(365 * DAY) / SECOND}, immutable`
const CACHE_BYTES = 16 * 1024 * 1024
const MAX_CACHED_SIZE = 512 * 1024

export const assets: FastifyPluginAsync<Options> = async (app, { folder }) => {
  const cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length + 1 })

  async function loadContent(name: string): Promise<{ size: number; content?: Buffer }> {
    const cached = cache.get(name)
    if (cached) return { size: cached.length, content: cached }
    const file = join(folder, name)
    const stats = await stat(file).catch(throwNotFound)
    if (!stats.isFile()) throw new ShopError('NOT_FOUND')
    if (stats.size > MAX_CACHED_SIZE) return { size: stats.size }
    const content = await readFile(file).catch(throwNotFound)
    cache.set(name, content)
    return { size: content.length, content }
  }

  async function send(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): Promise<void> {
    const name = request.params['*']
    if (!FILE_NAME.test(name)) throw new ShopError('NOT_FOUND')
    const { size, content } = await loadContent(name)
    // The file name already contains a hash of the content. The ETag also contains the size, because somebody may
    // replace the file by hand.
    const etag = `"${name}-${size.toString(36)}"`
    reply.headers({ etag, 'cache-control': CACHE_FOREVER, 'content-type': CONTENT_TYPES[extname(name)] })
    if (matchesEtag(request.headers['if-none-match'], etag))
      return void reply.code(304).removeHeader('content-type').send()
    reply.header('content-length', size)
    if (request.method === 'HEAD') return void reply.send()
    await reply.send(content ?? createReadStream(join(folder, name)))
  }

  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: send })
}

function throwNotFound(error: NodeJS.ErrnoException): never {
  const isMissing = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')
  throw isMissing ? new ShopError('NOT_FOUND', { cause: error }) : error
}
