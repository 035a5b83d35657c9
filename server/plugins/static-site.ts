import { open, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findFile, requestedPath } from '../release/addresses.ts'
import { cacheControl, HASHED } from '../release/headers.ts'
import { SUFFIX } from '../release/links.ts'
import type { ReleaseFile } from '../release/manifest.ts'
import { createMemory } from '../release/memory.ts'
import { isFresh, pickEncoding } from '../release/negotiation.ts'
import type { Release, Releases } from '../release/releases.ts'
import { sendOpeningPage } from './opening-page.ts'

export interface Site {
  releases: Releases
}

const MEMORY_BYTES = 24 * 1024 * 1024
/** Larger files are streamed from disk. */
const SMALL_BYTES = 512 * 1024
const NOT_FOUND_PAGE = '404.html'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2'
}

/** A file of a release that is asked for. */
interface Asked {
  release: Release
  name: string
  status: 200 | 404
}

interface Answer {
  status: 200 | 304 | 404
  headers: Record<string, string>
  content?: Buffer | Readable
}

/** Serves the published release at every address that is not of the server itself. */
export async function staticSite(app: FastifyInstance, { releases }: Site): Promise<void> {
  const memory = createMemory(MEMORY_BYTES)
  let remembered: string | undefined

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    async handler(request, reply) {
      if (belongsToServer(requestedPath(request.url))) return reply.callNotFound()
      const release = await releases.current()
      if (!release) return sendOpeningPage(reply)
      if (release.id !== remembered) memory.clear()
      remembered = release.id

      const found = findFile(request.url, name => Object.hasOwn(release.files, name))
      if (found.kind === 'redirect') return reply.headers(release.headers).redirect(found.to, 308)
      const name = found.kind === 'file' ? found.name : undefined
      const answer =
        (await answerWith(await fileOf(release, name, request.url), request)) ??
        (await answerWith({ release, name: NOT_FOUND_PAGE, status: 404 }, request))
      if (!answer) return reply.callNotFound()
      return reply.code(answer.status).headers(answer.headers).send(answer.content)
    }
  })

  /** Pages that are still open ask for scripts of the release that they came from. */
  async function fileOf(release: Release, name: string | undefined, url: string): Promise<Asked | undefined> {
    if (name === NOT_FOUND_PAGE) return undefined
    if (name !== undefined) return { release, name, status: 200 }
    const script = requestedPath(url)?.slice(1)
    if (!script?.startsWith(HASHED)) return undefined
    const former = (await releases.former()).find(({ files }) => Object.hasOwn(files, script))
    return former && { release: former, name: script, status: 200 }
  }

  /** Undefined when there is no such file, or its release was removed in this moment. */
  async function answerWith(asked: Asked | undefined, request: FastifyRequest): Promise<Answer | undefined> {
    const file = asked?.release.files[asked.name]
    if (!asked || !file) return undefined
    const encoding = pickEncoding(request.headers['accept-encoding'], file.encodings)
    const etag = `"${file.hash}${encoding ? `-${encoding}` : ''}"`
    const headers = { ...headersOf(asked, file), etag }
    if (asked.status === 200 && isFresh(request.headers['if-none-match'], etag)) return { status: 304, headers }

    const path = join(asked.release.folder, asked.name) + (encoding ? SUFFIX[encoding] : '')
    const content = await read(path, file)
    if (!content) return undefined
    const type = TYPES[extname(asked.name)] ?? 'application/octet-stream'
    const about = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
    return { status: asked.status, headers: { ...headers, ...about }, content }
  }

  async function read(path: string, { size }: ReleaseFile): Promise<Buffer | Readable | undefined> {
    if (size > SMALL_BYTES) return (await open(path).catch(() => undefined))?.createReadStream()
    const known = memory.get(path)
    if (known) return known
    const content = await readFile(path).catch(() => undefined)
    if (content) memory.keep(path, content)
    return content
  }
}

function headersOf({ release, name, status }: Asked, file: ReleaseFile): Record<string, string> {
  const policy = file.policy === undefined ? undefined : release.policies[file.policy]
  return {
    ...release.headers,
    ...(policy && { 'content-security-policy': policy }),
    ...(file.encodings.length > 0 && { vary: 'Accept-Encoding' }),
    'cache-control': status === 404 ? 'no-cache' : cacheControl(name)
  }
}

function belongsToServer(path: string | undefined): boolean {
  return path !== undefined && /^\/(?:api|assets|sandbox)(?:\/|$)/.test(path)
}
