import { t } from '#lib/contract/texts.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  CodeLogin,
  CodeRequest,
  CodeSent,
  Done,
  EmailChangeReply,
  EmailChangeRequest,
  Login,
  MyData,
  OwnLogin,
  PasswordChange,
  Profile,
  Registration,
  Session,
  User,
  Verification
} from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { LOSABLE } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import {
  changePassword,
  changeProfile,
  deleteAccount,
  type PersonalData,
  register,
  readMyData,
  changeEmail,
  requestEmailChange,
  setOwnLogin
} from './account.ts'
import { addDeviceToken, clientOf } from './attempt-limits.ts'
import { sendCode } from './codes.ts'
import { invitationRoutes } from './invitations.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOf,
  requireRecentVerification,
  requireUser,
  sessionOf
} from './sessions.ts'
import { verifyCode, verifyPassword } from './verify.ts'

export const authRoutes: FastifyPluginAsyncZod = async app => {
  await app.register(invitationRoutes)

  app.post(
    '/auth/login',
    route('Log in by password', Session, { body: Login }),
    // If a power cut deletes the session, the user only has to log in again.
    async request =>
      addDeviceToken(
        app,
        await verifyPassword(app, request.body, clientOf(request), createSession, LOSABLE)
      )
  )

  app.post(
    '/auth/register',
    route('Create an account and log in', Session, { body: Registration }),
    async request => addDeviceToken(app, await register(app, request.body, request.ip))
  )

  app.post(
    '/auth/send-otp',
    route('Send a one-time code by email', CodeSent, { body: CodeRequest }),
    request => sendCode(app, request.body.email, clientOf(request))
  )

  app.post(
    '/auth/verify-otp',
    route('Log in by one-time code', Session, { body: CodeLogin }),
    async request => {
      const client = clientOf(request)
      const session = await verifyCode(
        app,
        request.body,
        client,
        async (trx, account, now, isNew) => ({
          ...(await createSession(trx, account, now)),
          ...(isNew && { isNew })
        })
      )
      return addDeviceToken(app, session)
    }
  )

  app.post('/auth/logout', route('End the current session', Done), async request => {
    const session = await app.authenticate(request)
    if (session) await app.write(trx => deleteSession(trx, session.tokenHash))
    return { message: MESSAGES.loggedOutText }
  })

  app.post(
    '/auth/logout-everywhere',
    { onRequest: requireUser, ...route('End all sessions of the user', Done) },
    async request => {
      const { user } = sessionOf(request)
      await app.write(trx => deleteSessionsOf(trx, user._id))
      return { message: t('You have been logged out on all devices.') }
    }
  )
}

export const accountRoutes: FastifyPluginAsyncZod<{ personalData: PersonalData }> = async (
  app,
  { personalData }
) => {
  app.addHook('onRequest', requireUser)

  app.get(
    '/auth/me',
    route('Get the logged-in user', User),
    async request => sessionOf(request).user
  )

  app.put(
    '/auth/profile',
    route('Change name, phone number and address', User, { body: Profile }),
    request => changeProfile(app, sessionOf(request).user, request.body)
  )

  app.put(
    '/auth/password',
    route('Change the password, end all sessions and start a new one', Session, {
      body: PasswordChange
    }),
    async request => {
      const { user } = sessionOf(request)
      if (!request.body.proof && user.hasPassword) throw new ShopError('VERIFICATION_REQUIRED')
      if (!request.body.proof) requireRecentVerification(request)
      return addDeviceToken(app, await changePassword(app, user, request.body, clientOf(request)))
    }
  )

  app.put(
    '/admin/login',
    route('Set name, email address and password of the owner who has logged in', Session, {
      body: OwnLogin
    }),
    async request => {
      requireRecentVerification(request)
      const { user } = sessionOf(request)
      return addDeviceToken(app, await setOwnLogin(app, user, request.body, request.ip))
    }
  )

  app.post(
    '/auth/email-code',
    route(
      'Send a one-time code to a new email address (needs the password or a code)',
      EmailChangeReply,
      { body: EmailChangeRequest }
    ),
    async request => {
      const reply = await requestEmailChange(
        app,
        sessionOf(request),
        request.body,
        clientOf(request)
      )
      return reply.session ? { ...reply, session: await addDeviceToken(app, reply.session) } : reply
    }
  )

  app.put(
    '/auth/email',
    route('Change the email address, end all sessions and start a new one', Session, {
      body: CodeLogin
    }),
    async request => {
      const { user } = sessionOf(request)
      const client = clientOf(request)
      return addDeviceToken(app, await changeEmail(app, personalData, user, request.body, client))
    }
  )

  app.get('/auth/my-data', route('Export all personal data', MyData), request =>
    readMyData(app, personalData, sessionOf(request).user)
  )

  app.delete(
    '/auth/me',
    route('Delete the account', Done, { body: Verification }),
    async request => {
      const { user } = sessionOf(request)
      await deleteAccount(app, personalData, user, request.body.proof, clientOf(request))
      return { message: MESSAGES.accountDeleted }
    }
  )
}
