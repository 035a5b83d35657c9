import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigError, type Config } from '../../config.ts'
import { oneLine } from '../process/progress.ts'

const PROBLEMS: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT ${port} is already in use on ${host}, choose another, for example PORT=${port + 1}`,
  EACCES: ({ port }) => `PORT ${port} needs root rights, choose another, for example PORT=4321`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST ${host} is not an address of this machine, choose another, for example HOST=127.0.0.1`,
  ENOTFOUND: ({ host }) => `HOST ${host} is an unknown host name, choose another, for example HOST=127.0.0.1`
}

export async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { host, port } = config
  await app
    .listen({ host, port, listenTextResolver: () => `Listening on ${host}:${port}` })
    .catch(throwConfigError(config))
}

export async function checkAddress(config: Config): Promise<void> {
  const { host, port } = config
  const server = createServer()
  await once(server.listen({ host, port }), 'listening').catch(throwConfigError(config))
  await new Promise(resolve => server.close(resolve))
}

function throwConfigError(config: Config): (cause: unknown) => never {
  return cause => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new ConfigError(PROBLEMS[code]?.(config) ?? `HOST and PORT can't be used: ${oneLine(cause)}`, { cause })
  }
}
