import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import { insertSession } from '../../queries/sessions.ts'
import { toUser } from '../../queries/users.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Logs an account in; the token is in the answer and nowhere else. `now` in ms. */
export async function openSession(trx: Trx, account: UserRow, now: number): Promise<Session> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertSession(trx, account.id, hashOf(token), now)
  return { token, user: toUser(account) }
}

/** How a token is kept; undefined for what can't be one. */
export function tokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hashOf(token) : undefined
}

// Plain, since nobody guesses 256 random bits, and quick, since it is asked at each call.
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
