import { api } from '../../api.ts'
import type { AdminMessage, MessageList, MessageMark } from '../../contract/content.ts'
import type { Api } from '../../contract/index.ts'

export type MessageListQuery = Api['GET /admin/messages']['query']

export function listMessages(query: MessageListQuery): Promise<MessageList> {
  return api('GET /admin/messages', { query })
}

export function markMessage(id: string, mark: MessageMark): Promise<AdminMessage> {
  return api('PATCH /admin/messages/{id}', { params: { id }, body: mark })
}
