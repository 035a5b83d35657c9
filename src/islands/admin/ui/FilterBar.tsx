import type { ReactNode } from 'react'
import { SearchBox } from './SearchBox.tsx'

interface FilterBarProps<Filter extends string> {
  searchLabel: string
  searchText: string
  onSearch: (text: string) => void
  filters: Readonly<Record<Filter, { label: string }>>
  filter: Filter
  onFilter: (filter: Filter) => void
  children?: ReactNode
}

export function FilterBar<Filter extends string>({
  searchLabel,
  searchText,
  onSearch,
  filters,
  filter,
  onFilter,
  children
}: FilterBarProps<Filter>) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox label={searchLabel} value={searchText} onSearch={onSearch} />
      <select
        aria-label="Show"
        className="field w-auto"
        value={filter}
        onChange={({ target }) => onFilter(target.value as Filter)}
      >
        {Object.entries<{ label: string }>(filters).map(([id, { label }]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      {children}
    </div>
  )
}
