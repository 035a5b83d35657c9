import * as z from 'zod/mini'
import { LIST_LIMITS, MESSAGE_FILTERS } from '../../admin/limits.ts'
import { Instant } from '../values.ts'
import { PageNumber } from './users.ts'

export type AdminMessage = z.infer<typeof AdminMessage>
export const AdminMessage = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  createdAt: Instant,
  readAt: z.nullable(Instant),
  answeredAt: z.nullable(Instant)
})

export type MessageQuery = z.infer<typeof MessageQuery>
export const MessageQuery = z.object({
  show: z.optional(z.enum(MESSAGE_FILTERS)),
  q: z.optional(z.string().check(z.maxLength(LIST_LIMITS.maxSearchLength))),
  page: z.optional(PageNumber)
})

export type MessageList = z.infer<typeof MessageList>
export const MessageList = z.object({ messages: z.array(AdminMessage), count: z.int(), pages: z.int() })

export type MessageMark = z.infer<typeof MessageMark>
/** Omitted fields stay unchanged. An answered message is also marked as read. */
export const MessageMark = z.object({ read: z.optional(z.boolean()), answered: z.optional(z.boolean()) })

type QueryStrings = Partial<Record<keyof MessageQuery, string>>

export interface AdminMessagesApi {
  'GET /admin/messages': { query: QueryStrings; reply: MessageList }
  'PATCH /admin/messages/{id}': { params: { id: string }; body: MessageMark; reply: AdminMessage }
}
