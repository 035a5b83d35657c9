import type { Dietary } from '#lib/constants.ts'
import { DIETARY_LABELS } from '#lib/messages.ts'
import { Icon } from '../ui/Button.tsx'

interface DietMarkProps {
  dietary: Dietary
  withLabel?: boolean
}

/** The mark that Indian law asks for: a green dot in a square, or a leaf for vegan food. */
export function DietMark({ dietary, withLabel = false }: DietMarkProps) {
  const label = DIETARY_LABELS[dietary]
  return (
    <span className="inline-flex items-center gap-2 self-center">
      <span
        className="inline-grid size-4 shrink-0 place-items-center rounded-sm border-2 border-leaf"
        title={label}
        aria-hidden="true"
      >
        {dietary === 'vegan' ? (
          <Icon name="leaf" className="size-3 text-leaf" />
        ) : (
          <span className="size-1.5 rounded-full bg-leaf forced-colors:bg-[CanvasText]" />
        )}
      </span>
      <span className={withLabel ? 'font-semibold text-leaf' : 'sr-only'}>{label}</span>
    </span>
  )
}
