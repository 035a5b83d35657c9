import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Session, User } from '#lib/contract/accounts.ts'
import { tooManyPasswordsText } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { hourlyLimits, type Limit, limitsPerNetwork } from '../platform/http/limits.ts'
import { type AccountDeps, findUser, toUser } from './users.ts'

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

// All limits also apply to unknown email addresses. Otherwise they would reveal which accounts exist.

export function passwordLimits(email: string, { ip, device }: Source): AttemptLimits {
  const key = `passwords for ${email}`
  if (device !== undefined)
    return {
      own: [{ key: `${key} on ${device}`, ...PASSWORDS }],
      shared: [{ key: `${key} on ${device}, daily`, ...PASSWORDS_PER_DAY }]
    }
  return {
    own: limitsPerNetwork(ip, { key, ...PASSWORDS }),
    shared: [
      ...limitsPerNetwork(ip, { key: 'passwords', ...PASSWORDS_OF_NETWORK }),
      ...dailyLimits(ip, { key: `${key}, daily`, ...PASSWORDS_PER_DAY })
    ]
  }
}

/** Counts correct passwords, because each one takes time of the processor too. */
export function loginLimit(email: string): Limit {
  return { key: `logins to ${email}`, max: 20, window: HOUR, refusal: tooManyPasswordsText }
}

export function codeTryLimits(email: string, { ip, device }: Source): CodeTryLimits {
  const key = `code tries for ${email}`
  if (device !== undefined) return { own: [{ key: `${key} on ${device}`, ...CODE_TRIES }], shared: [], network: [] }
  return {
    own: limitsPerNetwork(ip, { key, ...CODE_TRIES }),
    shared: dailyLimits(ip, { key: `${key}, daily`, ...CODE_TRIES_PER_DAY }),
    network: hourlyLimits(ip, 'codeTries')
  }
}

export function codeLimits(email: string, { ip, device }: Source): Limit[] {
  const key = `codes for ${email}`
  if (device !== undefined)
    return [
      { key: `${key} on ${device}`, ...CODES },
      { key: `${key} on ${device}, daily`, ...CODES_PER_DAY }
    ]
  return [
    ...hourlyLimits(ip, 'codes'),
    ...limitsPerNetwork(ip, { key, ...CODES }),
    { key: `${key}, hourly`, ...CODES_PER_HOUR },
    ...dailyLimits(ip, { key: `${key}, daily`, ...CODES_PER_DAY })
  ]
}

/** The limit of a network is the lower one, so that no network can use up the account's limit alone. */
function dailyLimits(ip: string, { maxOfNetwork, ...limit }: Limit & { maxOfNetwork: number }): Limit[] {
  return [...limitsPerNetwork(ip, { ...limit, max: maxOfNetwork }), limit]
}

export interface Client {
  ip: string
  deviceToken: string | undefined
}

const COOKIE_PATTERN = /(?:^|;\s*)device=([\w.-]+)/
const TOKEN_PATTERN = /^([\w-]{22})\.([0-9a-f]{64})$/
const COOKIE_LIFETIME = 365 * DAY

export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { ip, deviceToken: COOKIE_PATTERN.exec(headers.cookie ?? '')?.[1] }
}

// The cookie gives this browser limits of its own, so that strangers who use up those of the account can't lock it out.
// It gives no other access.
export function rememberDevice(reply: FastifyReply, session: Session): Session {
  const { codeSecret, config } = reply.server
  const id = randomBytes(16).toString('base64url')
  const attributes = `Path=/api; Max-Age=${COOKIE_LIFETIME / SECOND}; HttpOnly; SameSite=Lax`
  const secure = config.siteUrl.startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `device=${id}.${macOf(codeSecret, id, session.user)}; ${attributes}${secure}`)
  return session
}

export async function findSource(
  { database, codeSecret }: Pick<AccountDeps, 'database' | 'codeSecret'>,
  { ip, deviceToken = '' }: Client,
  email: string
): Promise<Source> {
  const account = await findUser(database.kysely, email)
  const [, id, mac] = TOKEN_PATTERN.exec(deviceToken) ?? []
  if (!account || id === undefined || mac === undefined) return { ip, device: undefined }
  const isKnown = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(codeSecret, id, toUser(account))))
  return { ip, device: isKnown ? id : undefined }
}

// `verified` ends the cookies of a person who registered somebody else's address, once the owner verifies it.
function macOf(secret: Buffer, id: string, { _id, verified }: User): string {
  return createHmac('sha256', secret).update(`device|${id}|${_id}|${verified}`).digest('hex')
}
