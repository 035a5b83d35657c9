import * as z from 'zod/mini'
import { LIST_LIMITS } from '../../admin/limits.ts'
import { type Done, User } from '../accounts.ts'
import { Instant } from '../values.ts'

const Role = z.enum(['admin', 'user'])

export type AdminUser = z.infer<typeof AdminUser>
export const AdminUser = z.extend(User, {
  createdAt: Instant,
  orders: z.int(),
  sessions: z.int()
})

export const PageNumber = z.string().check(z.regex(/^[1-9]\d{0,5}$/))

export type UserQuery = z.infer<typeof UserQuery>
export const UserQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(LIST_LIMITS.maxSearchLength))),
  role: z.optional(Role),
  page: z.optional(PageNumber)
})

export type UserList = z.infer<typeof UserList>
export const UserList = z.object({ users: z.array(AdminUser), count: z.int(), pages: z.int() })

export type RoleChange = z.infer<typeof RoleChange>
export const RoleChange = z.object({ from: Role, to: Role })

type QueryStrings = Partial<Record<keyof UserQuery, string>>

export interface AdminUsersApi {
  'GET /admin/users': { query: QueryStrings; reply: UserList }
  'GET /admin/users/{id}': { params: { id: string }; reply: AdminUser }
  'POST /admin/users/{id}/role': { params: { id: string }; body: RoleChange; reply: AdminUser }
  'POST /admin/users/{id}/logout': { params: { id: string }; reply: z.infer<typeof Done> }
}
