import { useRef } from 'react'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { listUsers } from '#lib/stores/admin/users.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { parseListQuery, changeQuery } from '../ui/list-query.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useLoad } from '../ui/use-load.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { UserDetail } from './UserDetail.tsx'
import { UserTable } from './UserTable.tsx'

export function UsersPage() {
  const query = useQuery()
  const id = new URLSearchParams(query).get('user')
  const lastListQuery = useRef('')
  if (!id) lastListQuery.current = query
  return (
    <AdminFrame section="users">
      {() => (id ? <UserDetail key={id} id={id} listQuery={lastListQuery.current} /> : <UserList query={query} />)}
    </AdminFrame>
  )
}

function UserList({ query }: { query: string }) {
  const { q, filter, page } = parseListQuery(query, 'role')
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
        <SearchBox label="Search users" value={q} onSearch={text => replaceQuery(changeQuery(query, { q: text }))} />
        <select
          aria-label="Show"
          className="field w-auto"
          value={filter}
          onChange={({ target }) => pushQuery(changeQuery(query, { role: target.value }))}
        >
          <option value="">Everyone</option>
          <option value="admin">Administrators</option>
          <option value="user">Customers</option>
        </select>
      </div>
      <Loaded state={result} label="users" onRetry={() => void reload()}>
        {userList => <UserTable {...userList} page={page} query={query} />}
      </Loaded>
    </div>
  )
}
