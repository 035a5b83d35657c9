import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { BODY_TIME } from '#lib/time.ts'
import { answerBroken } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** How long the rest of what is sent may take from now on, in ms. */
    allowBody(time: number): void
  }
}

interface Waiting {
  timer: NodeJS.Timeout
}

/**
 * Ends a connection whose request is not there in time, so that nobody holds one by sending slowly. The server's own
 * clock has one time for all requests, the longest; what is to take longer than usual asks for it once it knows who asks.
 */
export const bodyTime = fp(async app => {
  const waiting = new WeakMap<FastifyRequest, Waiting>()

  function wait(request: FastifyRequest, time: number): void {
    const { raw } = request
    clearTimeout(waiting.get(request)?.timer)
    const timer = setTimeout(() => {
      // What has come whole is answered, however long that takes.
      if (raw.complete !== false || raw.destroyed) return
      answerBroken.call(
        app,
        Object.assign(new Error('It came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.socket
      )
      raw.socket.destroySoon()
    }, time)
    timer.unref()
    waiting.set(request, { timer })
  }

  app.decorateRequest('allowBody', function (time: number) {
    if (waiting.has(this)) wait(this, time)
  })

  app.addHook('onRequest', async request => {
    const { raw } = request
    if (raw.complete || !('content-length' in raw.headers || 'transfer-encoding' in raw.headers)) return
    wait(request, BODY_TIME)
    raw.once('end', () => clearTimeout(waiting.get(request)?.timer))
    raw.once('close', () => clearTimeout(waiting.get(request)?.timer))
  })
})
