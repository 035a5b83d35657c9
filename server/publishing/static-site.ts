import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DEFAULT_LANGUAGE, TRANSLATIONS, type Language } from '#lib/constants.ts'
import { language, t } from '#lib/contract/texts.ts'
import { localPath } from '#lib/paths.ts'
import {
  pickEncoding,
  sendIfNew,
  type ContentHeaders
} from '../platform/http/content-negotiation.ts'
import { inLanguage } from '../platform/language.ts'
import { ignoreMissing } from '../platform/storage/files.ts'
import { listStoredNames } from './release/files.ts'
import { cacheControl, contentType, REDIRECTS } from './release/headers.ts'
import { decodePath, pagePolicy, parseElements } from './release/page.ts'
import { pageAddress, type Release, type ReleaseFile, type Releases } from './release/store.ts'

export interface Site {
  releases: Releases
}

const CACHE_BYTES = 24 * 1024 * 1024
const NOT_FOUND_PAGE = '404.html'
const RETRY_SECONDS = 3
const ENCODINGS = ['br', 'gzip'] as const
const compressGzip = promisify(gzip)

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
      if (isReservedPath(decodeSafePath(splitQuery(request.url).path))) return reply.callNotFound()
      const release = await releases.current()
      const code = languageOf(request.url)
      if (!release) return inLanguage(code, () => sendNotReadyPage(reply))
      const notFoundPage = localPath(`/${NOT_FOUND_PAGE}`, code).slice(1)
      const { redirect, name = notFoundPage } = resolvePath(request.url, file =>
        Object.hasOwn(release.files, file)
      )
      if (redirect !== undefined) return reply.headers(release.headers).redirect(redirect, 308)
      const accepted = request.headers['accept-encoding']
      const found = isNotFoundPage(name) ? undefined : await load(release, name, accepted)
      if (found) {
        sendIfNew(request, reply, found.headers, found.content)
        return reply
      }
      const notFound =
        (await load(release, notFoundPage, accepted)) ??
        (await load(release, NOT_FOUND_PAGE, accepted))
      if (!notFound) return reply.callNotFound()
      return reply.code(404).headers(notFound.headers).send(notFound.content)
    }
  })

  async function load(
    release: Release,
    name: string,
    accepted: string | undefined
  ): Promise<LoadedFile | undefined> {
    const file = release.files[name]
    if (!file) return undefined
    const encoding = pickEncoding(accepted, file.encodings.includes('br') ? ENCODINGS : [])
    const key = `${release.id}/${name} ${encoding}`
    const loaded = cache.get(key) ?? (await readReleaseFile(release, name, file, encoding))
    if (loaded) cache.set(key, loaded)
    return loaded
  }
}

async function readReleaseFile(
  release: Release,
  name: string,
  file: ReleaseFile,
  encoding: (typeof ENCODINGS)[number] | undefined
): Promise<LoadedFile | undefined> {
  const [plainName = '', brotliName = ''] = listStoredNames(name, file)
  const storedName = encoding === 'br' ? brotliName : plainName
  const stored = await readFile(join(release.folder, storedName)).catch(ignoreMissing)
  if (!stored) return undefined
  const policy = file.policy === undefined ? undefined : release.policies[file.policy]
  const headers = {
    ...release.headers,
    ...(policy && { 'content-security-policy': policy }),
    ...(file.encodings.length > 0 && { vary: 'Accept-Encoding' }),
    'cache-control': isNotFoundPage(name) ? 'no-cache' : cacheControl(name),
    etag: `"${file.hash}${encoding ? `-${encoding}` : ''}"`,
    'content-type': contentType(name),
    ...(encoding && { 'content-encoding': encoding })
  }
  return {
    headers,
    content: encoding === 'gzip' ? await compressGzip(stored, { level: 9 }) : stored
  }
}

const isNotFoundPage = (name: string) => /^(?:\w+\/)?404\.html$/.test(name)

/** By its address, because a page is in one language. */
function languageOf(url: string): Language {
  const isOf = (code: string) => new RegExp(`^/${code}(?=[/?]|$)`).test(url)
  return TRANSLATIONS.find(isOf) ?? DEFAULT_LANGUAGE
}

function isReservedPath(path: string | undefined) {
  return path !== undefined && /^\/(?:api|assets|sandbox)(?:\/|$)/.test(path)
}

function resolvePath(
  target: string,
  has: (name: string) => boolean
): { name?: string; redirect?: string } {
  const { path, query } = splitQuery(target)
  const decoded = decodeSafePath(path)
  if (decoded === undefined) return {}
  const to = REDIRECTS[decoded.replace(/\/+$/, '')] ?? redirectTarget(path, decoded, has)
  if (to !== undefined) return { redirect: to + query }
  const name = decoded.slice(1)
  const found = [decoded === '/' ? 'index.html' : `${name}.html`, name].find(has)
  return found === undefined ? {} : { name: found }
}

function redirectTarget(path: string, decoded: string, has: (name: string) => boolean) {
  const name = decoded.slice(1)
  if (name.endsWith('.html') && has(name)) return encodeURI(pageAddress(name))
  if (path === '/' || !path.endsWith('/')) return undefined
  const withoutSlash = path.replace(/\/+$/, '')
  // Security: browsers read '//evil.example' as the address of another website.
  return /^\/[^/\\]/.test(withoutSlash) ? withoutSlash : undefined
}

function splitQuery(target: string): { path: string; query: string } {
  const [path = ''] = target.split('?', 1)
  return { path, query: target.slice(path.length) }
}

function decodeSafePath(path: string) {
  // Security: browsers read a backslash as a slash, and ignore tabs and newlines.
  if (!path.startsWith('/') || /[\0-\x20\\\x7f]/.test(path)) return undefined
  return decodePath(path)
}

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;' +
  'padding:1rem;font-family:Georgia,serif;background:#fdf6ea;color:#4a1d0f}p{font-family:system-ui,sans-serif}'

const makePage = () => `<!doctype html>
<html lang="${language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<meta name="robots" content="noindex">
<title>${t('The shop is opening')}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${t('The shop is opening')}</h1>
<p>${t('We’re starting up. This page will reload in a moment.')}</p>
</main></body>
</html>
`
const POLICY = pagePolicy('/', parseElements(makePage()), {
  api: '/api',
  checkout: '/',
  knownScripts: new Set()
})

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
    .send(makePage())
}
