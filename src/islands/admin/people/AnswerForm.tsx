import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid, readDraft, saveDraft } from '#lib/browser.ts'
import { CONTACT_LIMITS } from '#lib/constants.ts'
import type { AdminMessage } from '#lib/contract/content.ts'
import { answerMessage } from '#lib/stores/admin/requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { fieldOf, useForm } from '../../ui/use-form.ts'

interface AnswerFormProps {
  message: AdminMessage
  onAnswered: (message: AdminMessage) => void
  onClose: () => void
}

interface Draft {
  id: string
  text: string
}

/** Keeps the text as a draft until it is sent. */
export function AnswerForm({ message: { id, name }, onAnswered, onClose }: AnswerFormProps) {
  const draft = readDraft<Draft>('answer')
  // If no reply arrived, the same text is sent again with the same key. A different text is another answer.
  const latest = useRef({ text: '', key: '' })
  const { form, field, busy, failure, values } = useForm<'text'>({
    names: ['text'],
    initial: { text: draft?.id === id && typeof draft.text === 'string' ? draft.text : '' },
    check: ({ text }) => (text.trim() === '' ? { text: ADMIN_MESSAGES.answerRequired } : {}),
    send: async ({ text }) => {
      if (latest.current.text !== text) latest.current = { text, key: createUuid() }
      onAnswered(await answerMessage(id, latest.current))
      onClose()
    },
    errorText: { title: ADMIN_MESSAGES.answerFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  useEffect(() => fieldOf(form.ref.current, 'text')?.focus(), [form.ref])
  return (
    <form
      {...form}
      aria-label={`Answer to ${name}`}
      className="grid gap-3"
      onInput={() => {
        form.onInput()
        saveDraft('answer', { id, ...values() })
      }}
    >
      <TextArea
        state={field('text')}
        label="Your answer"
        hint={`Begins with “Vanakkam ${name},” and ends with your signature and the message.`}
        rows={6}
        maxLength={CONTACT_LIMITS.answer}
      />
      <Failure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" label={busy ? 'Sending…' : 'Send answer'} busy={busy} />
        <Button label="Cancel" onClick={onClose} />
      </div>
    </form>
  )
}
