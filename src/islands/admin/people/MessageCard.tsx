import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid, readDraft, saveDraft } from '#lib/browser.ts'
import { CONTACT_LIMITS } from '#lib/constants.ts'
import type { AdminMessage, MessageAnswer, MessageMark } from '#lib/contract/content.ts'
import { api } from '#lib/api.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime, SECOND } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { Time } from '../../ui/Facts.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { fieldOf, useForm } from '../../ui/use-form.ts'

const texts = {
  addressCopied: 'Address copied',
  answerFailed: 'The answer could not be sent.',
  answerWaiting: 'Waiting to be sent',
  answerSent: 'Sent',
  answerNotDelivered: 'Not delivered. Check the address, or call.'
}

interface MessageCardProps {
  message: AdminMessage
  onMark: (mark: MessageMark) => void
  onAnswered: (message: AdminMessage) => void
  /** Called every few seconds while an answer waits to be sent. */
  onRefresh: () => void
}

const REFRESH_INTERVAL = 3 * SECOND

export function MessageCard({ message, onMark, onAnswered, onRefresh }: MessageCardProps) {
  const {
    reference,
    name,
    email,
    phone,
    message: text,
    createdAt,
    readAt,
    answeredAt,
    answers
  } = message
  const readLabel = `Mark as ${readAt === null ? 'read' : 'unread'}`
  const answeredLabel = `Mark as ${answeredAt === null ? 'answered' : 'unanswered'}`
  const id = useId()
  const [isAnswering, setIsAnswering] = useState(
    () => readDraft(`answer ${message.id}`) !== undefined
  )
  const answerButton = useRef<HTMLButtonElement>(null)
  const isWaiting = answers.some(({ mail }) => mail === 'waiting')
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(onRefresh, REFRESH_INTERVAL)
    return () => clearInterval(timer)
  })
  const close = () => {
    saveDraft(`answer ${message.id}`, undefined)
    // The button must exist again before it can get the focus.
    flushSync(() => setIsAnswering(false))
    answerButton.current?.focus()
  }
  return (
    <article
      aria-labelledby={id}
      className={
        'card grid gap-3 border-l-4 p-4 ' +
        `${readAt === null ? 'border-chilli' : 'border-transparent'}`
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="min-w-0 break-words text-lg">
          {name}
        </h2>
        <p className="text-sm text-ink/70">
          {reference} · <Time iso={createdAt} />
        </p>
      </div>
      <p className="-my-2 flex flex-wrap items-center gap-x-4">
        <a
          className="link inline-flex min-h-target min-w-0 items-center [overflow-wrap:anywhere]"
          href={`mailto:${email}`}
        >
          {email}
        </a>
        <CopyButton email={email} />
        {phone !== '' && (
          <a
            className="link inline-flex min-h-target items-center"
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
          >
            {phone}
          </a>
        )}
      </p>
      <p className="whitespace-pre-line break-words">{text}</p>
      {answers.length > 0 && (
        <ul aria-label={`Answers to ${name}`} className="grid gap-3">
          {answers.map(answer => (
            <Answer key={answer.key} answer={answer} />
          ))}
        </ul>
      )}
      <p role="status" className="text-sm font-semibold">
        {formatState(message)}
      </p>
      {isAnswering ? (
        <AnswerForm message={message} onAnswered={onAnswered} onClose={close} />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button
            ref={answerButton}
            label={answers.length === 0 ? 'Answer' : 'Answer again'}
            aria-label={`Answer ${name}`}
            onClick={() => {
              setIsAnswering(true)
              if (readAt === null) onMark({ read: true })
            }}
          />
          <Button
            label={readLabel}
            aria-label={`${readLabel}: message from ${name}`}
            onClick={() => onMark({ read: readAt === null })}
          />
          <Button
            label={answeredLabel}
            aria-label={`${answeredLabel}: message from ${name}`}
            onClick={() => onMark({ answered: answeredAt === null })}
          />
        </div>
      )}
    </article>
  )
}

/** Browsers offer the clipboard only on HTTPS pages and on localhost. */
function CopyButton({ email }: { email: string }) {
  if (!('clipboard' in navigator)) return null
  const copy = async () => {
    await navigator.clipboard.writeText(email)
    notify({ title: texts.addressCopied, text: email })
  }
  return (
    <Button look="link" label="Copy" aria-label={`Copy ${email}`} onClick={() => void copy()} />
  )
}

const MAIL_TEXTS = {
  waiting: texts.answerWaiting,
  sent: texts.answerSent,
  failed: texts.answerNotDelivered
} as const

function Answer({ answer: { text, answeredBy, createdAt, mail } }: { answer: MessageAnswer }) {
  return (
    <li className="rounded-xl bg-cream-deep px-4 py-3">
      <p className="break-words text-sm text-ink/70">
        {answeredBy} · <Time iso={createdAt} /> ·{' '}
        <span role="status" className={mail === 'failed' ? 'font-semibold text-chilli' : undefined}>
          {MAIL_TEXTS[mail]}
        </span>
      </p>
      <p className="whitespace-pre-line break-words">{text}</p>
    </li>
  )
}

function formatState({ readAt, answeredAt }: AdminMessage): string {
  if (answeredAt !== null) return `Answered ${formatDayAndTime(answeredAt)}`
  return readAt === null ? 'Unread' : 'Read, unanswered'
}

interface AnswerFormProps {
  message: AdminMessage
  onAnswered: (message: AdminMessage) => void
  onClose: () => void
}

function AnswerForm({ message: { id, name }, onAnswered, onClose }: AnswerFormProps) {
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
      onAnswered(await api('POST /admin/messages/{id}/answers', request))
      onClose()
    },
    errorText: { title: texts.answerFailed }
  })
  useEffect(() => fieldOf(form.ref.current, 'text')?.focus(), [form.ref])
  return (
    <form
      {...form}
      aria-label={`Answer to ${name}`}
      className="grid gap-3"
      onInput={() => {
        form.onInput()
        saveDraft(`answer ${id}`, values())
      }}
    >
      <fieldset disabled={busy} className="contents">
        <TextArea
          state={field('text')}
          label="Your answer"
          hint={`Begins with “Vanakkam ${name},” and ends with your signature and the message.`}
          rows={6}
          maxLength={CONTACT_LIMITS.answer}
        />
      </fieldset>
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          look="primary"
          label={busy ? 'Sending…' : 'Send answer'}
          busy={busy}
        />
        <Button label="Cancel" onClick={onClose} />
      </div>
    </form>
  )
}
