import { useState, type ReactNode } from 'react'
import { DataTable, type Column } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { useReturnFocus } from './RecordView.tsx'

interface SearchableTableProps<Row, Filter extends string> {
  /** For example 'Products'. */
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  getKey: (row: Row) => string
  actions: (row: Row) => ReactNode
  /** The search looks for its words in these texts. */
  getTexts: (row: Row) => readonly string[]
  filters: Readonly<Record<Filter, { label: string; matches: (row: Row) => boolean }>>
  firstFilter: Filter
  formatCount: (count: number) => string
  noneText: string
  /** Shown beside the filters. */
  children?: ReactNode
}

/** Searches and filters rows that are all in the browser. */
export function SearchableTable<Row, Filter extends string>(props: SearchableTableProps<Row, Filter>) {
  const { caption, rows, filters, getTexts, formatCount, noneText, children, ...table } = props
  const [searchText, setSearchText] = useState('')
  const [filter, setFilter] = useState(props.firstFilter)
  const matching = rows.filter(row => filters[filter].matches(row) && matchesSearch(getTexts(row), searchText))
  useReturnFocus()

  return (
    <div className="grid gap-4">
      <FilterBar
        searchLabel={`Search ${caption.toLowerCase()}`}
        searchText={searchText}
        onSearch={setSearchText}
        filters={filters}
        filter={filter}
        onFilter={setFilter}
      >
        {children}
      </FilterBar>
      <p role="status" className="text-sm text-ink/70">
        {matching.length === 0 ? noneText : formatCount(matching.length)}
      </p>
      {matching.length > 0 && <DataTable {...table} caption={caption} rows={matching} />}
    </div>
  )
}

/** Returns true if each word of the search occurs in one of the texts. */
function matchesSearch(texts: readonly string[], searchText: string): boolean {
  const text = texts.join(' ').toLowerCase()
  const words = searchText.toLowerCase().split(/\s+/)
  return words.every(word => text.includes(word))
}
