import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigError, type Config } from './config.ts'
import { oneLine } from './progress.ts'

const PROBLEMS: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT ${port} is already in use on ${host}, choose another, for example PORT=${port + 1}`,
  EACCES: ({ port }) => `PORT ${port} needs rights that this user does not have, for example PORT=4321`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine, for example HOST=127.0.0.1`,
  ENOTFOUND: ({ host }) => `HOST ${host} is not known, for example HOST=127.0.0.1`
}

/** Starts to take requests. Throws ConfigError when HOST or PORT can't be used. */
export async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { host, port } = config
  await app.listen({ host, port, listenTextResolver: () => `Listening on ${host}:${port}` }).catch(explain(config))
}

/** Learns it before work that takes a while. Throws ConfigError when HOST or PORT can't be used. */
export async function tryAddress(config: Config): Promise<void> {
  const { host, port } = config
  const server = createServer()
  await once(server.listen({ host, port }), 'listening').catch(explain(config))
  await new Promise(resolve => server.close(resolve))
}

function explain(config: Config): (cause: unknown) => never {
  return cause => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new ConfigError(PROBLEMS[code]?.(config) ?? `HOST and PORT can't be used: ${oneLine(cause)}`, { cause })
  }
}
