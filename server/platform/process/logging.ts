import {
  LogController,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import type { PrettyOptions } from 'pino-pretty'
import { SECOND } from '#lib/time.ts'

interface LogConfig {
  logFormat: 'pretty' | 'json'
  logLevel: string
}

export interface LogTarget {
  write(line: string): void
}

interface LogEntry extends Record<string, unknown> {
  time: number
  level: number
  msg?: string
  err?: { message: string }
  method?: string
  path?: string
  status?: number
  ms?: number
}

type PrettyMessage = Exclude<PrettyOptions['messageFormat'], string | false | undefined>

const SLOW_REQUEST = 1 * SECOND

const WARN = 40
const ERROR = 50
// `prettyMessage` prints time and level itself.
const HIDDEN_FIELDS = 'time,level,pid,hostname,reqId'

// Credentials, and fields of PostgreSQL errors that contain row values.
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'pass',
  'keySecret',
  'webhookSecret',
  'otp',
  'token',
  'detail',
  'where',
  'parameters'
]

export async function logOptions(
  config: LogConfig,
  target?: LogTarget
): Promise<FastifyServerOptions> {
  const isPretty = config.logFormat === 'pretty'
  const stream = target ?? (isPretty ? await createPrettyLog() : undefined)
  return {
    logger: {
      level: config.logLevel,
      redact: {
        paths: SECRET_FIELDS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[hidden]'
      },
      ...(stream && { stream })
    },
    logController: new RequestLog(isPretty ? 'debug' : 'info')
  }
}

/** Logs quick, successful GET requests at debug level. Never logs bodies and query strings. */
class RequestLog extends LogController {
  private readonly level: 'debug' | 'info'

  constructor(level: 'debug' | 'info') {
    super()
    this.level = level
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply
  ): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isSlow = reply.elapsedTime >= SLOW_REQUEST
    const level = isSlow
      ? 'warn'
      : isRead && reply.statusCode < 400 && !error
        ? 'debug'
        : this.level
    reply.log[level](
      {
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, 200),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
        ...(error && { err: error })
      },
      isSlow ? 'slow request' : 'request'
    )
  }
}

async function createPrettyLog(): Promise<LogTarget> {
  const { prettyFactory } = await import('pino-pretty')
  const sharedOptions = {
    singleLine: true,
    customColors: 'message:reset',
    messageFormat: prettyMessage
  }
  const info = prettyFactory({ ...sharedOptions, ignore: HIDDEN_FIELDS, hideObject: true })
  const warning = prettyFactory({ ...sharedOptions, ignore: `${HIDDEN_FIELDS},err` })
  const error = prettyFactory({ ...sharedOptions, ignore: HIDDEN_FIELDS })
  return {
    write(line) {
      const entry = JSON.parse(line) as LogEntry
      const format = entry.level >= ERROR ? error : entry.level >= WARN ? warning : info
      console.log(format(entry).trimEnd())
    }
  }
}

const prettyMessage: PrettyMessage = (log, _key, _label, { colors }) => {
  const { time, level, msg, err, method, path, status, ms } = log as LogEntry
  const message = level === WARN && err ? `${msg}: ${err.message}` : msg
  const text = status === undefined ? message : `${method} ${path} ${status} ${ms} ms`
  const label = level >= ERROR ? colors.red('ERROR ') : level >= WARN ? colors.yellow('WARN ') : ''
  const clock = new Date(time).toTimeString().slice(0, 8)
  return `${colors.gray(clock)} ${label}${text?.replace(/\p{Cc}+/gu, ' ')}`
}
