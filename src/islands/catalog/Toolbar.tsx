import { useId } from 'react'
import type { Filters } from '#lib/catalog-filter.ts'
import { SORTS, type SortId } from '#lib/constants.ts'
import { Icon } from '../ui/Icon.tsx'
import { SearchField } from './SearchField.tsx'

interface ToolbarProps {
  filters: Filters
  /** Number of active filters, not counting the search. */
  filterCount: number
  onType: (q: string) => void
  onSort: (sort: SortId) => void
  onOpenFilters: () => void
}

export function Toolbar({ filters, filterCount, onType, onSort, onOpenFilters }: ToolbarProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-3 sm:flex-row [@media(scripting:none)]:hidden">
      <SearchField q={filters.q} onType={onType} />
      <div className="flex gap-2 sm:gap-3">
        <button
          type="button"
          className="button-quiet px-3 sm:px-5 lg:hidden"
          aria-haspopup="dialog"
          onClick={onOpenFilters}
        >
          <Icon name="filter" />
          Filters{filterCount > 0 && ` (${filterCount})`}
        </button>
        <label htmlFor={id} className="sr-only">
          Sort by
        </label>
        <select
          id={id}
          className="field min-w-0 flex-1 rounded-full pl-3 pr-1 sm:w-52 sm:pl-4 sm:pr-2"
          value={filters.sort}
          onChange={event => onSort(event.target.value as SortId)}
        >
          {SORTS.map(sort => (
            <option key={sort.id} value={sort.id}>
              {sort.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
