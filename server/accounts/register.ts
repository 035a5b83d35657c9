import { randomUUID } from 'node:crypto'
import type { Registration, Session } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { findUser, insertUser } from './users.ts'
import type { AccountDeps } from './deps.ts'
import { hourlyLimit, enforceLimit } from './limits.ts'
import { createSession } from './create-session.ts'

/** The e-mail address stays unverified. Throws EMAIL_TAKEN, TOO_MANY_REQUESTS, UNAVAILABLE. */
export async function register(
  { database, write, clock, passwords }: AccountDeps,
  { email, password, displayName }: Registration,
  ip: string
): Promise<Session> {
  const now = clock()
  passwords.checkCapacity()
  await write(trx => enforceLimit(trx, [hourlyLimit(ip, 'registrations')], now), 'unsynced')
  if (await findUser(database.kysely, email)) throw new ShopError('EMAIL_TAKEN')
  const draft = {
    id: randomUUID(),
    email,
    name: displayName,
    role: 'user',
    password_hash: await passwords.hash(password),
    verified_at: null,
    created_at: new Date(now).toISOString()
  } as const
  return write(async trx => {
    const account = await insertUser(trx, draft)
    if (!account) throw new ShopError('EMAIL_TAKEN')
    return createSession(trx, account, now)
  })
}
