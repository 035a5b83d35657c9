import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import { HOUR, SECOND } from '#lib/time.ts'

interface Options {
  siteUrl: string
  publicApiBase: string
}

export const crossOrigin = fp<Options>(async (app, { siteUrl, publicApiBase }) => {
  if (new URL(publicApiBase, siteUrl).origin === new URL(siteUrl).origin) return
  await app.register(cors, {
    origin: new URL(siteUrl).origin,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['content-type', 'authorization'],
    exposedHeaders: ['retry-after'],
    maxAge: (2 * HOUR) / SECOND
  })
})
