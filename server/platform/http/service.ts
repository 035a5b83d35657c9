import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { ShopError } from '#lib/errors.ts'
import { SECOND } from '#lib/time.ts'
import { raiseCounter, readCounter } from '../db/counters.ts'
import { LOSABLE } from '../db/write.ts'
import { oneLine } from '../process/command.ts'
import { ConfigError, type Address } from '../process/settings.ts'
import { withTimeout } from '../process/work-queue.ts'
import { prepareErrorReply } from './errors.ts'

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
  const server = createServer()
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

declare module 'fastify' {
  interface FastifyInstance {
    isDraining: boolean
  }
}

/** Fails the health checks, and serves requests for `ms`, until the proxy uses other nodes. */
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

  let check = { at: -Infinity, result: Promise.resolve() }
  app.get(
    '/health/ready',
    { onRequest, schema: { summary: 'Check that the database accepts writes', response } },
    async () => {
      const now = app.clock()
      if (Math.abs(now - check.at) >= READINESS_LIFETIME)
        check = { at: now, result: checkWrite(app) }
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
async function refuseWhileDraining(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.server.isDraining)
    await reply.send(prepareErrorReply(new ShopError('UNAVAILABLE'), reply))
}

async function checkWrite(app: FastifyInstance): Promise<void> {
  const write = app.write(trx => raiseCounter(trx, 'readiness checks'), LOSABLE)
  await withTimeout(2 * SECOND, write)
}
