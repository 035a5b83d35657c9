import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { MESSAGES } from '#lib/messages.ts'
import {
  pickEncoding,
  sendIfNew,
  type ContentHeaders
} from '../platform/http/content-negotiation.ts'
import { ENCODING_SUFFIX } from './release/files.ts'
import {
  cacheControl,
  contentType,
  formatPolicy,
  pagePolicy,
  REDIRECTS
} from './release/headers.ts'
import { parseElements } from './release/check.ts'
import { pageAddress, type ReleaseFile } from './release/manifest.ts'
import type { Release, Releases } from './release/store.ts'

export interface Site {
  releases: Releases
}

const CACHE_BYTES = 24 * 1024 * 1024
const NOT_FOUND_PAGE = '404.html'
const RETRY_SECONDS = 3
const ENCODINGS = ['br', 'gzip'] as const
const compressGzip = promisify(gzip)

interface RequestedFile {
  release: Release
  name: string
  status: 200 | 404
}

interface LoadedFile {
  headers: ContentHeaders
  content: Buffer
}

export async function staticSite(app: FastifyInstance, { releases }: Site): Promise<void> {
  const cache = new LRUCache<string, LoadedFile>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ content }) => content.length + 1
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    async handler(request, reply) {
      if (isReservedPath(decodeTarget(request.url))) return reply.callNotFound()
      const release = await releases.current()
      if (!release) return sendNotReadyPage(reply)
      const { redirect, name } = resolvePath(request.url, file =>
        Object.hasOwn(release.files, file)
      )
      if (redirect !== undefined) return reply.headers(release.headers).redirect(redirect, 308)
      const notFound = { release, name: NOT_FOUND_PAGE, status: 404 } as const
      const isSent =
        (name !== undefined &&
          name !== NOT_FOUND_PAGE &&
          (await sendFile({ release, name, status: 200 }, request, reply))) ||
        (await sendFile(notFound, request, reply))
      return isSent ? reply : reply.callNotFound()
    }
  })

  async function sendFile(
    requested: RequestedFile,
    request: FastifyRequest,
    reply: FastifyReply
  ): Promise<boolean> {
    const { release, name, status } = requested
    const file = release.files[name]
    if (!file) return false
    const encoding = pickEncoding(
      request.headers['accept-encoding'],
      file.encodings.length > 0 ? ENCODINGS : []
    )
    const key = `${release.id}/${name} ${encoding}`
    const loaded = cache.get(key) ?? (await load(requested, file, encoding))
    if (!loaded) return false
    cache.set(key, loaded)
    const { headers, content } = loaded
    if (status === 404) reply.code(404).headers(headers).send(content)
    else sendIfNew(request, reply, headers, content)
    return true
  }
}

async function load(
  { release, name, status }: RequestedFile,
  file: ReleaseFile,
  encoding: (typeof ENCODINGS)[number] | undefined
): Promise<LoadedFile | undefined> {
  const isStored = encoding !== undefined && file.encodings.includes(encoding)
  const storedName = name + (isStored ? ENCODING_SUFFIX[encoding] : '')
  const stored = await readFile(join(release.folder, storedName)).catch(ignoreMissing)
  if (!stored) return undefined
  const content = encoding === 'gzip' && !isStored ? await compressGzip(stored) : stored
  const policy = file.policy === undefined ? undefined : release.policies[file.policy]
  const headers = {
    ...release.headers,
    ...(policy && { 'content-security-policy': policy }),
    ...(file.encodings.length > 0 && { vary: 'Accept-Encoding' }),
    'cache-control': status === 404 ? 'no-cache' : cacheControl(name),
    etag: `"${file.hash}${encoding ? `-${encoding}` : ''}"`,
    'content-type': contentType(name),
    ...(encoding && { 'content-encoding': encoding })
  }
  return { headers, content }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function isReservedPath(path: string | undefined): boolean {
  return path !== undefined && /^\/(?:api|assets|sandbox)(?:\/|$)/.test(path)
}

function resolvePath(
  target: string,
  has: (name: string) => boolean
): { name?: string; redirect?: string } {
  const [path = '', query = ''] = splitQuery(target)
  const decoded = decodePath(path)
  if (decoded === undefined) return {}
  const to = REDIRECTS[decoded.replace(/\/+$/, '')] ?? redirectTarget(path, decoded, has)
  if (to !== undefined) return { redirect: to + query }
  const page = decoded === '/' ? 'index.html' : `${decoded.slice(1)}.html`
  if (has(page)) return { name: page }
  return has(decoded.slice(1)) ? { name: decoded.slice(1) } : {}
}

function decodeTarget(target: string): string | undefined {
  return decodePath(splitQuery(target)[0] ?? '')
}

function redirectTarget(
  path: string,
  decoded: string,
  has: (name: string) => boolean
): string | undefined {
  if (decoded.endsWith('.html') && has(decoded.slice(1)))
    return encodeURI(pageAddress(decoded.slice(1)))
  if (path === '/' || !path.endsWith('/')) return undefined
  const withoutSlash = path.replace(/\/+$/, '')
  // Security: browsers read '//evil.example' as the address of another website.
  return /^\/[^/\\]/.test(withoutSlash) ? withoutSlash : undefined
}

function splitQuery(target: string): [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
}

function decodePath(path: string): string | undefined {
  // Security: browsers read a backslash as a slash, and ignore tabs and newlines.
  if (!path.startsWith('/') || /[\0-\x20\\\x7f]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;' +
  'padding:1rem;font-family:Georgia,serif;background:#fdf6ea;color:#4a1d0f}p{font-family:system-ui,sans-serif}'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<meta name="robots" content="noindex">
<title>${MESSAGES.opening}</title>
<style>${STYLE}</style>
</head>
<body><main><h1>${MESSAGES.opening}</h1><p>${MESSAGES.openingText}</p></main></body>
</html>
`
const POLICY = formatPolicy(
  pagePolicy('/', parseElements(PAGE), { api: '/api', checkout: '/', knownScripts: new Set() })
)

function sendNotReadyPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff'
    })
    .send(PAGE)
}
