import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs `work` after the reply. An error is only logged. Therefore a periodic job must retry the work. */
    runAfterReply(work: () => Promise<void>): void
    whenIdle(): Promise<void>
  }
}

export const afterReply = fp(async app => {
  const running = new Set<Promise<void>>()

  app.decorate('runAfterReply', work => {
    const task = new Promise<void>(resolve => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => app.log.warn({ err: error }, 'Work after the reply failed, will retry'))
      .finally(() => running.delete(task))
    running.add(task)
  })
  app.decorate('whenIdle', async () => {
    while (running.size > 0) await Promise.all(running)
  })
  app.addHook('preClose', () => app.whenIdle())
})
