import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'dotenv'
import { CodeRequest } from '#lib/contract/accounts.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import { readRazorpayConfig, type RazorpayConfig } from './razorpay/razorpay-config.ts'
import { ConfigError, quote, readSetting as read, parseHttpUrl, throwInvalid, type Environment } from './platform/process/setting.ts'

export { ConfigError, type Environment } from './platform/process/setting.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const LOG_FORMATS = ['pretty', 'json'] as const

export interface Config {
  host: string
  port: number
  siteUrl: string
  publicApiBase: string
  dataDir: string
  databaseUrl: string
  adminEmail: string
  adminPassword: string | undefined
  demoData: boolean
  smtpUrl: string | undefined
  mailFrom: string | undefined
  razorpay: RazorpayConfig | undefined
  rebuildSecret: string | undefined
  deployHookUrl: string | undefined
  logFormat: (typeof LOG_FORMATS)[number]
  logLevel: (typeof LOG_LEVELS)[number]
}

/** Merges `.env` with `process.env`. Values in `process.env` take precedence. */
export function readEnvironment(folder = process.cwd()): Environment {
  const file = join(folder, '.env')
  try {
    return { ...(existsSync(file) ? parse(readFileSync(file)) : {}), ...process.env }
  } catch (cause) {
    throw new ConfigError(`.env can't be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

export function readConfig(env: Environment): Config {
  const port = read(env, 'PORT', asPort) ?? 4321
  const dataDir = resolve(read(env, 'DATA_DIR', asPath) ?? 'data')
  return {
    host: read(env, 'HOST', asHost) ?? '127.0.0.1',
    port,
    siteUrl: read(env, 'SITE_URL', asOrigin) ?? `http://localhost:${port}`,
    publicApiBase: read(env, 'PUBLIC_API_BASE', asApiBase) ?? '/api',
    dataDir,
    databaseUrl: read(env, 'DATABASE_URL', asPostgresUrl) ?? join(dataDir, 'shop.db'),
    adminEmail: read(env, 'ADMIN_EMAIL', asEmail) ?? 'admin@localhost.test',
    adminPassword: read(env, 'ADMIN_PASSWORD', asPassword),
    demoData: read(env, 'DEMO_DATA', asBoolean) ?? true,
    smtpUrl: read(env, 'SMTP_URL', asSmtpUrl),
    mailFrom: read(env, 'MAIL_FROM', asSender),
    razorpay: readRazorpayConfig(env),
    rebuildSecret: read(env, 'REBUILD_SECRET', asSecret),
    deployHookUrl: read(env, 'DEPLOY_HOOK_URL', asDeployHookUrl),
    logFormat: read(env, 'LOG_FORMAT', asLogFormat) ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    logLevel: read(env, 'LOG_LEVEL', asLogLevel) ?? 'info'
  }
}

/** Returns the origin at which processes on this machine reach the server. It does not depend on SITE_URL. */
export function toLocalOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const address = isWildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${address}:${port}`
}

export function toLocalApiUrl(config: Pick<Config, 'host' | 'port'>): string {
  return `${toLocalOrigin(config)}/api`
}

function asPort(value: string): number {
  const port = Number(value)
  if (/^\d+$/.test(value) && port >= 1 && port <= 65535) return port
  return throwInvalid(`must be a whole number from 1 to 65535, not ${quote(value)}`, 'PORT=4321')
}

function asHost(value: string): string {
  if (/^[A-Za-z0-9.:_-]+$/.test(value) && !/^https?:/.test(value)) return value
  return throwInvalid(`must be an address or a host name without a scheme, not ${quote(value)}`, 'HOST=0.0.0.0')
}

function asPath(value: string): string {
  return value.includes('\0') ? throwInvalid('must be the path of a folder', 'DATA_DIR=./data') : value
}

function asOrigin(value: string): string {
  const url = parseHttpUrl(value)
  if (url && url.pathname === '/' && !url.search && !url.hash) return url.origin
  return throwInvalid(
    `must be the address of the site without a path, not ${quote(value)}`,
    'SITE_URL=https://shop.example'
  )
}

function asApiBase(value: string): string {
  const url = value.startsWith('/') ? parseHttpUrl(`http://localhost${value}`) : parseHttpUrl(value)
  const trimmed = value.replace(/\/+$/, '')
  if (url && !url.search && !url.hash && trimmed && !/^\/[/\\]|\\/.test(value)) return trimmed
  const example = 'PUBLIC_API_BASE=https://api.shop.example/api'
  return throwInvalid(`must be a path or an address that starts with http:// or https://, not ${quote(value)}`, example)
}

function asPostgresUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.hostname) return value
  const example = 'DATABASE_URL=postgres://user:password@localhost:5432/shop'
  return throwInvalid('must start with postgres:// and name a host (unset: a SQLite file in DATA_DIR)', example)
}

function asBoolean(value: string): boolean {
  if (value !== 'true' && value !== 'false')
    return throwInvalid(`must be true or false, not ${quote(value)}`, 'DEMO_DATA=false')
  return value === 'true'
}

function asSmtpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return value
  return throwInvalid(
    'must start with smtp:// or smtps:// and name a host',
    'SMTP_URL=smtp://user:password@mail.example:587'
  )
}

function asSender(value: string): string {
  if (/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value)) return value
  return throwInvalid(`must be an e-mail address, not ${quote(value)}`, 'MAIL_FROM="Palagaram <orders@shop.example>"')
}

function asEmail(value: string): string {
  const parsed = CodeRequest.safeParse({ email: value })
  if (parsed.success) return parsed.data.email
  return throwInvalid(`must be an e-mail address, not ${quote(value)}`, 'ADMIN_EMAIL=meena@shop.example')
}

function asPassword(value: string): string {
  const { passwordMin: min, password } = ACCOUNT_LIMITS
  if (value.length >= min && value.length <= password) return value
  return throwInvalid(`must have ${min} to ${password} characters`, 'the output of "openssl rand -base64 18"')
}

function asSecret(value: string): string {
  if (value.length >= 8) return value
  return throwInvalid('must have at least 8 characters', 'the output of "openssl rand -hex 32"')
}

function asDeployHookUrl(value: string): string {
  if (parseHttpUrl(value)) return value
  const example = 'DEPLOY_HOOK_URL=https://api.netlify.com/build_hooks/…'
  return throwInvalid('must be an address that starts with http:// or https://', example)
}

function asLogFormat(value: string): Config['logFormat'] {
  const format = LOG_FORMATS.find(known => known === value)
  return format ?? throwInvalid(`must be one of ${LOG_FORMATS.join(', ')}, not ${quote(value)}`, 'LOG_FORMAT=json')
}

function asLogLevel(value: string): Config['logLevel'] {
  const level = LOG_LEVELS.find(known => known === value)
  return level ?? throwInvalid(`must be one of ${LOG_LEVELS.join(', ')}, not ${quote(value)}`, 'LOG_LEVEL=info')
}
