import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react'
import { t } from '#lib/contract/texts.ts'
import { IconButton } from './Button.tsx'

const SHAPES = {
  drawer:
    'm-0 ml-auto h-full overflow-hidden max-h-none w-[min(22rem,90vw)] max-w-none translate-x-0 transition-transform [@starting-style]:translate-x-full',
  box: 'm-auto w-[min(28rem,calc(100vw-2rem))] scroll-pb-20 overflow-y-auto rounded-card'
}

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  shape: keyof typeof SHAPES
  children: ReactNode
}

export function Dialog({ open, onClose, title, shape, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const isBackdropPressed = useRef(false)
  const isBackdrop = (event: SyntheticEvent) => event.target === dialog.current

  // In time to give the focus back, also if the dialog is removed while it is open.
  useLayoutEffect(() => {
    const { current: shown } = dialog
    if (open) shown?.showModal()
    return () => shown?.close()
  }, [open])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // Esc. The event of `onClose` comes so late that the dialog may be open again.
      onCancel={event => isBackdrop(event) && onClose()}
      onClose={() => !dialog.current?.open && onClose()}
      // The backdrop's target is the dialog. Selecting a text can end there, so the press counts.
      onPointerDown={event => (isBackdropPressed.current = isBackdrop(event))}
      onClick={event => isBackdrop(event) && isBackdropPressed.current && onClose()}
      className={`bg-paper p-0 text-left text-ink ${SHAPES[shape]}`}
    >
      {open && (
        <div className="flex h-full flex-col">
          <div className="flex items-center justify-between gap-4 py-2 pl-4 pr-2">
            <h2 id={heading} className="text-xl">
              {title}
            </h2>
            <IconButton icon="close" label={t('Close')} onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}
