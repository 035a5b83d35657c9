import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Does something after the reply; what fails is logged, and whoever asks for it sees to it that it is tried again. */
    later(work: () => Promise<void>): void
    /** Until all of that is done. */
    rested(): Promise<void>
  }
}

/** Work that a request has begun and does not wait for. The shop closes when it is done. */
export const afterwards = fp(async app => {
  const underway = new Set<Promise<void>>()

  app.decorate('later', work => {
    const done = new Promise<void>(resolve => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => app.log.warn({ err: error }, 'Something failed after its reply, it is tried again'))
      .finally(() => underway.delete(done))
    underway.add(done)
  })
  app.decorate('rested', async () => {
    while (underway.size > 0) await Promise.all(underway)
  })
  app.addHook('preClose', () => app.rested())
})
