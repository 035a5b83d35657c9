import type { FastifyRequest } from 'fastify'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { DEVICE_HEADER } from '#lib/constants.ts'
import type { Session } from '#lib/contract/accounts.ts'
import { tooManyPasswordsText } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import type { UserRow } from '../platform/db/tables.ts'
import { hourlyLimits, type Limit, limitsPerNetwork } from '../platform/http/limits.ts'
import { type AccountDeps, findLiveUser, findUser } from './users.ts'

/** Who tries: a network, or a device that has logged in to the account before. */
export interface Source {
  ip: string
  device: string | undefined
}

interface AttemptLimits {
  /** Start again at 0 after a correct password or code. */
  own: Limit[]
  /** A correct password or code does not count, but earlier wrong ones still do. */
  shared: Limit[]
}

/** `own` and `shared` count only while the account has a valid code. */
interface CodeTryLimits extends AttemptLimits {
  network: Limit[]
}

const PASSWORDS = { max: 10, window: 15 * MINUTE, refusal: tooManyPasswordsText }
/** For all accounts: 300 shoppers of a mobile carrier who mistype twice. */
const PASSWORDS_OF_NETWORK = { ...PASSWORDS, max: 600 }
const PASSWORDS_PER_DAY = { max: 100, maxOfNetwork: 30, window: DAY, refusal: tooManyPasswordsText }
/** A new code that the same source requests allows new tries. */
const CODE_TRIES = { max: 5, window: DAY }
const CODE_TRIES_PER_DAY = { max: 100, maxOfNetwork: 30, window: DAY }
const CODES = { max: 5, window: HOUR }
const CODES_PER_HOUR = { max: 10, window: HOUR }
const CODES_PER_DAY = { max: 20, maxOfNetwork: 8, window: DAY }

// All limits also apply to unknown email addresses, so they do not reveal accounts.

export function passwordLimits(email: string, source: Source): AttemptLimits {
  const key = `passwords for ${email}`
  const ofNetwork = { key: 'passwords', ...PASSWORDS_OF_NETWORK }
  return {
    own: limitsOf(source, { key, ...PASSWORDS }),
    shared: [
      ...(source.device === undefined ? limitsPerNetwork(source.ip, ofNetwork) : []),
      ...dailyLimits(source, { key: `${key}, daily`, ...PASSWORDS_PER_DAY })
    ]
  }
}

/** Counts correct passwords, because each one takes time of the processor too. */
export function loginLimit(email: string): Limit {
  return { key: `logins to ${email}`, max: 20, window: HOUR, refusal: tooManyPasswordsText }
}

export function codeTryLimits(email: string, source: Source): CodeTryLimits {
  const key = `code tries for ${email}`
  const own = limitsOf(source, { key, ...CODE_TRIES })
  if (source.device !== undefined) return { own, shared: [], network: [] }
  return {
    own,
    shared: dailyLimits(source, { key: `${key}, daily`, ...CODE_TRIES_PER_DAY }),
    network: hourlyLimits(source.ip, 'codeTries')
  }
}

export function codeLimits(email: string, source: Source): Limit[] {
  const key = `codes for ${email}`
  const own = limitsOf(source, { key, ...CODES })
  const daily = dailyLimits(source, { key: `${key}, daily`, ...CODES_PER_DAY })
  if (source.device !== undefined) return [...own, ...daily]
  const hourly = { key: `${key}, hourly`, ...CODES_PER_HOUR }
  return [...hourlyLimits(source.ip, 'codes'), ...own, hourly, ...daily]
}

function limitsOf({ ip, device }: Source, limit: Limit): Limit[] {
  return device === undefined
    ? limitsPerNetwork(ip, limit)
    : [{ ...limit, key: `${limit.key} on ${device}` }]
}

/** A network has a lower limit, so that it can't use up the account's alone. */
function dailyLimits(
  source: Source,
  { maxOfNetwork, ...limit }: Limit & { maxOfNetwork: number }
): Limit[] {
  if (source.device !== undefined) return limitsOf(source, limit)
  return [...limitsOf(source, { ...limit, max: maxOfNetwork }), limit]
}

export interface Client {
  ip: string
  deviceToken: string
}

const TOKEN_PATTERN = /^([\w-]{22})\.(\d{13})\.([0-9a-f]{64})$/
const TOKEN_LIFETIME = 180 * DAY

export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { ip, deviceToken: String(headers[DEVICE_HEADER] ?? '') }
}

type DeviceDeps = Pick<AccountDeps, 'database' | 'codeSecret' | 'clock'>

// Strangers who use up the limits of the account can't lock out a browser with this token.
export async function addDeviceToken(
  { database, codeSecret, clock }: DeviceDeps,
  session: Session
): Promise<Session> {
  const account = await findLiveUser(database.kysely, session.user._id)
  if (!account) return session
  const [id, issuedAt] = [randomBytes(16).toString('base64url'), String(clock())]
  return { ...session, device: `${id}.${issuedAt}.${macOf(codeSecret, id, issuedAt, account)}` }
}

export async function findSource(
  { database, codeSecret, clock }: DeviceDeps,
  { ip, deviceToken }: Client,
  email: string
): Promise<Source> {
  const account = await findUser(database.kysely, email)
  const [, id, issuedAt, mac] = TOKEN_PATTERN.exec(deviceToken) ?? []
  if (!account || id === undefined || issuedAt === undefined || mac === undefined)
    return { ip, device: undefined }
  const isAuthentic = timingSafeEqual(
    Buffer.from(mac),
    Buffer.from(macOf(codeSecret, id, issuedAt, account))
  )
  const isKnown = isAuthentic && Number(issuedAt) > clock() - TOKEN_LIFETIME
  return { ip, device: isKnown ? id : undefined }
}

function macOf(secret: Buffer, id: string, issuedAt: string, account: UserRow) {
  const text = `device|${id}|${issuedAt}|${account.id}|${account.devices_version}`
  return createHmac('sha256', secret).update(text).digest('hex')
}
