import { useId } from 'react'
import type { AdminMessage, MessageMark } from '#lib/contract/content.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Time } from '../../ui/Facts.tsx'

interface MessageCardProps {
  message: AdminMessage
  onMark: (mark: MessageMark) => void
}

export function MessageCard({ message, onMark }: MessageCardProps) {
  const { reference, name, email, message: text, createdAt, readAt, answeredAt } = message
  const id = useId()
  return (
    <article
      aria-labelledby={id}
      className={`card grid gap-3 border-l-4 p-4 ${readAt === null ? 'border-chilli' : 'border-transparent'}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="min-w-0 break-words text-lg">
          {name}
        </h2>
        <p className="text-sm text-ink/70">
          {reference} · <Time iso={createdAt} />
        </p>
      </div>
      <p className="whitespace-pre-line break-words">{text}</p>
      <p role="status" className="text-sm font-semibold">
        {formatState(message)}
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink
          label="Reply by e-mail"
          href={mailTo(message)}
          aria-label={`Reply by e-mail to ${name}`}
          title={email}
          onClick={() => readAt === null && onMark({ read: true })}
        />
        <Button
          label={`Mark as ${readAt === null ? 'read' : 'unread'}`}
          aria-label={`Mark as ${readAt === null ? 'read' : 'unread'}: message from ${name}`}
          onClick={() => onMark({ read: readAt === null })}
        />
        <Button
          label={`Mark as ${answeredAt === null ? 'answered' : 'unanswered'}`}
          aria-label={`Mark as ${answeredAt === null ? 'answered' : 'unanswered'}: message from ${name}`}
          onClick={() => onMark({ answered: answeredAt === null })}
        />
      </div>
    </article>
  )
}

function formatState({ readAt, answeredAt }: AdminMessage): string {
  if (answeredAt !== null) return `Answered ${formatDayAndTime(answeredAt)}`
  return readAt === null ? 'Unread' : 'Read, unanswered'
}

function mailTo({ email, name, reference, message }: AdminMessage): string {
  const quotedText = message.slice(0, 1000).replace(/^/gm, '> ')
  const mailFields = { subject: `Your message ${reference}`, body: `Vanakkam ${name},\n\n\n\n${quotedText}` }
  const params = Object.entries(mailFields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `mailto:${encodeURIComponent(email)}?${params.join('&')}`
}
