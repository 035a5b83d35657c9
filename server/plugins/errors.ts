import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Socket } from 'node:net'
import { ShopError, type ErrorBody, type ErrorCode, type FieldErrors } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { translated } from '../db/failures.ts'

/** What a caller is told to wait after UNAVAILABLE, in seconds. */
const RETRY_AFTER = 5

const CODES: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE'
}

/** The one place where an error becomes a reply. */
export const errors = fp(async app => {
  app.setErrorHandler((error, request, reply) => reply.send(explain(error, request, reply)))
})

/** Sets the status and headers of a failure and answers what to say about it; what is our own fault is logged. */
export function explain(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ErrorBody {
  const error = asShopError(thrown)
  if (error.status >= 500) {
    const level = error.code === 'INTERNAL' ? 'error' : 'warn'
    reply.header('x-request-id', request.id)
    request.log[level]({ err: thrown, method: request.method, route: request.routeOptions.url }, error.message)
  }
  const retryAfter = error.retryAfter ?? (error.code === 'UNAVAILABLE' ? RETRY_AFTER : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  reply.code(error.status).type('application/json; charset=utf-8')
  return error.body
}

/** A malformed address never reaches a route. */
export function answerMalformed(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.send(explain(error, request, reply))
}

/** What is no HTTP at all, or came too slowly, has no request to answer. */
export function answerBroken(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const { body } = new ShopError('MALFORMED_REQUEST')
  const text = JSON.stringify(body)
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

function asShopError(thrown: unknown): ShopError {
  const error = translated(thrown)
  if (error instanceof ShopError) return error
  const { statusCode = 500, validation, validationContext } = error as Partial<FastifyError>
  if (validation) return validationContext === 'params' ? new ShopError('NOT_FOUND') : invalid(validation)
  const code = CODES[statusCode] ?? (statusCode >= 400 && statusCode < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL')
  return new ShopError(code, { cause: error })
}

function invalid(issues: NonNullable<FastifyError['validation']>): ShopError {
  const fields: FieldErrors = {}
  for (const { instancePath, message } of issues) {
    const path = instancePath.slice(1).replaceAll('/', '.')
    fields[path] ??= message && !message.startsWith('Invalid input') ? message : MESSAGES.invalidField
  }
  // Not even an object: there is no field to point at.
  return '' in fields ? new ShopError('MALFORMED_REQUEST') : new ShopError('INVALID_INPUT', { fields })
}
