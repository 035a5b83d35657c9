import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  type FastifyReply
} from 'fastify'
import fp from 'fastify-plugin'
import {
  serializerCompiler,
  jsonSchemaTransform,
  type FastifyPluginAsyncZod
} from 'fastify-type-provider-zod'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { DEVICE_HEADER } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { MINUTE, SECOND, DAY, HOUR } from '#lib/time.ts'
import { raiseCounter, readCounter } from '../db/counters.ts'
import { LOSABLE } from '../db/write.ts'
import { setLanguage } from '../language.ts'
import { oneLine } from '../process/command.ts'
import { ConfigError, type Address } from '../process/settings.ts'
import { withTimeout } from '../process/work-queue.ts'
import { handleClientError, handleError, prepareErrorReply } from './errors.ts'
import { normalizeAddress } from './limits.ts'
import { validatorCompiler } from './validate.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** An error of `work` is only logged, so a periodic job must retry it. */
    runAfterReply(work: () => Promise<void>): void
    whenIdle(): Promise<void>
    /** The health checks fail before a shutdown, so that the proxy uses other nodes. */
    isDraining: boolean
  }
}

type TrustProxy = number | string[] | false

const BODY_LIMIT = 64 * 1024
const MAX_CONNECTIONS = 5000
const NOT_FOUND_PATH = '/404'

export function createServer(
  trustProxy: TrustProxy,
  options: FastifyServerOptions
): FastifyInstance {
  const idPrefix = randomBytes(4).toString('hex')
  let requestCount = 0
  const app = Fastify({
    ...options,
    trustProxy: toTrustProxyOption(trustProxy),
    genReqId: () => `${idPrefix}-${(++requestCount).toString(36)}`,
    bodyLimit: BODY_LIMIT,
    // Long enough for the upload of a picture.
    requestTimeout: 5 * MINUTE,
    keepAliveTimeout: 65 * SECOND,
    http: { headersTimeout: 15 * SECOND },
    forceCloseConnections: 'idle',
    // While shutting down, answer requests normally (with `Connection: close`) instead of with 503.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : NOT_FOUND_PATH),
    frameworkErrors: handleError,
    clientErrorHandler: handleClientError
  })
  app.server.maxConnections = MAX_CONNECTIONS
  // Against CSRF: forms on other websites can send text/plain without a CORS preflight.
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      // Many clients send this type without a body.
      if (body === '' && request.routeOptions.schema?.body === undefined) done(null)
      else void parseJson(request, body, done)
    }
  )
  app.setErrorHandler(handleError)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('onRequest', normalizeForwarded)
  for (const stage of ['onRequest', 'preValidation'] as const) app.addHook(stage, setLanguage)
  app.addHook('preClose', async () => closeIdleConnections(app))
  return app
}

// Fastify ignores the headers of all proxies if `trustProxy` is a number.
function toTrustProxyOption(
  trustProxy: TrustProxy
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}

/** Some proxies add ports to the addresses in X-Forwarded-For. */
async function normalizeForwarded({ raw: { headers } }: FastifyRequest) {
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined)
    headers['x-forwarded-for'] = String(forwarded).split(',').map(normalizeAddress).join(', ')
}

// When it stops, Fastify closes idle connections only once.
function closeIdleConnections({ server }: FastifyInstance) {
  if (!server.listening) return
  const timer = setInterval(() => server.closeIdleConnections(), SECOND / 10)
  server.once('close', () => clearInterval(timer))
}

function isDecodable(url: string) {
  // A malformed URL gets the 404 page, but under these paths a JSON error.
  if (/^\/(?:api|assets|sandbox)\//.test(url)) return true
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, '')) !== ''
  } catch {
    return false
  }
}

export const afterReply = fp(async app => {
  const running = new Set<Promise<void>>()

  app.decorate('runAfterReply', work => {
    const task = new Promise<void>(resolve => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) =>
        app.log.warn({ err: error }, 'Work after the reply failed, will retry')
      )
      .finally(() => running.delete(task))
    running.add(task)
  })
  app.decorate('whenIdle', async () => {
    while (running.size > 0) await Promise.all(running)
  })
  app.addHook('preClose', () => app.whenIdle())
})

interface HeaderOptions {
  siteUrl: string
  /** Pictures need it if a CDN serves the pages. */
  allowOtherOrigins: boolean
}

