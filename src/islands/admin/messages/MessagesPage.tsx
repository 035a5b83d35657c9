import { listMessages } from '#lib/stores/admin/messages.ts'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { parseListQuery, changeQuery } from '../ui/list-query.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useLoad } from '../ui/use-load.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { MessageCards } from './MessageCards.tsx'

export function MessagesPage() {
  return <AdminFrame section="messages">{() => <Messages />}</AdminFrame>
}

function Messages() {
  const query = useQuery()
  const { q, filter, page } = parseListQuery(query, 'show')
  const search = useDebounced(q.trim())
  const listQuery = {
    ...(search !== '' && { q: search }),
    ...(filter !== '' && { show: filter }),
    ...(page > 1 && { page: String(page) })
  }
  const [result, reload] = useLoad(JSON.stringify(listQuery), () => listMessages(listQuery))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox label="Search messages" value={q} onSearch={text => replaceQuery(changeQuery(query, { q: text }))} />
        <select
          aria-label="Show"
          className="field w-auto"
          value={filter}
          onChange={({ target }) => pushQuery(changeQuery(query, { show: target.value }))}
        >
          <option value="">All messages</option>
          <option value="unread">Unread</option>
          <option value="unanswered">Unanswered</option>
        </select>
      </div>
      <Loaded state={result} label="messages" onRetry={() => void reload()}>
        {messageList => (
          <MessageCards key={JSON.stringify(listQuery)} messageList={messageList} page={page} query={query} />
        )}
      </Loaded>
    </div>
  )
}
