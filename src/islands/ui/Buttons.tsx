import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#lib/contract/texts.ts'
import { toErrorText } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { type Notice, notify } from '#lib/stores/toasts.ts'
import { Button } from './Button.tsx'
import { useAttempt, useHydrated } from './hooks.ts'
import { StillWaiting } from './States.tsx'
import { Dialog } from './Dialog.tsx'

interface SubmitButtonProps {
  label: string
  busyLabel: string
  busy: boolean
  secondary?: boolean
}

export function SubmitButton({ label, busyLabel, busy, secondary = false }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <Button
      type="submit"
      look={secondary ? 'quiet' : 'primary'}
      label={busy ? busyLabel : label}
      busy={busy}
      disabled={!hydrated}
      className={secondary ? 'justify-self-start' : 'w-full'}
    />
  )
}

interface ActionButtonProps {
  label: string
  busyLabel: string
  errorTitle: string
  look?: 'primary'
  action: () => Promise<void>
  children: ReactNode
}

export function ActionButton({
  label,
  look,
  busyLabel,
  errorTitle,
  action,
  children
}: ActionButtonProps) {
  const { busy, failure, run } = useAttempt({ title: errorTitle })
  return (
    <div className="grid gap-4">
      <p>{children}</p>
      <Failure failure={failure} busy={busy} />
      <Button
        look={look}
        label={busy ? busyLabel : label}
        busy={busy}
        className="justify-self-start"
        onClick={() => void run(action)}
      />
    </div>
  )
}

interface FailureProps {
  failure: Notice | undefined
  busy?: boolean
  /** A toast announces it, too. */
  hasToast?: boolean
  children?: ReactNode
}

export function Failure({ failure, busy = false, hasToast = false, children }: FailureProps) {
  return (
    <>
      <div role={hasToast ? undefined : 'alert'} className="empty:hidden">
        {failure && (
          <div className="rounded-xl border-2 border-chilli p-4 [overflow-wrap:anywhere]">
            <p className="font-semibold text-chilli">{failure.title}</p>
            <p>{failure.text}</p>
            {children}
          </div>
        )}
      </div>
      {busy && <StillWaiting />}
    </>
  )
}

interface ConfirmButtonProps {
  label: string
  name?: string
  look?: 'quiet' | 'link'
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  busyLabel?: string
  errorTitle?: string
  onConfirm: () => Promise<void> | void
  /** Not if the user has opened something else before the reply. */
  onDone?: (() => void) | undefined
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, look, children, confirmLabel, cancelLabel = t('Cancel') } = props
  const { errorTitle: title = t('This could not be saved.') } = props
  const { busy, failure, run } = useAttempt({ title }, error => {
    if (button.current) return false
    const text = `${name ?? confirmLabel}: ${toErrorText(error, MESSAGES.tryAgain)}`
    notify({ title, text, kind: 'destructive' })
    return true
  })
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)
  // After `Dialog` has focused its first button (Close).
  useEffect(() => {
    if (isOpen) cancel.current?.focus()
  }, [isOpen])
  const confirm = async () => {
    const isDone = await run(async () => props.onConfirm())
    // Opens again to show a failure.
    setIsOpen(!isDone)
    if (isDone && button.current) props.onDone?.()
  }
  return (
    <>
      <Button
        ref={button}
        look={look}
        label={label}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      <Dialog open={isOpen} onClose={close} title={props.title} shape="box">
        <div className="grid gap-4 px-4 pb-4">
          <div>{children}</div>
          <Failure failure={failure} busy={busy} />
          <div className="flex flex-wrap-reverse justify-end gap-3">
            <Button label={cancelLabel} ref={cancel} onClick={close} />
            <Button
              look="primary"
              label={busy ? (props.busyLabel ?? confirmLabel) : confirmLabel}
              busy={busy}
              onClick={() => void confirm()}
            />
          </div>
        </div>
      </Dialog>
    </>
  )
}

export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  if (!('clipboard' in navigator)) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    notify({ title: t('Copied'), text: name })
  }
  const action = t('Copy')
  return (
    <Button
      look="link"
      label={action}
      aria-label={t('{action} {name}', { action, name })}
      onClick={() => void copy()}
    />
  )
}
