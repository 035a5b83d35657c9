import type { FastifyReply, FastifyRequest, FastifyPluginAsync } from 'fastify'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ShopError } from '#lib/errors.ts'
import { ignoreMissing } from '../storage/files.ts'
import { CACHE_FOREVER, PICTURE_FILE, PICTURE_TYPES } from '../storage/images.ts'

export function pickEncoding<Encoding extends string>(
  accepted: string | undefined,
  available: readonly Encoding[]
): Encoding | undefined {
  if (!accepted || available.length === 0) return undefined
  const weights = new Map(accepted.split(',').map(parseEncoding))
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  // `identity` means no compression. Without a weight in the header, `identity` is the last choice.
  const identityWeight = weights.get('identity') ?? 0
  const [best] = available.filter(name => weight(name) > 0).sort((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) >= identityWeight ? best : undefined
}

export type ContentHeaders = Record<string, string> & { etag: string }

export function sendIfNew(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ContentHeaders,
  content: Buffer
): void {
  if (!matchesEtag(request.headers['if-none-match'], headers.etag))
    return void reply.headers(headers).send(content)
  const { 'content-type': _type, 'content-encoding': _encoding, ...others } = headers
  reply.code(304).headers(others).send()
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string) {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch
    .split(',')
    .some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

function parseEncoding(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase())
  const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
  return [name, weight >= 0 && weight <= 1 ? weight : 0]
}

type Encoding = 'br' | 'gzip'

export interface PreparedReply {
  body: Buffer
  tag: string
  headers: { 'cache-control': string; vary: string }
  variants: Map<Encoding | undefined, Variant>
}

interface Variant {
  headers: ContentHeaders
  content: Buffer
}

const MIN_COMPRESSED_SIZE = 1000
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']
const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: body => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip)
}
const brotli = promisify(brotliCompress)

export function prepareReply(
  value: unknown,
  cacheControl: string,
  vary = 'Accept-Encoding'
): PreparedReply {
  const body = Buffer.from(JSON.stringify(value))
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { body, tag, headers: { 'cache-control': cacheControl, vary }, variants: new Map() }
}

export async function sendPrepared(
  prepared: PreparedReply,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const { body, variants } = prepared
  const available = body.length < MIN_COMPRESSED_SIZE ? [] : ENCODINGS
  const encoding = pickEncoding(request.headers['accept-encoding'], available)
  const variant = variants.get(encoding) ?? (await createVariant(prepared, encoding))
  variants.set(encoding, variant)
  sendIfNew(request, reply, variant.headers, variant.content)
}

export async function compressReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED_SIZE) return payload
  reply.header('vary', 'Accept-Encoding')
  const encoding = pickEncoding(request.headers['accept-encoding'], ENCODINGS)
  if (encoding === undefined) return payload
  reply.header('content-encoding', encoding)
  return compress[encoding](Buffer.from(payload))
}

async function createVariant(
  { body, tag, headers: common }: PreparedReply,
  encoding: Encoding | undefined
): Promise<Variant> {
  const headers = {
    // Strong ETags must differ between encodings (RFC 9110, 8.8.3).
    etag: encoding ? `"${tag}-${encoding}"` : `"${tag}"`,
    ...common,
    'content-type': 'application/json; charset=utf-8',
    ...(encoding && { 'content-encoding': encoding })
  }
  return { headers, content: encoding ? await compress[encoding](body) : body }
}

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
