import { useState } from 'react'
import type { AdminMessage } from '#lib/contract/content.ts'
import { assertShopError } from '#lib/errors.ts'
import { api } from '#lib/api.ts'
import type { Choices } from '#lib/account/forms.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { PagedList } from '../ui/FilterBar.tsx'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { MessageCard } from './MessageCard.tsx'

const texts = {
  messagesNone: 'No messages found.',
  messagesEmpty: 'No messages yet.',
  markMessageFailed: 'The message could not be updated.'
}

const FILTERS: Choices = [
  ['', 'All messages'],
  ['unread', 'Unread'],
  ['unanswered', 'Unanswered']
]

export function MessagesPage() {
  return <AdminFrame section="messages">{() => <Messages />}</AdminFrame>
}

function Messages() {
  return (
    <PagedList
      filterName="show"
      filters={FILTERS}
      noun="message"
      emptyText={texts.messagesEmpty}
      noneText={texts.messagesNone}
      read={query => api('GET /admin/messages', { query })}
    >
      {({ messages }, key) => <MessageCards key={key} initial={messages} />}
    </PagedList>
  )
}

/** A message stays in the list even if it no longer matches the filter. */
function MessageCards({ initial }: { initial: readonly AdminMessage[] }) {
  const [messages, setMessages] = useState(initial)
  const update = (changed: AdminMessage) =>
    setMessages(current => current.map(message => (message.id === changed.id ? changed : message)))
  return (
    <ul className="grid gap-3">
      {messages.map(message => (
        <li key={message.id}>
          <MessageCard
            message={message}
            onMark={changes =>
              void toastErrors(
                async () =>
                  update(
                    await api('PATCH /admin/messages/{id}', { ...byId(message), body: changes })
                  ),
                texts.markMessageFailed,
                message.id
              )
            }
            onAnswered={update}
            onRefresh={() =>
              void api('GET /admin/messages/{id}', byId(message)).then(update, assertShopError)
            }
          />
        </li>
      ))}
    </ul>
  )
}

function byId({ id }: AdminMessage) {
  return { params: { id } }
}
