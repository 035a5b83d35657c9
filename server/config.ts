import { parse } from 'dotenv'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { ACCOUNT_LIMITS, PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import { CodeRequest } from '#lib/contract/accounts.ts'
import { SECOND } from '#lib/time.ts'
import { oneLine } from './platform/process/command.ts'
import {
  choice,
  ConfigError,
  isLoopback,
  parseHttpUrl,
  parseSettings,
  secret,
  setting,
  type Environment
} from './platform/process/settings.ts'
import {
  isStorageUrl,
  parseStorageUrl,
  STORAGE_EXAMPLE,
  type StorageLocation
} from './platform/storage/open-store.ts'
import { checkPaymentMode, readRazorpayConfig, type RazorpayConfig } from './razorpay/config.ts'

export {
  ConfigError,
  toLocalApiUrl,
  toLocalOrigin,
  type Environment
} from './platform/process/settings.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const LOG_FORMATS = ['pretty', 'json'] as const

export interface Config {
  host: string
  port: number
  siteUrl: string
  publicApiBase: string
  /** False removes the service worker that browsers have. */
  hasServiceWorker: boolean
  trustProxy: number | string[] | false
  dataDir: string
  databaseUrl: string
  /** Bucket or folder from which pages and pictures are served, instead of DATA_DIR. */
  storage: StorageLocation | undefined
  adminEmail: string
  adminPassword: string | undefined
  demoData: boolean
  smtpUrl: string | undefined
  mailFrom: string | undefined
  razorpay: RazorpayConfig | undefined
  provider: Pick<RazorpayConfig, 'apiBase' | 'checkoutUrl'>
  /** SANDBOX=true: orders may be accepted although no money moves. */
  mayUseTestMode: boolean
  shopSecret: string | undefined
  rebuildSecret: string | undefined
  deployHookUrl: string | undefined
  metricsToken: string | undefined
  /** In ms. */
  shutdownDelay: number
  logFormat: (typeof LOG_FORMATS)[number]
  logLevel: (typeof LOG_LEVELS)[number]
}

const { passwordMin, password: passwordMax } = ACCOUNT_LIMITS

const Settings = z.partial(
  z.object({
    HOST: setting(
      /^(?!https?:)[A-Za-z0-9.:_-]+$/,
      'must be an address or a host name without a scheme',
      'HOST=0.0.0.0'
    ),
    PORT: setting(isPort, 'must be a whole number from 1 to 65535', 'PORT=4321'),
    SITE_URL: setting(
      isOrigin,
      'must be the address of the site without a path',
      'SITE_URL=https://shop.example'
    ),
    PUBLIC_API_BASE: setting(
      isApiBase,
      'must be a path or an address that starts with http:// or https://',
      'PUBLIC_API_BASE=https://api.shop.example/api'
    ),
    SERVICE_WORKER: choice(['on', 'off'], 'SERVICE_WORKER=off'),
    TRUST_PROXY: setting(
      value => /^[1-9]$/.test(value) || splitList(value).every(isNetwork),
      'must be the number of proxies or their addresses, separated by commas',
      'TRUST_PROXY=1 or TRUST_PROXY=10.0.0.7,10.1.0.0/16'
    ),
    DATA_DIR: setting(/^[^\0]+$/, 'must be the path of a folder', 'DATA_DIR=./data'),
    DATABASE_URL: secret(
      value => hasHost(value, /^postgres(ql)?:$/),
      'must start with postgres:// and name a host (unset: a SQLite file in DATA_DIR)',
      'DATABASE_URL=postgres://user:password@localhost:5432/shop'
    ),
    STORAGE_URL: setting(
      isStorageUrl,
      'must be an S3 bucket or an absolute folder (unset: files stay in DATA_DIR)',
      `STORAGE_URL=${STORAGE_EXAMPLE}`
    ),
    ADMIN_EMAIL: setting(
      email => CodeRequest.safeParse({ email }).success,
      'must be an email address',
      'ADMIN_EMAIL=meena@shop.example'
    ),
    ADMIN_PASSWORD: secret(
      ({ length }) => length >= passwordMin && length <= passwordMax,
      `must have ${passwordMin} to ${passwordMax} characters`,
      'the output of "openssl rand -base64 18"'
    ),
    DEMO_DATA: setting(/^(true|false)$/, 'must be true or false', 'DEMO_DATA=false'),
    SANDBOX: setting(/^(true|false)$/, 'must be true or false', 'SANDBOX=true'),
    SMTP_URL: secret(
      value => hasHost(value, /^smtps?:$/),
      'must start with smtp:// or smtps:// and name a host',
      'SMTP_URL=smtp://user:password@mail.example:587'
    ),
    MAIL_FROM: setting(
      /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an email address',
      'MAIL_FROM="Palagaram <orders@shop.example>"'
    ),
    SHOP_SECRET: randomKey(32),
    REBUILD_SECRET: randomKey(8),
    METRICS_TOKEN: randomKey(16),
    DEPLOY_HOOK_URL: secret(
      value => parseHttpUrl(value) !== undefined,
      'must be an address that starts with http:// or https://',
      'DEPLOY_HOOK_URL=https://api.netlify.com/build_hooks/…'
    ),
    SHUTDOWN_DELAY: setting(
      /^\d{1,2}$/,
      'must be a number of seconds from 0 to 99',
      'SHUTDOWN_DELAY=5'
    ),
    LOG_FORMAT: choice(LOG_FORMATS, 'LOG_FORMAT=json'),
    LOG_LEVEL: choice(LOG_LEVELS, 'LOG_LEVEL=info')
  })
)

function randomKey(minLength: number): z.ZodMiniString {
  return secret(
    ({ length }) => length >= minLength,
    `must have at least ${minLength} characters`,
    'the output of "openssl rand -hex 32"'
  )
}

/** Values in `process.env` take precedence. */
export function readEnvironment(folder = process.cwd()): Environment {
  const file = join(folder, '.env')
  try {
    return { ...(existsSync(file) ? parse(readFileSync(file)) : {}), ...process.env }
  } catch (cause) {
    throw new ConfigError(`.env can't be read: ${oneLine(cause)}`, { cause })
  }
}

export function readConfig(env: Environment): Config {
  const settings = parseSettings(Settings, env)
  const port = Number(settings.PORT ?? 4321)
  const dataDir = resolve(settings.DATA_DIR ?? 'data')
  const host = settings.HOST ?? '127.0.0.1'
  const siteUrl =
    settings.SITE_URL === undefined ? `http://localhost:${port}` : new URL(settings.SITE_URL).origin
  const mayUseTestMode = settings.SANDBOX === 'true'
  const { razorpay, provider } = readRazorpayConfig(env)
  // Without keys, those that the owner has saved decide, which only the database knows.
  if (razorpay) checkPaymentMode({ host, siteUrl, mayUseTestMode, razorpay })
  return {
    host,
    port,
    siteUrl,
    publicApiBase: settings.PUBLIC_API_BASE?.replace(/\/+$/, '') ?? '/api',
    hasServiceWorker: settings.SERVICE_WORKER !== 'off',
    trustProxy: settings.TRUST_PROXY !== undefined && toTrustProxy(settings.TRUST_PROXY),
    dataDir,
    databaseUrl: settings.DATABASE_URL ?? join(dataDir, 'shop.db'),
    storage: parseStorageUrl(settings.STORAGE_URL, env),
    adminEmail: settings.ADMIN_EMAIL?.toLowerCase() ?? PLACEHOLDER_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD,
    demoData: settings.DEMO_DATA !== 'false',
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    razorpay,
    provider,
    mayUseTestMode,
    shopSecret: settings.SHOP_SECRET,
    rebuildSecret: settings.REBUILD_SECRET,
    deployHookUrl: settings.DEPLOY_HOOK_URL,
    metricsToken: settings.METRICS_TOKEN,
    shutdownDelay: Number(settings.SHUTDOWN_DELAY ?? 0) * SECOND,
    logFormat: settings.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    logLevel: settings.LOG_LEVEL ?? 'info'
  }
}

/** Stands before the path of a page, to which the API redirects. */
export function toSiteBase({ siteUrl, publicApiBase }: Config): string {
  return publicApiBase.startsWith('/') ? '' : siteUrl
}

/** True if all visitors seem to have the address of a proxy, whose headers are not read. */
export function needsTrustProxy({ host, siteUrl, trustProxy }: Config): boolean {
  return trustProxy === false && siteUrl.startsWith('https:') && isLoopback(host)
}

function toTrustProxy(value: string): number | string[] {
  return /^\d$/.test(value) ? Number(value) : splitList(value)
}

function splitList(value: string) {
  return value.split(',').map(part => part.trim())
}

function isNetwork(value: string) {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  const maxBits = version === 6 ? 128 : 32
  return (
    version !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  )
}

function isPort(value: string) {
  return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 65535
}

function isOrigin(value: string) {
  const url = parseHttpUrl(value)
  return url !== undefined && url.pathname === '/' && !url.search && !url.hash
}

function isApiBase(value: string) {
  const url = parseHttpUrl(value.startsWith('/') ? `http://localhost${value}` : value)
  return url !== undefined && !url.search && !url.hash && !/^\/[/\\]|\\|^\/+$/.test(value)
}

function hasHost(value: string, protocol: RegExp) {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url !== undefined && protocol.test(url.protocol) && url.hostname !== ''
}
