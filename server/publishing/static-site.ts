import { open, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resolvePath, decodeTarget } from './release/resolve-path.ts'
import { cacheControl, HASHED_FOLDER } from './release/headers.ts'
import { ENCODING_SUFFIX } from './release/link-files.ts'
import type { ReleaseFile } from './release/manifest.ts'
import { createLruCache } from './release/lru-cache.ts'
import { matchesEtag, pickEncoding } from './release/content-negotiation.ts'
import type { Release, Releases } from './release/releases.ts'
import { sendNotReadyPage } from './not-ready-page.ts'

export interface Site {
  releases: Releases
}

const CACHE_BYTES = 24 * 1024 * 1024
const MAX_CACHED_SIZE = 512 * 1024
const NOT_FOUND_PAGE = '404.html'

const CONTENT_TYPES: Record<string, string> = {
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

interface RequestedFile {
  release: Release
  name: string
  status: 200 | 404
}

interface SiteResponse {
  status: 200 | 304 | 404
  headers: Record<string, string>
  content?: Buffer | Readable
}

export async function staticSite(app: FastifyInstance, { releases }: Site): Promise<void> {
  const cache = createLruCache(CACHE_BYTES)
  let cachedReleaseId: string | undefined

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    async handler(request, reply) {
      if (isReservedPath(decodeTarget(request.url))) return reply.callNotFound()
      const release = await releases.current()
      if (!release) return sendNotReadyPage(reply)
      if (release.id !== cachedReleaseId) cache.clear()
      cachedReleaseId = release.id

      const resolved = resolvePath(request.url, name => Object.hasOwn(release.files, name))
      if (resolved.kind === 'redirect') return reply.headers(release.headers).redirect(resolved.to, 308)
      const name = resolved.kind === 'file' ? resolved.name : undefined
      const response =
        (await createResponse(await findRequestedFile(release, name, request.url), request)) ??
        (await createResponse({ release, name: NOT_FOUND_PAGE, status: 404 }, request))
      if (!response) return reply.callNotFound()
      return reply.code(response.status).headers(response.headers).send(response.content)
    }
  })

  /** Also finds scripts of older releases, because pages that are already open in a browser may still load them. */
  async function findRequestedFile(
    release: Release,
    name: string | undefined,
    url: string
  ): Promise<RequestedFile | undefined> {
    if (name === NOT_FOUND_PAGE) return undefined
    if (name !== undefined) return { release, name, status: 200 }
    const script = decodeTarget(url)?.slice(1)
    if (!script?.startsWith(HASHED_FOLDER)) return undefined
    const olderRelease = (await releases.older()).find(({ files }) => Object.hasOwn(files, script))
    return olderRelease && { release: olderRelease, name: script, status: 200 }
  }

  async function createResponse(
    requested: RequestedFile | undefined,
    request: FastifyRequest
  ): Promise<SiteResponse | undefined> {
    const file = requested?.release.files[requested.name]
    if (!requested || !file) return undefined
    const encoding = pickEncoding(request.headers['accept-encoding'], file.encodings)
    const etag = `"${file.hash}${encoding ? `-${encoding}` : ''}"`
    const headers = { ...toHeaders(requested, file), etag }
    if (requested.status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers }

    const path = join(requested.release.folder, requested.name) + (encoding ? ENCODING_SUFFIX[encoding] : '')
    const content = await readContent(path, file)
    if (!content) return undefined
    const type = CONTENT_TYPES[extname(requested.name)] ?? 'application/octet-stream'
    const entityHeaders = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
    return { status: requested.status, headers: { ...headers, ...entityHeaders }, content }
  }

  async function readContent(path: string, { size }: ReleaseFile): Promise<Buffer | Readable | undefined> {
    if (size > MAX_CACHED_SIZE) return (await open(path).catch(() => undefined))?.createReadStream()
    const cached = cache.get(path)
    if (cached) return cached
    const content = await readFile(path).catch(() => undefined)
    if (content) cache.set(path, content)
    return content
  }
}

function toHeaders({ release, name, status }: RequestedFile, file: ReleaseFile): Record<string, string> {
  const policy = file.policy === undefined ? undefined : release.policies[file.policy]
  return {
    ...release.headers,
    ...(policy && { 'content-security-policy': policy }),
    ...(file.encodings.length > 0 && { vary: 'Accept-Encoding' }),
    'cache-control': status === 404 ? 'no-cache' : cacheControl(name)
  }
}

function isReservedPath(path: string | undefined): boolean {
  return path !== undefined && /^\/(?:api|assets|sandbox)(?:\/|$)/.test(path)
}
