import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { language } from '#lib/contract/texts.ts'
import { ERRORS } from '#lib/error-catalogue.ts'
import { ShopError, type ErrorBody, type ErrorCode } from '#lib/errors.ts'
import { mapDatabaseFailure } from '../db/failures.ts'
import { inLanguage, toLanguage } from '../language.ts'

const UNAVAILABLE_RETRY_SECONDS = 5

const CODES_BY_STATUS: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE'
}

const STATUS_BY_SOCKET_ERROR: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large'
}

export function toErrorReply(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply
): ErrorBody {
  const error = toShopError(thrown)
  if (toStatus(error) >= 500) {
    const level = error.code === 'INTERNAL' ? 'error' : 'warn'
    reply.header('x-request-id', request.id)
    request.log[level](
      { err: thrown, method: request.method, route: request.routeOptions.url },
      // The message is in the language of the request.
      error.code
    )
  }
  return prepareErrorReply(error, reply)
}

export function prepareErrorReply(error: ShopError, reply: FastifyReply): ErrorBody {
  const status = toStatus(error)
  const retryAfter =
    error.retryAfter ?? (error.code === 'UNAVAILABLE' ? UNAVAILABLE_RETRY_SECONDS : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  reply.headers({
    'cache-control': 'no-store',
    'content-language': language(),
    'x-content-type-options': 'nosniff'
  })
  reply.code(status).type('application/json; charset=utf-8')
  return toErrorBody(error)
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // An error in a body comes before its request's language is set again.
  const replyLanguage = toLanguage(request.headers['accept-language'])
  inLanguage(replyLanguage, () => reply.send(toErrorReply(error, request, reply)))
}

/** Answers on the socket, because Fastify creates no request for invalid HTTP and timeouts. */
export function handleClientError(
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: Socket
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const text = JSON.stringify(toErrorBody(new ShopError('MALFORMED_REQUEST')))
  const status = STATUS_BY_SOCKET_ERROR[error.code ?? ''] ?? '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

export function toErrorBody({ code, message, fields, quote, nextDay }: ShopError): ErrorBody {
  const text = message === code ? ERRORS[code][1] : message
  return {
    message: text,
    code,
    ...(fields && { fields }),
    ...(quote && { quote }),
    ...(nextDay !== undefined && { nextDay })
  }
}

function toStatus({ overrideStatus, code }: ShopError) {
  return overrideStatus ?? ERRORS[code][0]
}

function toShopError(thrown: unknown): ShopError {
  const error = mapDatabaseFailure(thrown)
  if (error instanceof ShopError) return error
  const { statusCode = 500 } = error as Partial<FastifyError>
  const code =
    CODES_BY_STATUS[statusCode] ??
    (statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL')
  return new ShopError(code, { cause: error })
}
