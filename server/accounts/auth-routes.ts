import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { CodeLogin, CodeRequest, CodeSent, Done, Login, Registration, Session } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { logIn, logInByCode } from './log-in.ts'
import { register } from './register.ts'
import { sendCode } from './send-code.ts'
import { requireUser, sessionOf } from './session.ts'
import { deleteSession, deleteSessionsOf } from './session-queries.ts'

export const authRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['accounts']

  app.post(
    '/auth/login',
    { schema: { tags, summary: 'Log in by password', body: Login, response: { 200: Session } } },
    request => logIn(app, request.body, request.ip)
  )

  app.post(
    '/auth/register',
    {
      schema: { tags, summary: 'Create an account and log in', body: Registration, response: { 200: Session } }
    },
    request => register(app, request.body, request.ip)
  )

  app.post(
    '/auth/send-otp',
    { schema: { tags, summary: 'Send a one-time code by e-mail', body: CodeRequest, response: { 200: CodeSent } } },
    request => sendCode(app, request.body.email, request.ip)
  )

  app.post(
    '/auth/verify-otp',
    { schema: { tags, summary: 'Log in by one-time code', body: CodeLogin, response: { 200: Session } } },
    request => logInByCode(app, request.body, request.ip)
  )

  app.post(
    '/auth/logout',
    { schema: { tags, summary: 'End the current session', response: { 200: Done } } },
    async request => {
      const session = await app.authenticate(request)
      if (session) await app.write(trx => deleteSession(trx, session.tokenHash))
      return { message: MESSAGES.loggedOutText }
    }
  )

  app.post(
    '/auth/logout-everywhere',
    {
      schema: { tags, summary: 'End all sessions of the user', response: { 200: Done } },
      onRequest: requireUser
    },
    async request => {
      const { user } = sessionOf(request)
      await app.write(trx => deleteSessionsOf(trx, user._id))
      return { message: MESSAGES.loggedOutEverywhere }
    }
  )
}
