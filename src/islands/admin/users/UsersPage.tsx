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

/** The accounts, or one of them: which is in the address, so that Back works. */
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
  const words = useDebounced(q.trim())
  const asked = {
    ...(words !== '' && { q: words }),
    ...(filter !== '' && { role: filter }),
    ...(page > 1 && { page: String(page) })
  }
  const [read, again] = useLoad(JSON.stringify(asked), () => listUsers(asked))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox label="Search accounts" value={q} onType={typed => replaceQuery(withChange(query, { q: typed }))} />
        <select
          aria-label="Show"
          className="field w-auto"
          value={filter}
          onChange={({ target }) => pushQuery(withChange(query, { role: target.value }))}
        >
          <option value="">Everybody</option>
          <option value="admin">Administrators</option>
          <option value="user">Shoppers</option>
        </select>
      </div>
      <Loaded read={read} what="the accounts" onAgain={() => void again()}>
        {found => <UserTable {...found} page={page} query={query} />}
      </Loaded>
    </div>
  )
}
