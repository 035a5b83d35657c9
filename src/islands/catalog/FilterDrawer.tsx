import { useId, useState } from 'react'
import { countMatches, DEFAULT_FILTERS, type CardProduct, type Filters } from '#lib/catalog-filter.ts'
import { formatProductCount } from '#lib/messages.ts'
import { useOverlayHistory } from '../ui/history.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { FilterPanel } from './FilterPanel.tsx'
import type { Category } from './use-filters.ts'

interface DraftProps {
  filters: Filters
  categories: readonly Category[]
  products: readonly CardProduct[] | undefined
  onApply: (filters: Filters) => void
}

export function FilterDrawer({ open, onClose, ...draft }: DraftProps & { open: boolean; onClose: () => void }) {
  useOverlayHistory(open, onClose)
  return (
    <Dialog open={open} onClose={onClose} title="Filters" shape="drawer">
      <DraftFilters {...draft} />
    </Dialog>
  )
}

// Mounted only while the drawer is open, so that it always opens with the current filters.
function DraftFilters({ filters, categories, products, onApply }: DraftProps) {
  const [draft, setDraft] = useState(filters)
  const resultId = useId()
  const { category, diet, price } = DEFAULT_FILTERS
  return (
    <>
      <div className="flex-1 overflow-y-auto overscroll-contain px-4 pb-6">
        <FilterPanel
          filters={draft}
          categories={categories}
          products={products}
          onSelect={choice => setDraft({ ...draft, ...choice })}
        />
      </div>
      <div className="flex flex-col gap-2 border-t border-brass/40 p-4">
        <p id={resultId} aria-live="polite" className="text-center text-sm text-ink/70">
          {products && `Shows ${formatProductCount(countMatches(products, draft, {}))}`}
        </p>
        <button type="button" className="button-primary" aria-describedby={resultId} onClick={() => onApply(draft)}>
          Apply Filters
        </button>
        <button type="button" className="button-quiet" onClick={() => setDraft({ ...draft, category, diet, price })}>
          Clear all
        </button>
      </div>
    </>
  )
}
