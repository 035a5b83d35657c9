import { randomUUID } from 'node:crypto'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import type {
  MyData,
  PasswordChange,
  Profile,
  Registration,
  Session,
  User,
  CodeLogin,
  EmailChangeReply,
  EmailChangeRequest,
  OwnLogin
} from '#lib/contract/accounts.ts'
import type { Credential } from '#lib/contract/values.ts'
import { t, text } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { HOUR, type IsoTime, isoNow, toIso } from '#lib/time.ts'
import { isDuplicate } from '../platform/db/failures.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import { type DataDeps, LOSABLE } from '../platform/db/write.ts'
import { enforceLimit, hourlyLimits } from '../platform/http/limits.ts'
import { invalidField } from '../platform/http/validate.ts'
import { composeMail, type Mail } from '../platform/mail/mail.ts'
import { enqueueMail } from '../platform/mail/outbox.ts'
import { findPincodeProblems } from '../platform/pincodes/pincodes.ts'
import type { Client } from './attempt-limits.ts'
import { record } from './audit.ts'
import { deleteCodesOf, issueCode, withCode } from './codes.ts'
import { isTooCommonForAdmin } from './passwords.ts'
import {
  createSession,
  deleteSessionsOf,
  listSessions,
  deleteSession,
  insertSession,
  type RequestSession
} from './sessions.ts'
import { deleteInvitations, ensureOwnerRemains } from './staff.ts'
import {
  type AccountDeps,
  anonymiseUser,
  findLiveUser,
  findUser,
  insertUser,
  lockUser,
  toUser,
  updateUser
} from './users.ts'
import { verifyIdentity } from './verify.ts'

const MAX_CHANGES_PER_HOUR = 10

export async function register(
  { database, write, clock, passwords }: AccountDeps,
  { email, password, displayName }: Registration,
  ip: string
): Promise<Session> {
  const now = clock()
  passwords.checkCapacity(ip)
  await write(trx => enforceLimit(trx, hourlyLimits(ip, 'registrations'), now), LOSABLE)
  if (await findUser(database.kysely, email)) throw new ShopError('EMAIL_TAKEN')
  const created_at = toIso(now)
  const password_hash = await passwords.hash(password, ip)
  const draft = { id: randomUUID(), email, name: displayName, password_hash, created_at }
  return write(async trx => {
    const account = await insertUser(trx, draft)
    if (!account) throw new ShopError('EMAIL_TAKEN')
    return createSession(trx, account, now)
  })
}

export async function changePassword(
  deps: AccountDeps,
  user: User,
  { password, proof }: PasswordChange,
  client: Client
): Promise<Session> {
  const { write, clock } = deps
  if (user.staff !== null && isTooCommonForAdmin(password))
    throw invalidField('password', MESSAGES.passwordCommon)
  deps.passwords.checkCapacity(client.ip)
  const limit = { key: `password changes of ${user._id}`, max: MAX_CHANGES_PER_HOUR, window: HOUR }
  await write(trx => enforceLimit(trx, [limit], clock()), LOSABLE)
  const password_hash = await deps.passwords.hash(password, client.ip)
  const save = async (trx: Trx): Promise<Session> => {
    const changes = { password_hash, printed_password_at: null }
    const account = await updateUser(trx, user._id, changes)
    if (!account) throw new ShopError('UNAUTHORIZED')
    await deleteSessionsOf(trx, user._id)
    return createSession(trx, account, clock())
  }
  return proof ? verifyIdentity(deps, user, proof, client, save) : write(save)
}

export async function changeProfile(
  { write }: Pick<AccountDeps, 'write'>,
  user: User,
  { name, language, phoneNumber, address }: Profile
): Promise<User> {
  const problems = address?.pincode ? findPincodeProblems(address, 'address') : {}
  if (Object.keys(problems).length > 0) throw new ShopError('INVALID_INPUT', { fields: problems })
  const changes = {
    name,
    ...(language !== undefined && { language }),
    ...(phoneNumber !== undefined && { phone: phoneNumber }),
    ...(address !== undefined && { address: address && JSON.stringify(address) })
  }
  const account = await write(trx => updateUser(trx, user._id, changes))
  if (!account) throw new ShopError('UNAUTHORIZED')
  return toUser(account)
}

export function deleteAccount(
  deps: AccountDeps,
  personalData: PersonalData,
  user: User,
  credential: Credential,
  client: Client
): Promise<void> {
  return verifyIdentity(deps, user, credential, client, async (trx, account, now) => {
    const { id, email } = account
    const at = toIso(now)
    const anonymise = () => anonymiseUser(trx, id, at)
    // Locked before its role is read, so that the role cannot change until the commit.
    await lockUser(trx, id)
    if ((await findLiveUser(trx, id))?.staff === 'owner') await ensureOwnerRemains(trx, anonymise)
    else await anonymise()
    await deleteSessionsOf(trx, id)
    await deleteCodesOf(trx, email)
    await deleteInvitations(trx, email)
    await personalData.erase(trx, account, at)
  })
}

export interface PersonalData {
  read(
    deps: DataDeps,
    account: UserRow
  ): Promise<Omit<MyData, 'exportedAt' | 'account' | 'sessions'>>
  /** Keeps the addresses of orders that are not delivered yet. */
  erase(trx: Trx, account: UserRow, at: IsoTime): Promise<void>
  move(trx: Trx, from: string, to: string): Promise<void>
}

