import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Failure } from './Buttons.tsx'
import { Dialog } from './Dialog.tsx'
import { useAttempt } from './hooks.ts'

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
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, look, title, children, confirmLabel, cancelLabel = 'Cancel' } = props
  const { busy, failure, run } = useAttempt({ title: props.errorTitle ?? '' })
  const [isOpen, setIsOpen] = useState(false)
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
  }
  return (
    <>
      <Button
        look={look}
        label={label}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      <Dialog open={isOpen} onClose={close} title={title} shape="box">
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
