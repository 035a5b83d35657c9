import { ADMIN_MESSAGES, formatUserCount } from '#lib/admin/messages.ts'
import type { AdminUser, UserList } from '#lib/contract/accounts.ts'
import { formatPhone } from '#lib/phone.ts'
import { formatDate } from '#lib/time.ts'
import { ViewLink } from '../ui/ViewLink.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { changeQuery } from '../ui/list-query.ts'
import { Pagination } from '../ui/Pagination.tsx'

const COLUMNS: readonly Column<AdminUser>[] = [
  { id: 'name', label: 'Name', cell: user => <NameCell user={user} /> },
  { id: 'phone', label: 'Phone', cell: ({ phoneNumber }) => (phoneNumber ? formatPhone(phoneNumber) : '–') },
  { id: 'role', label: 'Role', cell: ({ role }) => roleLabel(role) },
  { id: 'orders', label: 'Orders', numeric: true, cell: ({ orders }) => orders },
  { id: 'since', label: 'Registered', cell: ({ createdAt }) => formatDate(createdAt) }
]

export function UserTable({ users, count, pages, page, query }: UserList & { page: number; query: string }) {
  return (
    <>
      <p role="status" className="text-sm text-ink/70">
        {count === 0 ? ADMIN_MESSAGES.usersNone : formatUserCount(count)}
      </p>
      {users.length > 0 && <DataTable caption="Users" columns={COLUMNS} rows={users} getKey={({ _id }) => _id} />}
      <Pagination page={page} pages={pages} toQuery={targetPage => changeQuery(query, { page: String(targetPage) })} />
    </>
  )
}

export function roleLabel(role: AdminUser['role']): string {
  return role === 'admin' ? 'Administrator' : 'Customer'
}

function NameCell({ user: { _id, name, email } }: { user: AdminUser }) {
  return (
    <ViewLink query={`?${new URLSearchParams({ user: _id })}`} className="block min-h-target hover:text-chilli">
      <span className="block break-words underline underline-offset-4">{name}</span>
      <span className="block break-all text-sm font-normal text-ink/70">{email}</span>
    </ViewLink>
  )
}
