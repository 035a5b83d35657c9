import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { DEVICE_HEADER } from '#lib/constants.ts'
import { DAY, HOUR, SECOND } from '#lib/time.ts'

interface Options {
  siteUrl: string
  /** Allows other origins to embed the response. Pictures need this if a CDN serves the pages. */
  allowOtherOrigins: boolean
}

export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const securityHeaders = fp<Options>(async (app, { siteUrl, allowOtherOrigins }) => {
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

interface CorsOptions {
  siteUrl: string
  publicApiBase: string
}

export const crossOrigin = fp<CorsOptions>(async (app, { siteUrl, publicApiBase }) => {
  if (new URL(publicApiBase, siteUrl).origin === new URL(siteUrl).origin) return
  await app.register(cors, {
    origin: new URL(siteUrl).origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['content-type', 'authorization', DEVICE_HEADER],
    exposedHeaders: ['retry-after'],
    maxAge: (2 * HOUR) / SECOND
  })
})
