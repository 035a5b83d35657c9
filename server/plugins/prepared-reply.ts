import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isFresh, pickEncoding } from '../release/negotiation.ts'

type Encoding = 'br' | 'gzip'

/** A reply that is made once and sent many times. */
export interface PreparedReply {
  forms: Map<Encoding | 'identity', Form>
  tag: string
  cacheControl: string
}

interface Form {
  body: Buffer
  etag: string
  headers: Record<string, string>
  unchanged: Record<string, string>
}

/** Below this many bytes compression costs more than it saves. */
const WORTH_COMPRESSING = 1000
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']
const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: body => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip)
}
const brotli = promisify(brotliCompress)

export function prepareReply(value: unknown, cacheControl: string): PreparedReply {
  const body = Buffer.from(JSON.stringify(value))
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const reply: PreparedReply = { forms: new Map(), tag, cacheControl }
  keep(reply, 'identity', body)
  return reply
}

/** Sends it in the form that the visitor takes, or says that the visitor's own is still right. At once, when that was made before. */
export function sendPrepared(
  prepared: PreparedReply,
  request: FastifyRequest,
  reply: FastifyReply
): undefined | Promise<void> {
  const wanted = encodingFor(prepared, request.headers['accept-encoding'])
  const form = prepared.forms.get(wanted)
  if (!form) return made(prepared, wanted).then(ready => sendForm(ready, request, reply))
  sendForm(form, request, reply)
  return undefined
}

function sendForm(form: Form, request: FastifyRequest, reply: FastifyReply): void {
  const known = request.headers['if-none-match']
  if (known !== undefined && (known === form.etag || isFresh(known, form.etag))) {
    reply.code(304).headers(form.unchanged).send()
  } else {
    reply.headers(form.headers).send(form.body)
  }
}

async function made(prepared: PreparedReply, encoding: Encoding | 'identity'): Promise<Form> {
  const plain = prepared.forms.get('identity')?.body ?? Buffer.alloc(0)
  const body = encoding === 'identity' ? plain : await compress[encoding](plain)
  return keep(prepared, encoding, body)
}

function keep({ forms, tag, cacheControl }: PreparedReply, encoding: Encoding | 'identity', body: Buffer): Form {
  // The same content in another encoding is another representation, so its strong tag differs.
  const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
  const unchanged = { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' }
  const headers = {
    ...unchanged,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...(encoding !== 'identity' && { 'content-encoding': encoding })
  }
  const form = { body, etag, headers, unchanged }
  forms.set(encoding, form)
  return form
}

// Browsers send one of very few lines, so the last one answers nearly always.
let lastAccepted: string | undefined
let lastEncoding: Encoding | undefined

function encodingFor({ forms }: PreparedReply, accepted: string | undefined): Encoding | 'identity' {
  if ((forms.get('identity')?.body.length ?? 0) < WORTH_COMPRESSING) return 'identity'
  if (accepted !== lastAccepted) {
    lastEncoding = pickEncoding(accepted, ENCODINGS)
    lastAccepted = accepted
  }
  return lastEncoding ?? 'identity'
}
