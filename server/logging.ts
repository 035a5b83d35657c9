import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import type { Config } from './config.ts'

/** Where log lines go instead of stdout. */
export interface LogTarget {
  write(line: string): void
}

// What could let somebody in, and what a database says about the row that it refuses.
const SECRETS = ['authorization', 'cookie', 'password', 'otp', 'token', 'detail', 'where', 'parameters']

export function logOptions(level: Config['logLevel'], target?: LogTarget): FastifyServerOptions {
  return {
    logger: {
      level,
      redact: { paths: SECRETS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
      ...(target && { stream: target })
    },
    logController: new RequestLog()
  }
}

/** One line for each request that changes something or fails; reads are too many. Bodies and queries are never logged. */
class RequestLog extends LogController {
  override incomingRequest(): void {
    // What matters is how it ends.
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const level = isRead && reply.statusCode < 400 && !error ? 'debug' : 'info'
    reply.log[level](
      {
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, 200),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
        ...(error && { err: error })
      },
      'request'
    )
  }
}
