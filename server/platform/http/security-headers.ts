import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { DAY, HOUR, SECOND } from '#lib/time.ts'

interface Options {
  siteUrl: string
  /** Allows other origins to embed the response. Pictures need this if a CDN serves the pages. */
  allowOtherOrigins: boolean
  contentSecurityPolicy?: string
  cacheControl?: string
}

export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const securityHeaders = fp<Options>(async (app: FastifyInstance, options) => {
  const headers = toSecurityHeaders(options)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
})

function toSecurityHeaders(options: Options): Record<string, string> {
  return {
    'content-security-policy': options.contentSecurityPolicy ?? DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': options.allowOtherOrigins ? 'cross-origin' : 'same-origin',
    'cache-control': options.cacheControl ?? 'no-store',
    ...(options.siteUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${(365 * DAY) / SECOND}; includeSubDomains`
    })
  }
}

interface CorsOptions {
  siteUrl: string
  publicApiBase: string
}

export const crossOrigin = fp<CorsOptions>(async (app, { siteUrl, publicApiBase }) => {
  if (new URL(publicApiBase, siteUrl).origin === new URL(siteUrl).origin) return
  await app.register(cors, {
    origin: new URL(siteUrl).origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['content-type', 'authorization'],
    exposedHeaders: ['retry-after'],
    maxAge: (2 * HOUR) / SECOND
  })
})
