import { useId, useState } from 'react'
import { type CardProduct } from '#lib/catalog-filter.ts'
import { DIETARY_CHOICES, DIETARY_LABELS, PRICE_RANGES } from '#lib/constants.ts'
import { formatProductCount } from '#lib/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useOverlayHistory } from '../ui/history.ts'
import { type Category, countMatches, DEFAULT_FILTERS, type Filters } from './use-filters.ts'

interface FilterChoices {
  filters: Filters
  categories: readonly Category[]
  products: readonly CardProduct[] | undefined
}

type DraftProps = FilterChoices & { onApply: (filters: Filters) => void }

export function FilterDrawer({
  open,
  onClose,
  ...draft
}: DraftProps & { open: boolean; onClose: () => void }) {
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
        <Button
          look="primary"
          label="Apply Filters"
          aria-describedby={resultId}
          onClick={() => onApply(draft)}
        />
        <Button label="Clear all" onClick={() => setDraft({ ...draft, category, diet, price })} />
      </div>
    </>
  )
}

type FilterPanelProps = FilterChoices & { onSelect: (choice: Partial<Filters>) => void }

const DIETARY = DIETARY_CHOICES.map(id => ({ id, label: DIETARY_LABELS[id] }))

export function FilterPanel({ filters, categories, products, onSelect }: FilterPanelProps) {
  const count = (choice: Partial<Filters>) => products && countMatches(products, filters, choice)
  return (
    <div className="flex flex-col gap-6">
      <RadioGroup
        legend="Category"
        choices={[
          { id: 'all' as const, label: 'All' },
          ...categories.map(({ name, label }) => ({ id: name, label }))
        ]}
        selected={filters.category}
        countResults={category => count({ category })}
        onSelect={category => onSelect({ category })}
      />
      <RadioGroup
        legend="Dietary"
        choices={DIETARY}
        selected={filters.diet}
        countResults={diet => count({ diet })}
        onSelect={diet => onSelect({ diet })}
      />
      <RadioGroup
        legend="Price"
        choices={PRICE_RANGES}
        selected={filters.price}
        countResults={price => count({ price })}
        onSelect={price => onSelect({ price })}
      />
    </div>
  )
}

interface RadioGroupProps<Id extends string> {
  legend: string
  choices: readonly { id: Id; label: string }[]
  selected: Id
  countResults: (id: Id) => number | undefined
  onSelect: (id: Id) => void
}

function RadioGroup<Id extends string>(props: RadioGroupProps<Id>) {
  const { legend, choices, selected, countResults, onSelect } = props
  const name = useId()
  return (
    <fieldset>
      <legend className="font-serif text-lg font-semibold">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label
          key={id}
          className="-mx-2 flex min-h-target cursor-pointer items-center gap-3 rounded-xl px-2 hover:bg-cream-deep"
        >
          <input
            type="radio"
            name={name}
            checked={id === selected}
            onChange={() => onSelect(id)}
            aria-describedby={`${name}-${id}`}
            className="size-5 accent-chilli"
          />
          {label}
          {/* Hidden from the accessible name, which must stay the same when the count changes. */}
          <span id={`${name}-${id}`} aria-hidden="true" className="ml-auto text-sm text-ink/70">
            {countResults(id)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
