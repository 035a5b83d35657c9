import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifySchema, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod'
import { randomBytes } from 'node:crypto'
import { BODY_TIMEOUT, SECOND, UPLOAD_BODY_TIMEOUT } from '#lib/time.ts'
import type { Config } from '../../config.ts'
import { handleClientError, handleFrameworkError } from './errors.ts'
import { validatorCompiler } from './validate.ts'

const BODY_LIMIT = 64 * 1024
const MAX_CONNECTIONS = 5000
const NOT_FOUND_PATH = '/404'

export function createServer(config: Config, options: FastifyServerOptions): FastifyInstance {
  const idPrefix = randomBytes(4).toString('hex')
  let requestCount = 0
  const app = Fastify({
    ...options,
    trustProxy: toTrustProxyOption(config),
    genReqId: () => `${idPrefix}-${(++requestCount).toString(36)}`,
    bodyLimit: BODY_LIMIT,
    // This limit is long enough for uploads. For other requests, the plugin `bodyTimeout` sets a shorter one.
    requestTimeout: UPLOAD_BODY_TIMEOUT + BODY_TIMEOUT,
    keepAliveTimeout: 65 * SECOND,
    // The plugin `headerChecks` requires the header `Host`.
    http: { headersTimeout: 15 * SECOND, requireHostHeader: false },
    forceCloseConnections: 'idle',
    // While shutting down, answer requests normally (with `Connection: close`) instead of with 503.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : NOT_FOUND_PATH),
    frameworkErrors: handleFrameworkError,
    clientErrorHandler: handleClientError
  })
  app.server.maxConnections = MAX_CONNECTIONS
  // Against CSRF: reject text/plain, which forms on other websites can send without a CORS preflight.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('preClose', async () => closeIdleConnections(app))
  return app
}

// Fastify ignores the headers of all proxies if `trustProxy` is a number.
function toTrustProxyOption({ trustProxy }: Config): string[] | false | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}

// When the server stops, Fastify closes idle connections only once. Connections that become idle later would stay open
// until their timeout.
function closeIdleConnections({ server }: FastifyInstance): void {
  if (!server.listening) return
  const timer = setInterval(() => server.closeIdleConnections(), SECOND / 10)
  server.once('close', () => clearInterval(timer))
}

function isDecodable(url: string): boolean {
  // A malformed URL gets the 404 page. Under these paths, it gets a JSON error from `handleFrameworkError` instead.
  if (/^\/(?:api|assets|sandbox)\//.test(url)) return true
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, '')) !== ''
  } catch {
    return false
  }
}

interface Options {
  prefix: string
  title: string
  /** The documentation groups calls by the tag of the first entry with which their path begins. */
  tags: Readonly<Record<string, string>>
}

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

/** Serves Swagger UI for the route schemas. Must be registered before the routes. */
export const openapi = fp<Options>(async (app, { prefix, title, tags }) => {
  const findTags = (url: string): string[] => {
    const [, tag] = Object.entries(tags).find(([start]) => url.slice(prefix.length).startsWith(start)) ?? []
    return tag === undefined ? [] : [tag]
  }

  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title, version: '1' }, servers: [{ url: prefix }] },
    transform: document => {
      const { schema, url } = jsonSchemaTransform(document)
      if (schema.hide) return { url, schema }
      const response = { ...toResponses(schema), default: ERROR_RESPONSE }
      return { url, schema: { ...schema, tags: findTags(url), response } }
    }
  })
  await app.register(swaggerUi, { routePrefix: '/docs', indexPrefix: prefix, staticCSP: DOCS_POLICY })
})

function toResponses({ response }: FastifySchema): object {
  return typeof response === 'object' && response !== null ? response : {}
}
