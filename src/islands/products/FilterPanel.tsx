import { countWith, type CardProduct, type Filters } from '#lib/catalog-filter.ts'
import { DIETARY_CHOICES, PRICE_RANGES } from '#lib/constants.ts'
import { Choices } from '../ui/Choices.tsx'
import { DIETARY_LABELS } from './chosen-filters.ts'
import type { Category } from './use-filters.ts'

interface FilterPanelProps {
  filters: Filters
  categories: readonly Category[]
  /** For the counts; undefined until the whole catalogue is loaded. */
  products: readonly CardProduct[] | undefined
  onChoose: (choice: Partial<Filters>) => void
}

const DIETARY = DIETARY_CHOICES.map(id => ({ id, label: DIETARY_LABELS[id] }))

export function FilterPanel({ filters, categories, products, onChoose }: FilterPanelProps) {
  const count = (choice: Partial<Filters>) => products && countWith(products, filters, choice)
  return (
    <div className="flex flex-col gap-6">
      <Choices
        legend="Category"
        choices={[{ id: 'all' as const, label: 'All' }, ...categories.map(({ name, label }) => ({ id: name, label }))]}
        chosen={filters.category}
        count={category => count({ category })}
        onChoose={category => onChoose({ category })}
      />
      <Choices
        legend="Dietary"
        choices={DIETARY}
        chosen={filters.diet}
        count={diet => count({ diet })}
        onChoose={diet => onChoose({ diet })}
      />
      <Choices
        legend="Price"
        choices={PRICE_RANGES}
        chosen={filters.price}
        count={price => count({ price })}
        onChoose={price => onChoose({ price })}
      />
    </div>
  )
}
