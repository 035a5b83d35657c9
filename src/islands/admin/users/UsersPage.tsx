import { useRef } from 'react'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { listUsers } from '#lib/stores/admin/users.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { readList, withChange } from '../ui/list-query.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useLoad } from '../ui/use-load.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { UserDetail } from './UserDetail.tsx'
import { UserTable } from './UserTable.tsx'

export function UsersPage() {
  const query = useQuery()
  const id = new URLSearchParams(query).get('user')
  const list = useRef('')
  if (!id) list.current = query
  return (
    <AdminFrame section="users">
      {() => (id ? <UserDetail key={id} id={id} list={list.current} /> : <UserList query={query} />)}
    </AdminFrame>
  )
}

function UserList({ query }: { query: string }) {
  const { q, filter, page } = readList(query, 'role')
  const search = useDebounced(q.trim())
  const listQuery = {
    ...(search !== '' && { q: search }),
    ...(filter !== '' && { role: filter }),
    ...(page > 1 && { page: String(page) })
  }
  const [result, reload] = useLoad(JSON.stringify(listQuery), () => listUsers(listQuery))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox label="Search users" value={q} onType={typed => replaceQuery(withChange(query, { q: typed }))} />
        <select
          aria-label="Show"
          className="field w-auto"
          value={filter}
          onChange={({ target }) => pushQuery(withChange(query, { role: target.value }))}
        >
          <option value="">Everyone</option>
          <option value="admin">Administrators</option>
          <option value="user">Customers</option>
        </select>
      </div>
      <Loaded state={result} label="accounts" onRetry={() => void reload()}>
        {found => <UserTable {...found} page={page} query={query} />}
      </Loaded>
    </div>
  )
}
