import { useMemo } from 'react'
import { DEFAULT_FILTERS, filtersFromQuery, filtersToQuery, type Filters } from '#lib/catalog-filter.ts'
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
    return filtersFromQuery(new URLSearchParams(query), names)
  }, [query, categories])
  return {
    filters,
    choose: (choice: Partial<Filters>) => pushQuery(queryOf({ ...filters, ...choice })),
    type: (q: string) => replaceQuery(queryOf({ ...filters, q })),
    clear: () => pushQuery(queryOf({ ...DEFAULT_FILTERS, sort: filters.sort }))
  }
}

function queryOf(filters: Filters): string {
  const query = filtersToQuery(filters).toString()
  return query && `?${query}`
}
