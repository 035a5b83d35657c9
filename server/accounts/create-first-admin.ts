import { randomInt, randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { hasAdmin, insertUser, promoteUser } from './users.ts'
import type { AccountDeps } from './deps.ts'

export interface FirstAdmin {
  email: string
  password?: string
}

const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 5

/** Creates an administrator, or returns undefined if there already is one. Several processes may call it at once. */
export async function createFirstAdmin(
  { database, write, clock, passwords }: Pick<AccountDeps, 'database' | 'write' | 'clock' | 'passwords'>,
  { adminEmail: email, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>
): Promise<FirstAdmin | undefined> {
  if (await hasAdmin(database.kysely)) return undefined
  const password = adminPassword ?? generatePassword()
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
  const isCreated = await write(async trx => {
    await raiseCounter(trx, 'first-admin')
    if (await hasAdmin(trx)) return false
    if (await insertUser(trx, draft)) return true
    // Somebody else may have registered this address. Therefore the account gets the new password and its sessions end.
    const { id } = await promoteUser(trx, draft)
    await deleteSessionsOf(trx, id)
    return true
  })
  if (!isCreated) return undefined
  return { email, ...(adminPassword === undefined && { password }) }
}

function generatePassword(): string {
  const generateGroup = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, generateGroup).join('-')
}
