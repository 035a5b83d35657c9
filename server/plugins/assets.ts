import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ShopError } from '#lib/errors.ts'
import { DAY, SECOND } from '#lib/time.ts'
import { createMemory } from '../release/memory.ts'
import { isFresh } from '../release/negotiation.ts'

interface Options {
  /** Where the pictures are. */
  folder: string
}

// Only what the picture gateway names its files: no folder, no hidden file, nothing that is half written.
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg)$/
const TYPES: Record<string, string> = { '.avif': 'image/avif', '.webp': 'image/webp', '.jpg': 'image/jpeg' }
const FOREVER = `public, max-age=${(365 * DAY) / SECOND}, immutable`
const MEMORY = 16 * 1024 * 1024
/** Larger files are read from the disk each time. */
const SMALL = 512 * 1024

/** The pictures, by names that change with their content, so that nobody ever has to ask for one again. */
export const assets: FastifyPluginAsync<Options> = async (app, { folder }) => {
  const memory = createMemory(MEMORY)

  async function contentOf(name: string): Promise<{ size: number; content?: Buffer }> {
    const known = memory.get(name)
    if (known) return { size: known.length, content: known }
    const file = join(folder, name)
    const found = await stat(file).catch(missing)
    if (!found.isFile()) throw new ShopError('NOT_FOUND')
    if (found.size > SMALL) return { size: found.size }
    const content = await readFile(file).catch(missing)
    memory.keep(name, content)
    return { size: content.length, content }
  }

  async function send(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply): Promise<void> {
    const name = request.params['*']
    if (!FILE_NAME.test(name)) throw new ShopError('NOT_FOUND')
    const { size, content } = await contentOf(name)
    // The name says which content it is; the size tells a file that was replaced by hand.
    const etag = `"${name}-${size.toString(36)}"`
    reply.headers({ etag, 'cache-control': FOREVER, 'content-type': TYPES[extname(name)] })
    if (isFresh(request.headers['if-none-match'], etag)) return void reply.code(304).removeHeader('content-type').send()
    reply.header('content-length', size)
    if (request.method === 'HEAD') return void reply.send()
    await reply.send(content ?? createReadStream(join(folder, name)))
  }

  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: send })
}

function missing(error: NodeJS.ErrnoException): never {
  const gone = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')
  throw gone ? new ShopError('NOT_FOUND', { cause: error }) : error
}
