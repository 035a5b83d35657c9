import { countMatches, type CardProduct, type Filters } from '#lib/catalog-filter.ts'
import { DIETARY_CHOICES, PRICE_RANGES } from '#lib/constants.ts'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { DIETARY_LABELS } from './active-filters.ts'
import type { Category } from './use-filters.ts'

interface FilterPanelProps {
  filters: Filters
  categories: readonly Category[]
  /** The panel shows how many of these products match each filter. Undefined until the whole catalogue is loaded. */
  products: readonly CardProduct[] | undefined
  onSelect: (choice: Partial<Filters>) => void
}

const DIETARY = DIETARY_CHOICES.map(id => ({ id, label: DIETARY_LABELS[id] }))

export function FilterPanel({ filters, categories, products, onSelect }: FilterPanelProps) {
  const count = (choice: Partial<Filters>) => products && countMatches(products, filters, choice)
  return (
    <div className="flex flex-col gap-6">
      <RadioGroup
        legend="Category"
        choices={[{ id: 'all' as const, label: 'All' }, ...categories.map(({ name, label }) => ({ id: name, label }))]}
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
