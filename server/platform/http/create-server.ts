import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { randomBytes } from 'node:crypto'
import { BODY_TIMEOUT, SECOND, UPLOAD_BODY_TIMEOUT } from '#lib/time.ts'
import { createNetworkList, normalizeForwarded } from './addresses.ts'
import { handleClientError, handleFrameworkError } from './errors.ts'
import { validatorCompiler } from './validate.ts'

/** Number of proxies before the server, or their addresses. */
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
    // This limit is long enough for uploads. For other requests, the plugin `bodyTimeout` sets a
    // shorter one.
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
  // Against CSRF: reject text/plain, which forms on other websites can send without a CORS
  // preflight.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('onRequest', normalizeForwarded)
  app.addHook('preClose', async () => closeIdleConnections(app))
  return app
}

// Fastify ignores the headers of all proxies if `trustProxy` is a number, and knows addresses in
// one spelling only.
function toTrustProxyOption(
  trustProxy: TrustProxy
): false | ((address: string, hop: number) => boolean) {
  if (trustProxy === false) return false
  return typeof trustProxy === 'number'
    ? (_address, hop) => hop < trustProxy
    : createNetworkList(trustProxy)
}

// When it stops, Fastify closes idle connections only once. Later ones would stay open until their
// timeout.
function closeIdleConnections({ server }: FastifyInstance): void {
  if (!server.listening) return
  const timer = setInterval(() => server.closeIdleConnections(), SECOND / 10)
  server.once('close', () => clearInterval(timer))
}

function isDecodable(url: string): boolean {
  // A malformed URL gets the 404 page. Under these paths, it gets a JSON error from
  // `handleFrameworkError` instead.
  if (/^\/(?:api|assets|sandbox)\//.test(url)) return true
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, '')) !== ''
  } catch {
    return false
  }
}
