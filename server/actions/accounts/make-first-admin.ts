import { randomInt, randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { deleteSessionsOf } from '../../queries/sessions.ts'
import { hasAdmin, insertUser, promoteUser } from '../../queries/users.ts'
import type { AccountDeps } from './deps.ts'

/** An administrator that was made just now; the password only when it was made up, and nowhere else. */
export interface FirstAdmin {
  email: string
  password?: string
}

// Without letters and digits that look alike when read out or written down.
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 5

/** Makes an administrator when there is none; of processes that start together one does. Undefined when there was one. */
export async function makeFirstAdmin(
  { database, write, clock, passwords }: Pick<AccountDeps, 'database' | 'write' | 'clock' | 'passwords'>,
  { adminEmail: email, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>
): Promise<FirstAdmin | undefined> {
  if (await hasAdmin(database.kysely)) return undefined
  const password = adminPassword ?? makePassword()
  const now = new Date(clock()).toISOString()
  const draft = {
    id: randomUUID(),
    email,
    name: 'Administrator',
    role: 'admin',
    password_hash: await passwords.hash(password),
    verified_at: now,
    created_at: now
  } as const
  const isMade = await write(async trx => {
    // Others wait here, and then see who was made.
    await raiseCounter(trx, 'first-admin')
    if (await hasAdmin(trx)) return false
    if (await insertUser(trx, draft)) return true
    // Somebody registered the address before: with this password, and without that one's sessions, it is the owner's.
    const { id } = await promoteUser(trx, draft)
    await deleteSessionsOf(trx, id)
    return true
  })
  if (!isMade) return undefined
  return { email, ...(adminPassword === undefined && { password }) }
}

function makePassword(): string {
  const letters = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, letters).join('-')
}
