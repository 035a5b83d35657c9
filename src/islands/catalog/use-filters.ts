import { useMemo } from 'react'
import { DEFAULT_FILTERS, parseFilters, toFilterQuery, type Filters } from '#lib/catalog-filter.ts'
import type { CategoryName } from '#lib/constants.ts'
import { pushQuery, replaceQuery, useQuery } from '../ui/history.ts'

export interface Category {
  name: CategoryName
  label: string
}

export function useFilters(categories: readonly Category[]) {
  const query = useQuery()
  const filters = useMemo(() => {
    const names = categories.map(({ name }) => name)
    return parseFilters(new URLSearchParams(query), names)
  }, [query, categories])
  return {
    filters,
    changeFilters: (choice: Partial<Filters>) => pushQuery(toQuery({ ...filters, ...choice })),
    changeSearch: (q: string) => replaceQuery(toQuery({ ...filters, q })),
    clearFilters: () => pushQuery(toQuery({ ...DEFAULT_FILTERS, sort: filters.sort }))
  }
}

function toQuery(filters: Filters): string {
  const query = toFilterQuery(filters).toString()
  return query && `?${query}`
}
