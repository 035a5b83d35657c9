import { useState, type ReactNode } from 'react'
import { DataTable, type Column } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { useReturnFocus } from './RecordView.tsx'

interface SearchableTableProps<Row extends { id: string }> {
  /** For example 'Products'. */
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  actions?: (row: Row) => ReactNode
  /** The search looks for its words in these texts. */
  getTexts: (row: Row) => readonly string[]
  /** The first filter is selected at the beginning. */
  filters: readonly { label: string; matches: (row: Row) => boolean }[]
  formatCount: (count: number) => string
  noneText: string
  children?: ReactNode
}

/** Searches and filters rows that are all in the browser. */
export function SearchableTable<Row extends { id: string }>(props: SearchableTableProps<Row>) {
  const { caption, rows, filters, getTexts, formatCount, noneText, children, ...table } = props
  const [searchText, setSearchText] = useState('')
  const [filterIndex, setFilterIndex] = useState(0)
  const matching = rows.filter(row => filters[filterIndex]?.matches(row) && matchesSearch(getTexts(row), searchText))
  useReturnFocus()

  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        searchLabel={`Search ${caption.toLowerCase()}`}
        searchText={searchText}
        onSearch={setSearchText}
        filters={filters.map(({ label }, index) => [String(index), label])}
        filter={String(filterIndex)}
        onFilter={index => setFilterIndex(Number(index))}
      >
        {children}
      </FilterBar>
      <p role="status" className="text-sm text-ink/70">
        {matching.length === 0 ? noneText : formatCount(matching.length)}
      </p>
      {matching.length > 0 && <DataTable {...table} caption={caption} rows={matching} getKey={({ id }) => id} />}
    </div>
  )
}

function matchesSearch(texts: readonly string[], searchText: string): boolean {
  const text = texts.join(' ').toLowerCase()
  const words = searchText.toLowerCase().split(/\s+/)
  return words.every(word => text.includes(word))
}
