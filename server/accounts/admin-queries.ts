import { sql, type SelectQueryBuilder } from 'kysely'
import { LIST_LIMITS } from '#lib/admin/limits.ts'
import type { AdminUser, RoleChange, UserQuery } from '#lib/contract/accounts.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'
import { containsWord, wordsOf } from '../platform/db/like.ts'
import { toUser } from './users.ts'

/** `now` is ISO. */
export async function listUsers(db: Db, query: UserQuery, now: string): Promise<AdminUser[]> {
  const rows = await filterUsers(selectAccounts(db, now), query)
    .orderBy('created_at', 'desc')
    .orderBy('users.id')
    .limit(LIST_LIMITS.pageSize)
    .offset((Number(query.page ?? 1) - 1) * LIST_LIMITS.pageSize)
    .execute()
  return rows.map(toAdminUser)
}

export async function countUsers(db: Db, query: UserQuery): Promise<number> {
  const counted = db.selectFrom('users').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await filterUsers(counted, query).executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns undefined for a deleted account. `now` is ISO. */
export async function findAdminUser(db: Db, id: string, now: string): Promise<AdminUser | undefined> {
  const row = await filterUsers(selectAccounts(db, now), {}).where('users.id', '=', id).executeTakeFirst()
  return row && toAdminUser(row)
}

export async function setRole(trx: Trx, id: string, { from, to }: RoleChange): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ role: to })
    .where('id', '=', id)
    .where('role', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function selectAccounts(db: Db, now: string) {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select(({ selectFrom }) => [
      selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('orders.user_id', '=', 'users.id')
        .where('paid_at', 'is not', null)
        .as('orders'),
      selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('expires_at', '>', now)
        .as('sessions')
    ])
}

function filterUsers<Row>(
  users: SelectQueryBuilder<Tables, 'users', Row>,
  { q, role }: UserQuery
): SelectQueryBuilder<Tables, 'users', Row> {
  const searchText = sql<string>`users.name || ' ' || users.email || ' ' || users.phone`
  return users
    .where('deleted_at', 'is', null)
    .$if(role !== undefined, query => query.where('role', '=', role ?? 'user'))
    .where(row => row.and(wordsOf(q).map(word => containsWord(searchText, word))))
}

type Account = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>

function toAdminUser(row: Account): AdminUser {
  return { ...toUser(row), createdAt: row.created_at, orders: Number(row.orders), sessions: Number(row.sessions) }
}
