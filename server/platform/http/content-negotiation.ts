import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns undefined for no compression. */
export function pickEncoding<Encoding extends string>(
  accepted: string | undefined,
  available: readonly Encoding[]
): Encoding | undefined {
  if (!accepted || available.length === 0) return undefined
  const weights = new Map(accepted.split(',').map(parseEncoding))
  const weight = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0
  // `identity` means no compression. Without a weight in the header, `identity` is the last choice.
  const identityWeight = weights.get('identity') ?? 0
  const [best] = available.filter(name => weight(name) > 0).sort((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) >= identityWeight ? best : undefined
}

export type ContentHeaders = Record<string, string> & { etag: string }

/** Sends the content, or only status 304 if the client has it. */
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

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
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
