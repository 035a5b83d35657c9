import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Choices } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { api } from '#lib/api.ts'
import { createUuid } from '#lib/browser.ts'
import { readDraft, saveDraft } from '#lib/stores/storage.ts'
import { CONTACT_LIMITS } from '#lib/constants.ts'
import type { AdminMessage, MessageMark } from '#lib/contract/content.ts'
import { t, text, texts } from '#lib/contract/texts.ts'
import { assertShopError } from '#lib/errors.ts'
import { notifyFailure, toastErrors } from '#lib/stores/admin/notices.ts'
import { createTurns } from '#lib/stores/load-state.ts'
import { formatDayAndTime, SECOND } from '#lib/time.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton, Failure } from '../ui/Buttons.tsx'
import { Time } from '../ui/Facts.tsx'
import { TextArea } from '../ui/Field.tsx'
import { fieldOf, useForm } from '../ui/use-form.ts'
import { AdminFrame } from './ui/AdminFrame.tsx'
import { PagedList } from './ui/FilterBar.tsx'
import { Note } from './ui/views.tsx'

const FILTERS: Choices = [
  ['', text('All messages')],
  ['unread', text('Unread')],
  ['unanswered', text('Unanswered')]
]

export function MessagesPage() {
  return (
    <AdminFrame section="messages">
      <PagedList
        filterName="show"
        filters={FILTERS}
        noun="message"
        emptyText={t('No messages yet.')}
        read={query => api('GET /admin/messages', { query })}
      >
        {({ messages }, key) => <MessageCards key={key} initial={messages} />}
      </PagedList>
    </AdminFrame>
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
          <MessageCard message={message} onChanged={update} />
        </li>
      ))}
    </ul>
  )
}

interface MessageCardProps {
  message: AdminMessage
  onChanged: (message: AdminMessage) => void
}

const REFRESH_INTERVAL = 3 * SECOND
const inTurn = createTurns()

