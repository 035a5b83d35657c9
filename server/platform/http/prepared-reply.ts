import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { matchesEtag, pickEncoding } from './content-negotiation.ts'

type Encoding = 'br' | 'gzip'

export interface PreparedReply {
  variants: Map<Encoding | 'identity', Variant>
  tag: string
  cacheControl: string
}

interface Variant {
  body: Buffer
  etag: string
  headers: Record<string, string>
  notModifiedHeaders: Record<string, string>
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
  const reply: PreparedReply = { variants: new Map(), tag, cacheControl }
  addVariant(reply, 'identity', body)
  return reply
}

/** Sends the body, or status 304 if the client has it. Returns undefined if the reply was sent synchronously. */
export function sendPrepared(
  prepared: PreparedReply,
  request: FastifyRequest,
  reply: FastifyReply
): undefined | Promise<void> {
  const encoding = chooseEncoding(prepared, request.headers['accept-encoding'])
  const variant = prepared.variants.get(encoding)
  if (!variant) return createVariant(prepared, encoding).then(created => sendVariant(created, request, reply))
  sendVariant(variant, request, reply)
  return undefined
}

/** An `onSend` hook that compresses JSON and other text. Admin pages get lists of orders and products. */
export async function compressReply(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED_SIZE) return payload
  reply.header('vary', 'Accept-Encoding')
  const encoding = pickEncoding(request.headers['accept-encoding'], ENCODINGS)
  if (encoding === undefined) return payload
  reply.header('content-encoding', encoding)
  return compress[encoding](Buffer.from(payload))
}

function sendVariant(variant: Variant, request: FastifyRequest, reply: FastifyReply): void {
  const knownEtag = request.headers['if-none-match']
  if (knownEtag !== undefined && (knownEtag === variant.etag || matchesEtag(knownEtag, variant.etag))) {
    reply.code(304).headers(variant.notModifiedHeaders).send()
  } else {
    reply.headers(variant.headers).send(variant.body)
  }
}

async function createVariant(prepared: PreparedReply, encoding: Encoding | 'identity'): Promise<Variant> {
  const uncompressed = prepared.variants.get('identity')?.body ?? Buffer.alloc(0)
  const body = encoding === 'identity' ? uncompressed : await compress[encoding](uncompressed)
  return addVariant(prepared, encoding, body)
}

function addVariant(
  { variants, tag, cacheControl }: PreparedReply,
  encoding: Encoding | 'identity',
  body: Buffer
): Variant {
  // Strong ETags must differ between encodings (RFC 9110, 8.8.3).
  const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
  const notModifiedHeaders = { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' }
  const headers = {
    ...notModifiedHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...(encoding !== 'identity' && { 'content-encoding': encoding })
  }
  const variant = { body, etag, headers, notModifiedHeaders }
  variants.set(encoding, variant)
  return variant
}

// Consecutive requests usually have the same Accept-Encoding, so only the last result is cached.
let lastAcceptEncoding: string | undefined
let lastEncoding: Encoding | undefined

function chooseEncoding({ variants }: PreparedReply, acceptEncoding: string | undefined): Encoding | 'identity' {
  if ((variants.get('identity')?.body.length ?? 0) < MIN_COMPRESSED_SIZE) return 'identity'
  if (acceptEncoding !== lastAcceptEncoding) {
    lastEncoding = pickEncoding(acceptEncoding, ENCODINGS)
    lastAcceptEncoding = acceptEncoding
  }
  return lastEncoding ?? 'identity'
}
