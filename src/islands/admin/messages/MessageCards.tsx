import { useState } from 'react'
import { ADMIN_MESSAGES, formatMessageCount } from '#lib/admin/messages.ts'
import type { AdminMessage, MessageList, MessageMark } from '#lib/contract/admin/messages.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { markMessage } from '#lib/stores/admin/messages.ts'
import { notify } from '#lib/stores/toasts.ts'
import { changeQuery } from '../ui/list-query.ts'
import { Pagination } from '../ui/Pagination.tsx'
import { MessageCard } from './MessageCard.tsx'

/** A message stays in the list after it is marked as read or answered, even if it no longer matches the filter. */
export function MessageCards({ messageList, page, query }: { messageList: MessageList; page: number; query: string }) {
  const [messages, setMessages] = useState<readonly AdminMessage[]>(messageList.messages)
  const mark = async (id: string, changes: MessageMark) => {
    try {
      const marked = await markMessage(id, changes)
      setMessages(current => current.map(message => (message.id === id ? marked : message)))
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const text = toErrorText(error, ADMIN_MESSAGES.tryAgain)
      notify({ title: ADMIN_MESSAGES.markMessageFailed, text, kind: 'destructive', topic: id })
    }
  }
  return (
    <>
      <p role="status" className="text-sm text-ink/70">
        {messageList.count === 0 ? ADMIN_MESSAGES.messagesNone : formatMessageCount(messageList.count)}
      </p>
      <ul className="grid gap-3">
        {messages.map(message => (
          <li key={message.id}>
            <MessageCard message={message} onMark={changes => void mark(message.id, changes)} />
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        pages={messageList.pages}
        toQuery={targetPage => changeQuery(query, { page: String(targetPage) })}
      />
    </>
  )
}