function MessageCard({ message, onChanged }: MessageCardProps) {
  const { id, name, email, phone, readAt, answeredAt, answers } = message
  const readLabel = t(readAt === null ? 'Mark as read' : 'Mark as unread')
  const answeredLabel = t(answeredAt === null ? 'Mark as answered' : 'Mark as unanswered')
  const params = { id }
  const heading = useId()
  const [isAnswering, setIsAnswering] = useState(() => readDraft(`answer ${id}`) !== undefined)
  const answerButton = useRef<HTMLButtonElement>(null)
  const isWaiting = answers.some(({ mail }) => mail === 'waiting')
  // So that no reply overtakes a later one.
  const callInTurn = async (call: () => Promise<AdminMessage>) => {
    const { saved, isLast } = await inTurn(id, message, call)
    if (isLast) onChanged(saved)
  }
  useEffect(() => {
    if (!isWaiting) return undefined
    const refresh = () =>
      void callInTurn(() => api('GET /admin/messages/{id}', { params })).catch(assertShopError)
    const timer = setInterval(refresh, REFRESH_INTERVAL)
    return () => clearInterval(timer)
  })
  const mark = (body: MessageMark) => {
    const save = () => api('PATCH /admin/messages/{id}', { params, body })
    void toastErrors(
      () => callInTurn(save),
      ADMIN_MESSAGES.notSaved(t('Message of {name}', { name })),
      id
    )
  }
  const close = () => {
    saveDraft(`answer ${id}`, undefined)
    // The button must exist again before it can get the focus.
    flushSync(() => setIsAnswering(false))
    // The next answer may be being typed.
    if (document.activeElement === document.body) answerButton.current?.focus()
  }
  return (
    <article
      aria-labelledby={heading}
      className={
        'card grid gap-3 border-l-4 p-4 ' +
        `${readAt === null ? 'border-chilli' : 'border-transparent'}`
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={heading} className="min-w-0 break-words text-lg">
          {name}
        </h2>
        <Note>
          {message.reference} · <Time iso={message.createdAt} />
        </Note>
      </div>
      <p className="-my-2 flex flex-wrap items-center gap-x-4">
        <a
          className="link inline-flex min-h-target min-w-0 items-center [overflow-wrap:anywhere]"
          href={`mailto:${email}`}
        >
          {email}
        </a>
        <CopyButton text={email} />
        {phone !== '' && (
          <a
            className="link inline-flex min-h-target items-center"
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
          >
            {phone}
          </a>
        )}
      </p>
      <p className="whitespace-pre-line break-words">{message.message}</p>
      {answers.length > 0 && (
        <ul aria-label={t('Answers to {name}', { name })} className="grid gap-3">
          {answers.map(({ key, text, answeredBy, createdAt, mail }) => (
            <li key={key} className="rounded-xl bg-cream-deep px-4 py-3">
              <p className="break-words text-sm text-ink/70">
                {answeredBy} · <Time iso={createdAt} /> ·{' '}
                <span
                  role="status"
                  className={mail === 'failed' ? 'font-semibold text-chilli' : undefined}
                >
                  {MAIL_TEXTS[mail]}
                </span>
              </p>
              <p className="whitespace-pre-line break-words">{text}</p>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-sm font-semibold">
        {formatState(message)}
      </p>
      {isAnswering ? (
        <AnswerForm message={message} send={callInTurn} onClose={close} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button
            ref={answerButton}
            label={t(answers.length === 0 ? 'Answer' : 'Answer again')}
            aria-label={t('Answer {name}', { name })}
            onClick={() => {
              setIsAnswering(true)
              if (readAt === null) mark({ read: true })
            }}
          />
          <Button
            label={readLabel}
            aria-label={t('{action}: message from {name}', { action: readLabel, name })}
            onClick={() => mark({ read: readAt === null })}
          />
          <Button
            label={answeredLabel}
            aria-label={t('{action}: message from {name}', { action: answeredLabel, name })}
            onClick={() => mark({ answered: answeredAt === null })}
          />
        </div>
      )}
    </article>
  )
}

const MAIL_TEXTS = texts({
  waiting: 'Waiting to be sent',
  sent: 'Sent',
  failed: 'Not delivered. Check the address, or call.'
})

function formatState({ readAt, answeredAt }: AdminMessage) {
  if (answeredAt !== null) return t('Answered {time}', { time: formatDayAndTime(answeredAt) })
  return t(readAt === null ? 'Unread' : 'Read, unanswered')
}

interface AnswerFormProps {
  message: AdminMessage
  send: (call: () => Promise<AdminMessage>) => Promise<void>
  onClose: () => void
}

function AnswerForm({ message: { id, name }, send, onClose }: AnswerFormProps) {
  const draft = readDraft<{ text: string }>(`answer ${id}`)
  // A text without a reply is sent again with its key. A different text is another answer.
  const latest = useRef({ text: '', key: '' })
  const { form, field, busy, failure, values } = useForm<'text'>({
    names: ['text'],
    initial: { text: typeof draft?.text === 'string' ? draft.text : '' },
    check: ({ text }) => (text.trim() === '' ? { text: ADMIN_MESSAGES.answerRequired } : {}),
    send: async ({ text }) => {
      if (latest.current.text !== text) latest.current = { text, key: createUuid() }
      const request = { params: { id }, body: latest.current }
      await send(() => api('POST /admin/messages/{id}/answers', request))
      if (readDraft<{ text: string }>(`answer ${id}`)?.text === text)
        saveDraft(`answer ${id}`, undefined)
    },
    errorText: { title: t('The answer could not be sent.') },
    onDone: onClose,
    onMissed: error => notifyFailure(t('Your answer to {name} was not sent.', { name }), error)
  })
  useEffect(() => fieldOf(form.ref.current, 'text')?.focus(), [form.ref])
  return (
    <form
      {...form}
      aria-label={t('Answer to {name}', { name })}
      className="grid gap-3"
      onInput={() => {
        form.onInput()
        saveDraft(`answer ${id}`, { ...values(), at: Date.now() })
      }}
    >
      <fieldset disabled={busy} className="contents">
        <TextArea
          state={field('text')}
          label={t('Your answer')}
          hint={t('Begins with “Vanakkam {name},” and ends with your signature and the message.', {
            name
          })}
          rows={6}
          maxLength={CONTACT_LIMITS.answer}
        />
      </fieldset>
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          look="primary"
          label={t(busy ? 'Sending…' : 'Send answer')}
          busy={busy}
        />
        <Button label={t('Cancel')} onClick={onClose} />
      </div>
    </form>
  )
}