export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const securityHeaders = fp<HeaderOptions>(async (app, { siteUrl, allowOtherOrigins }) => {
  const headers = {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': allowOtherOrigins ? 'cross-origin' : 'same-origin',
    'cache-control': 'no-store',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${(365 * DAY) / SECOND}; includeSubDomains`
    })
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
})

export const crossOrigin = fp<{ siteUrl: string; publicApiBase: string }>(
  async (app, { siteUrl, publicApiBase }) => {
    if (new URL(publicApiBase, siteUrl).origin === new URL(siteUrl).origin) return
    await app.register(cors, {
      origin: new URL(siteUrl).origin,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['content-type', 'authorization', 'if-none-match', DEVICE_HEADER],
      exposedHeaders: ['retry-after'],
      maxAge: (2 * HOUR) / SECOND
    })
  }
)

// Swagger UI adds inline styles. Everything else is loaded from this origin.
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const ERROR_RESPONSE = {
  description: 'Error with a message, a stable code, and messages by field for invalid input',
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } }
  },
  required: ['message', 'code']
}

/** Must be registered before the routes. */
export const openapi = fp<{ prefix: string; title: string }>(async (app, { prefix, title }) => {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title, version: '1' }, servers: [{ url: prefix }] },
    transform: document => {
      const { schema, url } = jsonSchemaTransform(document)
      if (schema.hide) return { url, schema }
      const response = { ...(schema.response as object | undefined), default: ERROR_RESPONSE }
      return {
        url,
        schema: { ...schema, tags: [url.slice(prefix.length).split('/')[1] ?? ''], response }
      }
    }
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: prefix,
    staticCSP: DOCS_POLICY
  })
})

/** A result is used again, so that frequent calls do not write. */
const READINESS_LIFETIME = 2 * SECOND

const PROBLEMS: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT ${port} is already in use on ${host}, choose another, for example PORT=${port + 1}`,
  EACCES: ({ port }) => `PORT ${port} needs root rights, choose another, for example PORT=4321`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST ${host} is not an address of this machine, choose another, for example HOST=127.0.0.1`,
  ENOTFOUND: ({ host }) =>
    `HOST ${host} is an unknown host name, choose another, for example HOST=127.0.0.1`
}

export async function listen(app: FastifyInstance, { host, port }: Address): Promise<void> {
  await app
    .listen({ host, port, listenTextResolver: () => `Listening on ${host}:${port}` })
    .catch(throwConfigError({ host, port }))
}

export async function checkAddress(address: Address): Promise<void> {
  const { host, port } = address
  const server = net.createServer()
  await once(server.listen({ host, port }), 'listening').catch(throwConfigError(address))
  await new Promise(resolve => server.close(resolve))
}

function throwConfigError(address: Address): (cause: unknown) => never {
  return cause => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const problem = PROBLEMS[code]?.(address) ?? `HOST and PORT can't be used: ${oneLine(cause)}`
    throw new ConfigError(problem, { cause })
  }
}

export async function drain(app: FastifyInstance, ms: number): Promise<void> {
  app.isDraining = true
  // Node then sends `Connection: close`.
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await sleep(ms)
}

export const healthRoutes: FastifyPluginAsyncZod = async app => {
  const response = { 200: z.object({ status: z.literal('ok') }) }
  const onRequest = refuseWhileDraining

  app.get(
    '/health',
    { onRequest, schema: { summary: 'Check that the database responds', response } },
    () => expectSuccess(withTimeout(2 * SECOND, readCounter(app.database.kysely, 'catalog')))
  )

  const writeOnce = (): Promise<unknown> =>
    app.write(trx => raiseCounter(trx, 'readiness checks'), LOSABLE)
  let check: { at: number; result: Promise<unknown> } = { at: -Infinity, result: Promise.resolve() }
  app.get(
    '/health/ready',
    { onRequest, schema: { summary: 'Check that the database accepts writes', response } },
    async () => {
      const now = app.clock()
      if (Math.abs(now - check.at) >= READINESS_LIFETIME)
        check = { at: now, result: withTimeout(2 * SECOND, writeOnce()) }
      return expectSuccess(check.result)
    }
  )
}

async function expectSuccess(check: Promise<unknown>): Promise<{ status: 'ok' }> {
  await check.catch((cause: unknown) => {
    throw new ShopError('UNAVAILABLE', { cause })
  })
  return { status: 'ok' }
}

/** Throws no error, because each health check would then log a warning. */
async function refuseWhileDraining(request: FastifyRequest, reply: FastifyReply) {
  if (request.server.isDraining)
    await reply.send(prepareErrorReply(new ShopError('UNAVAILABLE'), reply))
}
