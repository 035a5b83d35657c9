import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import type {
  CodeLogin,
  CodeSent,
  EmailChangeRequest,
  Session,
  User
} from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isDuplicate } from '../platform/db/failures.ts'
import type { Trx } from '../platform/db/tables.ts'
import { invalidField } from '../platform/http/validate.ts'
import { type Mail, mailBody } from '../platform/mail/mail.ts'
import { enqueueMail } from '../platform/mail/outbox.ts'
import { toIso } from '#lib/time.ts'
import { record } from './audit.ts'
import { deleteCodesOf, issueCode, withCode } from './codes.ts'
import { type AccountDeps, updateUser } from './users.ts'
import type { Client } from './attempt-limits.ts'
import type { PersonalData } from './account.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  type RequestSession
} from './sessions.ts'
import { verifyIdentity } from './verify.ts'

const texts = {
  emailUnchanged: 'This is already your email address',
  emailTaken:
    'This address already has an account. Please use another one, or log in to that account.'
}

/** Does not reveal whether another account has the address. */
export function requestEmailChange(
  deps: AccountDeps,
  { user, tokenHash }: RequestSession,
  { email, proof }: EmailChangeRequest,
  client: Client
): Promise<CodeSent> {
  if (email === user.email) throw invalidField('email', texts.emailUnchanged)
  return verifyIdentity(deps, user, proof, client, async (trx, account, now) => {
    // The first code on an unverified address ends all sessions. This one goes on.
    await deleteSession(trx, tokenHash)
    await insertSession(trx, account.id, tokenHash, now)
    return issueCode(trx, deps, { to: email, ...codeScope(user, email, client) }, now)
  })
}

/** Starts a new session. Throws EMAIL_TAKEN, UNAUTHORIZED and the errors of withCode. */
export async function changeEmail(
  deps: AccountDeps,
  personalData: PersonalData,
  user: User,
  { email, otp }: CodeLogin,
  client: Client
): Promise<Session> {
  const { subject, source } = codeScope(user, email, client)
  try {
    return await withCode(deps, { email: subject, otp, source }, async (trx, now) => {
      if (user.verified) await personalData.move(trx, user.email, email)
      return applyChange(trx, deps, user, email, now)
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ShopError('EMAIL_TAKEN', { message: texts.emailTaken, cause: error })
  }
}

/** Such a code works only for this account and this address, and not for a login. */
function codeScope({ _id }: User, email: string, { ip }: Client) {
  return { subject: `${email} for account ${_id}`, source: { ip, device: undefined } }
}

async function applyChange(
  trx: Trx,
  deps: AccountDeps,
  user: User,
  email: string,
  now: number
): Promise<Session> {
  const at = toIso(now)
  const account = await updateUser(trx, user._id, { email, verified_at: at })
  if (!account) throw new ShopError('UNAUTHORIZED')
  await deleteSessionsOf(trx, account.id)
  await deleteCodesOf(trx, user.email)
  if (user.email !== PLACEHOLDER_EMAIL)
    await enqueueMail(trx, await noticeMail(trx, deps, user, at), at)
  // The entry stays when the account is deleted, so it has no address and no customer's name.
  const actor = { _id: user._id, name: user.role === 'admin' ? user.name : 'The customer' }
  await record(trx, { actor, at, kind: 'user', id: account.id, action: 'changed e-mail' })
  return createSession(trx, account, now)
}

async function noticeMail(
  trx: Trx,
  { readShopName, config: { siteUrl } }: AccountDeps,
  { _id, email }: User,
  at: string
): Promise<Mail> {
  const shopName = await readShopName(trx)
  const title = `Your ${shopName} account has a new email address`
  const lines = [
    `${title}. We no longer send anything to this address.`,
    `Was this not you? Please tell us right away: ${siteUrl}${paths.contact}`,
    shopName
  ]
  return { id: `email-changed-${_id}-${at}`, to: email, subject: title, ...mailBody(title, lines) }
}
