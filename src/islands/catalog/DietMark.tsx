import type { Dietary } from '#lib/constants.ts'
import { CARD } from '#lib/product-card-classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { DIETARY_LABELS } from './active-filters.ts'

/** Same markup as components/DietMark.astro. */
export function DietMark({ dietary }: { dietary: Dietary }) {
  const label = DIETARY_LABELS[dietary]
  return (
    <span className="inline-flex items-center gap-2 self-center">
      <span className={CARD.mark} title={label} aria-hidden="true">
        {dietary === 'vegan' ? <Icon name="leaf" className="h-3 w-3 text-leaf" /> : <span className={CARD.dot} />}
      </span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
