import { useRef } from 'react'
import { formatPhone, type Choices } from '#lib/account/forms.ts'
import { staffLabel } from '#lib/admin/access.ts'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { listUsers } from '#lib/stores/admin/requests.ts'
import { formatDate } from '#lib/time.ts'
import { toQuery, useQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { FilterBar, ListCount, Pagination } from '../ui/FilterBar.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useReturnFocus } from '../ui/RecordView.tsx'
import { useListQuery, viewLink } from '../ui/list-query.ts'
import { UserDetail } from './UserDetail.tsx'

const texts = { usersNone: 'No users found.' }

const FILTERS: Choices = [
  ['', 'Everyone'],
  ['admin', 'Staff'],
  ['user', 'Customers']
]

const COLUMNS: readonly Column<AdminUser>[] = [
  { label: 'Name', cell: user => <NameCell user={user} /> },
  { label: 'Phone', cell: ({ phoneNumber }) => (phoneNumber ? formatPhone(phoneNumber) : '–') },
  { label: 'Role', cell: ({ staff }) => staffLabel(staff) },
  { label: 'Orders', numeric: true, cell: ({ orders }) => orders },
  { label: 'Registered', cell: ({ createdAt }) => formatDate(createdAt) }
]

export function UsersPage() {
  const query = useQuery()
  const id = new URLSearchParams(query).get('user')
  const lastListQuery = useRef('')
  if (!id) lastListQuery.current = query
  return (
    <AdminFrame section="users">
      {() =>
        id ? <UserDetail key={id} id={id} listQuery={lastListQuery.current} /> : <UserList />
      }
    </AdminFrame>
  )
}

function UserList() {
  const { request, page, toPageQuery, ...filterBar } = useListQuery('role')
  const [result, reload] = useLoad(JSON.stringify(request), () => listUsers(request))
  return (
    <div className="flex flex-col gap-3">
      <FilterBar searchLabel="Search users" filters={FILTERS} {...filterBar} />
      <Loaded state={result} label="users" onRetry={reload}>
        {({ users, count, pages }) => (
          <>
            <ListCount count={count} noun="user" noneText={texts.usersNone} />
            {users.length > 0 && <UserTable users={users} />}
            <Pagination page={page} pages={pages} toQuery={toPageQuery} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function UserTable({ users }: { users: readonly AdminUser[] }) {
  useReturnFocus()
  return <DataTable caption="Users" columns={COLUMNS} rows={users} getKey={({ _id }) => _id} />
}

function NameCell({ user: { _id, name, email } }: { user: AdminUser }) {
  return (
    <a {...viewLink(toQuery({ user: _id }))} className="block min-h-target hover:text-chilli">
      <span className="block break-words underline underline-offset-4">{name}</span>
      <span className="block break-all text-sm font-normal text-ink/70">{email}</span>
    </a>
  )
}
