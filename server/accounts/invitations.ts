import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { nameFromEmail } from '#lib/account/forms.ts'
import { staffLabel } from '#lib/admin/access.ts'
import {
  Done,
  Invitation,
  InvitationDraft,
  InvitationToken,
  Invited,
  Session,
  type User
} from '#lib/contract/accounts.ts'
import { t } from '#lib/contract/texts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { invitationPath } from '#lib/paths.ts'
import { DAY, type EpochMs, formatDate, isoNow, toIso } from '#lib/time.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { composeMail, type Mail } from '../platform/mail/mail.ts'
import { deleteOldMails, enqueueMail, withdrawMail } from '../platform/mail/outbox.ts'
import { addDeviceToken } from './attempt-limits.ts'
import { record } from './audit.ts'
import {
  createSession,
  createToken,
  deleteSessionsOf,
  hashToken,
  requireRecentVerification,
  sessionOf
} from './sessions.ts'
import { changeRole, deleteInvitations, INVITATION_MAIL_PREFIX } from './staff.ts'
import { type AccountDeps, findUser, insertUser, verifyUser } from './users.ts'

type InvitationRow = Tables['invitations']

const LIFETIME = 7 * DAY

export const invitationRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/admin/invitations', route('List open invitations', z.array(Invitation)), async () => {
    const open = app.database.kysely.selectFrom('invitations').selectAll()
    const rows = await open.where('expires_at', '>', isoNow(app.clock)).orderBy('email').execute()
    return rows.map(({ id, email, staff, expires_at }) => ({
      id,
      email,
      staff,
      expiresAt: expires_at
    }))
  })

  app.post(
    '/admin/invitations',
    route('Give a person a role, and make a link that logs in once', Invited, {
      body: InvitationDraft
    }),
    request => {
      requireRecentVerification(request)
      return invite(app, sessionOf(request).user, request.body)
    }
  )

  app.delete(
    '/admin/invitations/:id',
    route('Withdraw an invitation', Done, { params: IdPath }),
    async request => {
      const { id } = request.params
      const { user: actor } = sessionOf(request)
      await app.write(async trx => {
        await trx.deleteFrom('invitations').where('id', '=', id).execute()
        await withdrawMail(trx, INVITATION_MAIL_PREFIX + id)
        const at = isoNow(app.clock)
        await record(trx, { actor, at, kind: 'user', id, action: 'withdrawn' })
      })
      return { message: t('Invitation withdrawn') }
    }
  )

  app.post(
    '/auth/invitation',
    route('Log in once with the link of an invitation', Session, { body: InvitationToken }),
    async request => addDeviceToken(app, await accept(app, request.body.token))
  )
}

async function invite(
  deps: AccountDeps,
  actor: User,
  { email, staff }: InvitationDraft
): Promise<Invited> {
  if (email === actor.email) throw invalidField('email', t('This is your own address.'))
  const { token, hash } = createToken()
  const mailed = await deps.sendsMail()
  const now = deps.clock()
  const [at, expiresAt] = [toIso(now), toIso(now + LIFETIME)]
  const link = deps.config.siteUrl + invitationPath(token)
  const invitation = {
    ...{ id: randomUUID(), email, staff, token_hash: hash },
    ...{ created_at: at, expires_at: expiresAt }
  }
  return deps.write(async trx => {
    await deleteInvitations(trx, email)
    await trx.insertInto('invitations').values(invitation).execute()
    const entry = { actor, at, kind: 'user', id: invitation.id, action: 'invited' } as const
    await record(trx, { ...entry, after: { staff } })
    const mail = invitationMail(await deps.readShopName(trx), actor, invitation, link)
    if (mailed) await enqueueMail(trx, mail, at)
    return { link, expiresAt, mailed, message: mail.text }
  })
}

export function invitationMail(
  shopName: string,
  actor: Pick<User, 'name'>,
  { id, email, staff, expires_at }: Omit<InvitationRow, 'token_hash' | 'created_at'>,
  link: string
): Mail {
  const subject = t('Help in {shop}: your login', { shop: shopName })
  const blocks = [
    t('Vanakkam,'),
    t('{name} has invited you to help in {shop} ({role}).', {
      name: actor.name,
      shop: shopName,
      role: staffLabel(staff)
    }),
    { label: t('Log in'), url: link },
    t('The link works once, until {day}. Please don’t pass it on.', {
      day: formatDate(expires_at)
    })
  ]
  const letter = { id: INVITATION_MAIL_PREFIX + id, to: email, subject, blocks }
  return composeMail({ name: shopName }, letter)
}

/** The link verifies the address, because it was only sent there or given by the owner. */
function accept(deps: AccountDeps, token: string): Promise<Session> {
  const now = deps.clock()
  const at = toIso(now)
  return deps.write(async trx => {
    const invitation = await trx
      .deleteFrom('invitations')
      .where('token_hash', '=', hashToken(token) ?? '')
      .where('expires_at', '>', at)
      .returningAll()
      .executeTakeFirst()
    if (!invitation) throw new ShopError('INVITATION_INVALID')
    const { email, staff } = invitation
    const draft = { id: randomUUID(), email, name: nameFromEmail(email), staff }
    const created = await insertUser(trx, { ...draft, verified_at: at, created_at: at })
    // Somebody else may have registered the address: the password, sessions and data end.
    const verified = created ? undefined : await verifyUser(trx, email, at)
    if (verified) {
      await deleteSessionsOf(trx, verified.id)
      await deps.deleteShoppingData(trx, verified.id)
    }
    const account = created ?? verified ?? (await findUser(trx, email))
    if (!account) throw new Error('Account was deleted while an invitation was accepted')
    const { id, name, staff: from } = account
    const actor = { _id: id, name }
    if (!created) await changeRole(trx, { actor, id, from, to: staff, at })
    await record(trx, { actor, at, kind: 'user', id, action: 'joined' })
    return createSession(trx, { ...account, staff }, now)
  })
}

export async function deleteOldInvitations(trx: Trx, now: EpochMs): Promise<void> {
  await trx.deleteFrom('invitations').where('expires_at', '<=', toIso(now)).execute()
  await deleteOldMails(trx, INVITATION_MAIL_PREFIX, toIso(now - LIFETIME))
}