export async function readMyData(
  deps: DataDeps,
  personalData: PersonalData,
  { email }: User
): Promise<MyData> {
  const db = deps.database.kysely
  const account = await findUser(db, email)
  if (!account) throw new ShopError('UNAUTHORIZED')
  return {
    exportedAt: isoNow(deps.clock),
    account: { ...toUser(account), createdAt: account.created_at, verifiedAt: account.verified_at },
    sessions: await listSessions(db, account.id),
    ...(await personalData.read(deps, account))
  }
}

/** Replaces what the first start has made up. The caller has checked the password recently. */
export async function setOwnLogin(
  deps: AccountDeps,
  user: User,
  { name, email = user.email, password }: OwnLogin,
  ip: string
): Promise<Session> {
  if (password !== undefined && isTooCommonForAdmin(password))
    throw invalidField('password', MESSAGES.passwordCommon)
  const isOwn = user.email !== PLACEHOLDER_EMAIL
  if (email === PLACEHOLDER_EMAIL || (isOwn && email !== user.email))
    throw invalidField('email', t('Please change your email address in your profile.'))
  const password_hash = password === undefined ? undefined : await deps.passwords.hash(password, ip)
  return refuseTakenEmail(() =>
    deps.write(async trx => {
      const now = deps.clock()
      const changes = { name, ...(password_hash && { password_hash, printed_password_at: null }) }
      const account = await updateUser(trx, user._id, changes)
      if (!account) throw new ShopError('UNAUTHORIZED')
      if (email !== user.email) return replaceEmail(trx, deps, user, { email, verifiedAt: null })
      await deleteSessionsOf(trx, account.id)
      return createSession(trx, account, now)
    })
  )
}

/**
 * Does not reveal whether another account has the address. While no mail leaves, an owner needs no
 * code: the address is verified later.
 */
export async function requestEmailChange(
  deps: AccountDeps,
  { user, tokenHash }: RequestSession,
  { email, proof }: EmailChangeRequest,
  client: Client
): Promise<EmailChangeReply> {
  if (email === user.email) throw invalidField('email', t('This is already your email address'))
  const sent = await deps.sendsMail()
  return refuseTakenEmail(() =>
    verifyIdentity(deps, user, proof, client, async (trx, account, now) => {
      if (!sent && user.staff === 'owner') {
        const session = await replaceEmail(trx, deps, user, { email, verifiedAt: null })
        return { message: t('Email address changed'), sent, resendAfter: 0, expiresIn: 0, session }
      }
      // The first code on an unverified address ends all sessions. This one goes on.
      await deleteSession(trx, tokenHash)
      await insertSession(trx, account.id, tokenHash, now)
      return issueCode(trx, deps, { to: email, sent, ...codeScope(user, email, client) }, now)
    })
  )
}

export async function changeEmail(
  deps: AccountDeps,
  personalData: PersonalData,
  user: User,
  { email, otp }: CodeLogin,
  client: Client
): Promise<Session> {
  const { subject, source } = codeScope(user, email, client)
  return refuseTakenEmail(() =>
    withCode(deps, { email: subject, otp, source }, async (trx, now) => {
      if (user.verified) await personalData.move(trx, user.email, email)
      return replaceEmail(trx, deps, user, { email, verifiedAt: toIso(now) })
    })
  )
}

async function replaceEmail(
  trx: Trx,
  deps: AccountDeps,
  user: User,
  { email, verifiedAt }: { email: string; verifiedAt: IsoTime | null }
): Promise<Session> {
  const now = deps.clock()
  const at = toIso(now)
  const account = await updateUser(trx, user._id, { email, verified_at: verifiedAt })
  if (!account) throw new ShopError('UNAUTHORIZED')
  await deleteSessionsOf(trx, account.id)
  await deleteCodesOf(trx, user.email)
  await deleteInvitations(trx, user.email)
  await enqueueMail(trx, noticeMail(deps, user, at, await deps.readShopName(trx)), at)
  // The entry stays when the account is deleted, so it has no address and no customer's name.
  const actor = { _id: user._id, name: user.role === 'admin' ? user.name : text('The customer') }
  await record(trx, { actor, at, kind: 'user', id: account.id, action: 'changed e-mail' })
  return createSession(trx, account, now)
}

async function refuseTakenEmail<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ShopError('EMAIL_TAKEN', {
      message: t(
        'This address already has an account. Please use another one, or log in to that account.'
      ),
      cause: error
    })
  }
}

/** Such a code works only for this account and this address, and not for a login. */
function codeScope({ _id }: User, email: string, { ip }: Client) {
  return { subject: `${email} for account ${_id}`, source: { ip, device: undefined } }
}

export function noticeMail(
  { config }: Pick<AccountDeps, 'config'>,
  { _id, email }: Pick<User, '_id' | 'email'>,
  at: IsoTime,
  shopName: string
): Mail {
  const shop = { shop: shopName }
  return composeMail(
    { name: shopName },
    {
      id: `email-changed-${_id}-${at}`,
      to: email,
      subject: t('Your {shop} account has a new email address', shop),
      blocks: [
        t(
          'Your {shop} account has a new email address. ' +
            'We no longer send anything to this address.',
          shop
        ),
        t('Was this not you? Please tell us right away.'),
        { label: t('Write to us'), url: `${config.siteUrl}${paths.contact}` }
      ]
    }
  )
}
