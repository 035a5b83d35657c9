import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import { insertSession } from './session-queries.ts'
import { toUser } from './users.ts'

const TOKEN_BYTES = 32
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/

export async function createSession(trx: Trx, account: UserRow, now: number): Promise<Session> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertSession(trx, account.id, sha256(token), now)
  return { token, user: toUser(account) }
}

export function hashToken(token: string): string | undefined {
  return TOKEN_PATTERN.test(token) ? sha256(token) : undefined
}

// A fast hash is safe here, because a token with 256 random bits cannot be guessed.
function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
