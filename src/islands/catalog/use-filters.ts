import { useMemo } from 'react'
import { DEFAULT_FILTERS, parseFilters, toFilterQuery, type Filters } from '#lib/catalog-filter.ts'
import { DIETARY_LABELS, PRICE_RANGES } from '#lib/constants.ts'
import { currentQuery, pushQuery, replaceQuery, useQuery } from '../ui/history.ts'

export interface Category {
  name: string
  label: string
}

export function useFilters(categories: readonly Category[]) {
  const query = useQuery()
  const parse = (text: string): Filters =>
    parseFilters(
      new URLSearchParams(text),
      categories.map(({ name }) => name)
    )
  const filters = useMemo(() => parse(query), [query, categories])
  return {
    filters,
    changeFilters: (choice: Partial<Filters>) => pushQuery(toQuery({ ...filters, ...choice })),
    // Not from `filters`, which are still empty when the text that was typed before hydration is
    // applied.
    changeSearch: (q: string) => replaceQuery(toQuery({ ...parse(currentQuery()), q })),
    clearFilters: () => pushQuery(toQuery({ ...DEFAULT_FILTERS, sort: filters.sort }))
  }
}

function toQuery(filters: Filters): string {
  const query = toFilterQuery(filters).toString()
  return query && `?${query}`
}

export interface ActiveFilter {
  name: 'category' | 'q' | 'diet' | 'price'
  label: string
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
