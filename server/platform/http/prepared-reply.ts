import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { pickEncoding, sendIfNew, type ContentHeaders } from './content-negotiation.ts'

type Encoding = 'br' | 'gzip'

export interface PreparedReply {
  body: Buffer
  tag: string
  cacheControl: string
  /** `undefined` is the body without compression. */
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

export function prepareReply(value: unknown, cacheControl: string): PreparedReply {
  const body = Buffer.from(JSON.stringify(value))
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { body, tag, cacheControl, variants: new Map() }
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

/** An `onSend` hook that compresses JSON and other text. */
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
  { body, tag, cacheControl }: PreparedReply,
  encoding: Encoding | undefined
): Promise<Variant> {
  const headers = {
    // Strong ETags must differ between encodings (RFC 9110, 8.8.3).
    etag: encoding ? `"${tag}-${encoding}"` : `"${tag}"`,
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    'content-type': 'application/json; charset=utf-8',
    ...(encoding && { 'content-encoding': encoding })
  }
  return { headers, content: encoding ? await compress[encoding](body) : body }
}
