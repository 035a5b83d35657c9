import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AccountDeletion, Done, MyData, PasswordChange, Profile, Session, User } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { changePassword } from './change-password.ts'
import { changeProfile } from './change-profile.ts'
import { deleteAccount } from './delete-account.ts'
import { readMyData } from './read-my-data.ts'
import { requireUser, sessionOf } from './session.ts'

export const accountRoutes: FastifyPluginAsyncZod = async app => {
  const tags = ['accounts']
  app.addHook('onRequest', requireUser)

  app.get(
    '/auth/me',
    { schema: { tags, summary: 'Get the logged-in user', response: { 200: User } } },
    async request => sessionOf(request).user
  )

  app.put(
    '/auth/profile',
    { schema: { tags, summary: 'Change name, phone number and address', body: Profile, response: { 200: User } } },
    request => changeProfile(app, sessionOf(request).user, request.body)
  )

  app.put(
    '/auth/password',
    {
      schema: {
        tags,
        summary: 'Change the password, end all sessions and start a new one',
        body: PasswordChange,
        response: { 200: Session }
      }
    },
    request => changePassword(app, sessionOf(request).user, request.body, request.ip)
  )

  app.get(
    '/auth/my-data',
    { schema: { tags, summary: 'Export all personal data', response: { 200: MyData } } },
    request => readMyData(app, sessionOf(request).user)
  )

  app.delete(
    '/auth/me',
    { schema: { tags, summary: 'Delete the account', body: AccountDeletion, response: { 200: Done } } },
    async request => {
      await deleteAccount(app, sessionOf(request).user, request.body.proof, request.ip)
      return { message: MESSAGES.accountDeleted }
    }
  )
}
