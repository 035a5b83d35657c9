import { DEFAULT_FILTERS, type Filters } from '#lib/catalog-filter.ts'
import { PRICE_RANGES } from '#lib/constants.ts'
import type { Category } from './use-filters.ts'

export const DIETARY_LABELS = { all: 'All', vegetarian: 'Vegetarian', vegan: 'Vegan' } as const

export interface ActiveFilter {
  name: 'category' | 'q' | 'diet' | 'price'
  label: string
  /** Applying these values removes the filter. */
  removal: Partial<Filters>
}

export function activeFilters(filters: Filters, categories: readonly Category[]): ActiveFilter[] {
  const labels = {
    q: `“${filters.q}”`,
    category: categories.find(({ name }) => name === filters.category)?.label ?? filters.category,
    diet: DIETARY_LABELS[filters.diet],
    price: PRICE_RANGES.find(({ id }) => id === filters.price)?.label ?? filters.price
  }
  return (['q', 'category', 'diet', 'price'] as const)
    .filter(name => filters[name] !== DEFAULT_FILTERS[name])
    .map(name => ({ name, label: labels[name], removal: { [name]: DEFAULT_FILTERS[name] } }))
}
