import { t } from '#lib/contract/texts.ts'
import { randomUUID } from 'node:crypto'
import { nameFromEmail } from '#lib/account/forms.ts'
import type { CodeLogin, Login, User } from '#lib/contract/accounts.ts'
import type { Credential } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { type IsoTime, toIso } from '#lib/time.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import { LOSABLE, type WriteOptions } from '../platform/db/write.ts'
import { clearCounts, enforceLimit, undoCounts } from '../platform/http/limits.ts'
import {
  type Client,
  findSource,
  loginLimit,
  passwordLimits,
  type Source
} from './attempt-limits.ts'
import { withCode } from './codes.ts'
import { isTooCommonForAdmin } from './passwords.ts'
import { deleteSessionsOf } from './sessions.ts'
import {
  type AccountDeps,
  findUser,
  insertUser,
  lockPassword,
  updateUser,
  verifyUser
} from './users.ts'

type OnVerified<Result> = (
  trx: Trx,
  account: UserRow,
  now: number,
  isNew?: boolean
) => Promise<Result>

export function verifyIdentity<Result>(
  deps: AccountDeps,
  { email }: User,
  { password = '', otp }: Credential,
  client: Client,
  onVerified: OnVerified<Result>
): Promise<Result> {
  return otp === undefined
    ? verifyPassword(deps, { email, password }, client, onVerified)
    : verifyCode(deps, { email, otp }, client, onVerified)
}

export async function verifyPassword<Result>(
  deps: AccountDeps,
  { email, password }: Login,
  client: Client,
  onVerified: OnVerified<Result>,
  options?: WriteOptions
): Promise<Result> {
  const { database, write, clock, passwords } = deps
  const now = clock()
  passwords.checkCapacity(client.ip)
  const { own, shared } = passwordLimits(email, await findSource(deps, client, email))
  const logins = [loginLimit(email)]
  await write(trx => enforceLimit(trx, [...own, ...shared, ...logins], now), LOSABLE)
  const account = await findUser(database.kysely, email)
  const isCorrect = await passwords
    .matches(account?.password_hash, password, client.ip)
    .catch(async (error: unknown) => {
      // Too many hashes are waiting, so the password was not checked.
      await write(trx => undoCounts(trx, [...own, ...shared, ...logins], now), LOSABLE)
      throw error
    })
  if (!account || !isCorrect) {
    await write(trx => undoCounts(trx, logins, now), LOSABLE)
    throw new ShopError('INVALID_CREDENTIALS')
  }
  // The role may be newer than the password.
  if (account.staff !== null && isTooCommonForAdmin(password))
    throw new ShopError('INVALID_CREDENTIALS', {
      message: t(
        'This password is too easy to guess for an administrator. ' +
          'Log in with a code and set another one in your profile.'
      )
    })
  return write(async trx => {
    // Another request may have changed the password since it was read.
    if (!(await lockPassword(trx, account))) throw new ShopError('INVALID_CREDENTIALS')
    await undoCounts(trx, shared, now)
    await clearCounts(trx, own)
    return onVerified(trx, account, now)
  }, options)
}

/** Creates the account if there is none. */
export async function verifyCode<Result>(
  deps: AccountDeps,
  { email, otp }: CodeLogin,
  client: Client,
  onVerified: OnVerified<Result>
): Promise<Result> {
  const source = await findSource(deps, client, email)
  return withCode(deps, { email, otp, source }, async (trx, now) => {
    const at = toIso(now)
    const created = await createAccount(trx, email, at)
    const account = created ?? (await findVerifiedAccount(trx, deps, { email, source, at }))
    return onVerified(trx, account, now, created !== undefined)
  })
}

function createAccount(trx: Trx, email: string, at: IsoTime): Promise<UserRow | undefined> {
  const draft = { id: randomUUID(), email, name: nameFromEmail(email) }
  return insertUser(trx, { ...draft, verified_at: at, created_at: at })
}

async function findVerifiedAccount(
  trx: Trx,
  { deleteShoppingData }: AccountDeps,
  { email, source, at }: { email: string; source: Source; at: IsoTime }
): Promise<UserRow> {
  const stored = await findUser(trx, email)
  if (stored?.staff && stored.verified_at === null) {
    // The address may have a typo, so its reader must not become an owner.
    if (source.device === undefined)
      throw new ShopError('USER_NOT_VERIFIED', {
        message: t('Please log in with your password first. Then confirm your email address.')
      })
    return (await updateUser(trx, stored.id, { verified_at: at })) ?? stored
  }
  const verified = await verifyUser(trx, email, at)
  const account = verified ?? (await findUser(trx, email))
  if (!account) throw new Error('Account was deleted during code verification')
  if (!verified) return account
  await deleteSessionsOf(trx, account.id)
  if (source.device !== undefined) return account
  // This browser is new to the account, so somebody else may have registered the address.
  await deleteShoppingData(trx, account.id)
  const profile = { name: nameFromEmail(email), phone: '', address: null }
  return (await updateUser(trx, account.id, profile)) ?? account
}
