import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ShopError } from '#lib/errors.ts'
import { BODY_TIMEOUT } from '#lib/time.ts'
import { handleClientError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    setBodyTimeout(time: number): void
  }
  interface FastifyInstance {
    /**
     * Runs `work` after the reply. An error is only logged. Therefore a periodic job must retry the
     * work.
     */
    runAfterReply(work: () => Promise<void>): void
    whenIdle(): Promise<void>
  }
}

/**
 * Ends requests whose body arrives too slowly. Unlike Node's `requestTimeout`, routes can extend
 * it.
 */
export const bodyTimeout = fp(async app => {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()

  function startTimer(request: FastifyRequest, time: number): void {
    const { raw } = request
    clearTimeout(timers.get(request))
    const timer = setTimeout(() => {
      if (raw.complete !== false || raw.destroyed) return
      handleClientError.call(
        app,
        Object.assign(new Error('Request body timed out'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.socket
      )
      raw.socket.destroySoon()
    }, time)
    timer.unref()
    timers.set(request, timer)
  }

  app.decorateRequest('setBodyTimeout', function (time: number) {
    if (timers.has(this)) startTimer(this, time)
  })

  app.addHook('onRequest', async request => {
    const { raw } = request
    if (raw.complete || !('content-length' in raw.headers || 'transfer-encoding' in raw.headers))
      return
    startTimer(request, BODY_TIMEOUT)
    for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timers.get(request)))
  })
})

/**
 * Many clients send `Content-Type: application/json` with every request, also if a call takes no
 * body.
 */
export const emptyBodies = fp(async app => {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '' && request.routeOptions.schema?.body === undefined) done(null)
      else void parseJson(request, body, done)
    }
  )
})

/** Node would answer these requests without a body. */
export const headerChecks = fp(async app => {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response)
  )

  app.addHook('onRequest', async ({ raw: { headers, httpVersion } }) => {
    if (httpVersion === '1.1' && headers.host === undefined)
      throw new ShopError('MALFORMED_REQUEST')
    const isSupported =
      headers.expect === undefined || headers.expect.toLowerCase() === '100-continue'
    if (!isSupported) throw new ShopError('MALFORMED_REQUEST', { status: 417 })
  })
})

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
