import { useStore } from '@nanostores/react'
import { countDown, dropOffer, keepOffer, takeBack, $undo } from '#lib/stores/admin/undo.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What was done last, and for ten seconds the way back; as long as one likes for who has the pointer or the focus on it. */
export function UndoBar() {
  const offer = useStore($undo)
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-4">
      <div role="status" className="contents">
        {offer && (
          <div
            onPointerEnter={keepOffer}
            onPointerLeave={countDown}
            onFocus={keepOffer}
            onBlur={countDown}
            onKeyDown={({ key }) => key === 'Escape' && dropOffer()}
            className="pointer-events-auto flex max-w-full items-center gap-2 rounded-card bg-ink py-1 pl-4 pr-1 text-paper shadow-lg"
          >
            <p className="min-w-0 break-words py-1.5">{offer.text}</p>
            <button
              type="button"
              className="target shrink-0 rounded-full px-4 font-semibold text-turmeric underline underline-offset-4 focus-visible:outline-turmeric"
              onClick={() => void takeBack()}
            >
              Undo
            </button>
            <button
              type="button"
              aria-label="Dismiss"
              className="target shrink-0 rounded-full focus-visible:outline-turmeric"
              onClick={dropOffer}
            >
              <Icon name="close" />
            </button>
          </div>
        )}
      </div>
    </div>
  )
}
