import { ADMIN_MESSAGES, roleSetText } from '../../admin/messages.ts'
import { api } from '../../api.ts'
import type { AdminUser, UserList } from '../../contract/accounts.ts'
import type { Api } from '../../contract/index.ts'
import { notify } from '../toasts.ts'
import { offerUndo } from './undo.ts'
import type { AdminMessage, MessageList, MessageMark } from '../../contract/content.ts'

export type UserListQuery = Api['GET /admin/users']['query']
type Role = AdminUser['role']

export function listUsers(query: UserListQuery): Promise<UserList> {
  return api('GET /admin/users', { query })
}

export function readUser(id: string): Promise<AdminUser> {
  return api('GET /admin/users/{id}', { params: { id } })
}

export async function setRole({ _id, name, role }: AdminUser, to: Role, onUndone: () => void): Promise<void> {
  await changeRole(_id, role, to)
  offerUndo({
    text: roleSetText(name, to),
    undo: async () => {
      await changeRole(_id, to, role)
      onUndone()
    }
  })
}

export async function logOutUser({ _id, name }: AdminUser): Promise<void> {
  await api('POST /admin/users/{id}/logout', { params: { id: _id } })
  notify({ title: ADMIN_MESSAGES.userLoggedOut, text: name })
}

async function changeRole(id: string, from: Role, to: Role): Promise<void> {
  await api('POST /admin/users/{id}/role', { params: { id }, body: { from, to } })
}

export type MessageListQuery = Api['GET /admin/messages']['query']

export function listMessages(query: MessageListQuery): Promise<MessageList> {
  return api('GET /admin/messages', { query })
}

export function markMessage(id: string, mark: MessageMark): Promise<AdminMessage> {
  return api('PATCH /admin/messages/{id}', { params: { id }, body: mark })
}
