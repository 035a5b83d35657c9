import { createHash, randomBytes } from 'node:crypto'
import type { Session } from '#lib/contract/accounts.ts'
import type { Trx, UserRow } from '../../db/tables.ts'
import { insertSession } from '../../queries/sessions.ts'
import { toUser } from '../../queries/users.ts'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Only a hash of the token is stored. `now` in ms. */
export async function openSession(trx: Trx, account: UserRow, now: number): Promise<Session> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertSession(trx, account.id, hashOf(token), now)
  return { token, user: toUser(account) }
}

export function tokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hashOf(token) : undefined
}

// A fast hash is enough for 256 random bits.
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
