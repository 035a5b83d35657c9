import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import fp from 'fastify-plugin'
import { serializerCompiler, jsonSchemaTransform } from 'fastify-type-provider-zod'
import { randomBytes } from 'node:crypto'
import { MINUTE, SECOND, DAY, HOUR } from '#lib/time.ts'
import { handleClientError, handleError } from './errors.ts'
import { normalizeAddress } from './limits.ts'
import { validatorCompiler } from './validate.ts'
import cors from '@fastify/cors'
import { DEVICE_HEADER } from '#lib/constants.ts'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'

declare module 'fastify' {
  interface FastifyInstance {
    /** An error of `work` is only logged, so a periodic job must retry it. */
    runAfterReply(work: () => Promise<void>): void
    whenIdle(): Promise<void>
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
async function normalizeForwarded({ raw: { headers } }: FastifyRequest): Promise<void> {
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined)
    headers['x-forwarded-for'] = String(forwarded).split(',').map(normalizeAddress).join(', ')
}

// When it stops, Fastify closes idle connections only once.
function closeIdleConnections({ server }: FastifyInstance): void {
  if (!server.listening) return
  const timer = setInterval(() => server.closeIdleConnections(), SECOND / 10)
  server.once('close', () => clearInterval(timer))
}

function isDecodable(url: string): boolean {
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
  /** Allows other origins to embed the response. Pictures need this if a CDN serves the pages. */
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
      allowedHeaders: ['content-type', 'authorization', DEVICE_HEADER],
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

/** Must be registered before the routes. Groups calls by the first part of their path. */
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
