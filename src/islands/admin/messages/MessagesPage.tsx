import { listMessages } from '#lib/stores/admin/messages.ts'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { readList, withChange } from '../ui/list-query.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useLoad } from '../ui/use-load.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { MessageCards } from './MessageCards.tsx'

/** What people wrote to the shop. */
export function MessagesPage() {
  return <AdminFrame section="messages">{() => <Messages />}</AdminFrame>
}

function Messages() {
  const query = useQuery()
  const { q, filter, page } = readList(query, 'show')
  const words = useDebounced(q.trim())
  const asked = {
    ...(words !== '' && { q: words }),
    ...(filter !== '' && { show: filter }),
    ...(page > 1 && { page: String(page) })
  }
  const [read, again] = useLoad(JSON.stringify(asked), () => listMessages(asked))
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox label="Search messages" value={q} onType={typed => replaceQuery(withChange(query, { q: typed }))} />
        <select
          aria-label="Show"
          className="field w-auto"
          value={filter}
          onChange={({ target }) => pushQuery(withChange(query, { show: target.value }))}
        >
          <option value="">All messages</option>
          <option value="unread">Not read yet</option>
          <option value="unanswered">Not answered yet</option>
        </select>
      </div>
      <Loaded read={read} what="the messages" onAgain={() => void again()}>
        {found => <MessageCards key={JSON.stringify(asked)} found={found} page={page} query={query} />}
      </Loaded>
    </div>
  )
}
