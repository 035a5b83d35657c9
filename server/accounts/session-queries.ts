import { SESSION_LIFETIME, SESSION_RENEWAL_INTERVAL } from '#lib/time.ts'
import type { Db, SessionRow, Trx, UserRow } from '../platform/db/tables.ts'

export type FoundSession = Omit<UserRow, 'created_at' | 'deleted_at'> & Pick<SessionRow, 'renewed_at'>

/** The statement is compiled once, because it runs on every authenticated request. `now` is ISO. */
export function createSessionFinder(db: Db): (tokenHash: string, now: string) => Promise<FoundSession | undefined> {
  const query = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['id', 'email', 'name', 'role', 'phone', 'address', 'password_hash', 'verified_at', 'renewed_at'])
    .where('token_hash', '=', '')
    .where('expires_at', '>', '')
    .compile()
  return async (tokenHash, now) => {
    const { rows } = await db.executeQuery<FoundSession>({ ...query, parameters: [tokenHash, now] })
    return rows[0]
  }
}

/** `now` is in ms. */
export async function insertSession(trx: Trx, userId: string, tokenHash: string, now: number): Promise<void> {
  const createdAt = new Date(now).toISOString()
  await trx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      created_at: createdAt,
      expires_at: toExpiry(now),
      renewed_at: createdAt
    })
    .execute()
}

/** If several requests renew the session at the same time, only one of them updates the row. `now` is in ms. */
export async function renewSession(trx: Trx, tokenHash: string, now: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toExpiry(now), renewed_at: new Date(now).toISOString() })
    .where('token_hash', '=', tokenHash)
    .where('renewed_at', '<=', new Date(now - SESSION_RENEWAL_INTERVAL).toISOString())
    .execute()
}

export async function listSessions(
  db: Db,
  userId: string
): Promise<Pick<SessionRow, 'created_at' | 'renewed_at' | 'expires_at'>[]> {
  return db
    .selectFrom('sessions')
    .select(['created_at', 'renewed_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}

export async function deleteSession(trx: Trx, tokenHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** `now` is ISO. */
export async function deleteEndedSessions(trx: Trx, now: string): Promise<void> {
  await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

function toExpiry(now: number): string {
  return new Date(now + SESSION_LIFETIME).toISOString()
}
