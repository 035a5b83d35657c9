import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { DAY, SECOND } from '#lib/time.ts'

interface Options {
  siteUrl: string
  /** Whether pages of other origins may show it, as a site on a CDN shows our pictures. */
  shared: boolean
  /** What a reply may do when it is opened by itself. */
  contentSecurityPolicy?: string
  /** Without one, replies that say nothing else are kept by nobody. */
  cacheControl?: string
}

/** Nothing may be loaded by, and nothing may frame, a reply that is data. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** The same few headers on every reply of a scope; they are constant, so they are made once. */
export const securityHeaders = fp<Options>(async (app: FastifyInstance, options) => {
  const headers = securityHeadersOf(options)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
})

export function securityHeadersOf(options: Options): Record<string, string> {
  return {
    'content-security-policy': options.contentSecurityPolicy ?? DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': options.shared ? 'cross-origin' : 'same-origin',
    'cache-control': options.cacheControl ?? 'no-store',
    ...(options.siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${(365 * DAY) / SECOND}; includeSubDomains`
    })
  }
}
