import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Session, User } from '#lib/contract/accounts.ts'
import { DAY, SECOND } from '#lib/time.ts'
import type { Source } from './attempt-limits.ts'
import type { AccountDeps } from './deps.ts'
import { findUser, toUser } from './users.ts'

/** The sender of a request to verify a password or a code. */
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

/**
 * Remembers in a cookie that this browser has logged in to the account. Its wrong passwords and codes are counted
 * separately, so that strangers who use up the account's limits cannot lock it out. The cookie gives no other access.
 */
export function rememberDevice(reply: FastifyReply, { user }: Session): void {
  const { codeSecret, config } = reply.server
  const id = randomBytes(16).toString('base64url')
  const attributes = `Path=/api; Max-Age=${COOKIE_LIFETIME / SECOND}; HttpOnly; SameSite=Lax`
  const secure = config.siteUrl.startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `device=${id}.${macOf(codeSecret, id, user)}; ${attributes}${secure}`)
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

// Contains `verified`, so that tokens of a person who registered somebody else's address end when the owner verifies it.
function macOf(secret: Buffer, id: string, { _id, verified }: User): string {
  return createHmac('sha256', secret).update(`device|${id}|${_id}|${verified}`).digest('hex')
}
