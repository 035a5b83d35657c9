import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { t } from '#lib/contract/texts.ts'
import { $undo, dismissUndo, pauseUndo, resumeUndo, undoLast } from '#lib/stores/admin/notices.ts'
import { IconButton } from '../../ui/Button.tsx'

export function UndoBar() {
  const offer = useStore($undo)
  const hasOffer = offer !== undefined
  // In a long table, the Undo button is many Tab presses away.
  useEffect(() => {
    if (!hasOffer) return
    const handleKeyDown = (event: KeyboardEvent) => {
      const isUndo =
        event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      if (!isUndo || isTyping(event.target)) return
      event.preventDefault()
      void undoLast()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [hasOffer])

  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-4">
      <div role="status" className="contents">
        {offer && (
          <div
            data-undo
            onPointerEnter={pauseUndo}
            onPointerLeave={resumeUndo}
            onFocus={pauseUndo}
            onBlur={resumeUndo}
            onKeyDown={({ key }) => key === 'Escape' && dismissUndo()}
            className={
              'pointer-events-auto flex max-w-full items-center gap-2 rounded-card bg-ink py-1 ' +
              'pl-4 pr-1 text-paper shadow-lg'
            }
          >
            <p className="min-w-0 break-words py-1.5">{offer.text}</p>
            <button
              type="button"
              className={
                'target shrink-0 rounded-full px-4 font-semibold text-turmeric underline ' +
                'underline-offset-4 focus-visible:outline-turmeric'
              }
              aria-keyshortcuts="Control+Z"
              onClick={() => void undoLast()}
            >
              {t('Undo')}
              <span className="ml-2 hidden font-normal lg:inline">Ctrl+Z</span>
            </button>
            <IconButton
              icon="close"
              label={t('Dismiss')}
              className="shrink-0 focus-visible:outline-turmeric"
              onClick={dismissUndo}
            />
          </div>
        )}
      </div>
    </div>
  )
}

/** In text fields, Ctrl+Z is the browser's own undo. */
function isTyping(target: EventTarget | null) {
  const field = target instanceof Element ? target.closest('input, textarea, select') : null
  return (
    field !== null &&
    !field.matches('[data-quick]:not([data-typing]), [type=checkbox], [type=radio]')
  )
}
