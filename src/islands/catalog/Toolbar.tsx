import { useEffect, useId, useRef, useState } from 'react'
import { collapseSpaces } from '#lib/catalog-filter.ts'
import { SORTS } from '#lib/constants.ts'
import { paths } from '#lib/paths.ts'
import { loadMatcher } from '#lib/stores/search.ts'
import { Icon } from '../ui/Button.tsx'
import { flushQuery } from '../ui/history.ts'
import { DEFAULT_FILTERS, toSort, type Filters } from './use-filters.ts'

interface ToolbarProps {
  filters: Filters
  filterCount: number
  onType: (q: string) => void
  onSort: (sort: Filters['sort']) => void
  onOpenFilters: () => void
}

export function Toolbar({ filters, filterCount, onType, onSort, onOpenFilters }: ToolbarProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-3 sm:flex-row [@media(scripting:none)]:hidden">
      <SearchField q={filters.q} onType={onType} />
      <div className="flex flex-wrap gap-2 sm:gap-3">
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
          className="field min-w-32 flex-1 rounded-full pl-3 pr-1 sm:w-52 sm:pl-4 sm:pr-2"
          value={toSort(filters)}
          onChange={event => onSort(event.target.value as Filters['sort'])}
        >
          {filters.q !== '' && <option value={DEFAULT_FILTERS.sort}>Best match</option>}
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

function SearchField({ q, onType }: { q: string; onType: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLInputElement>(null)

  const changeText = (text: string) => {
    setTyped(text)
    onType(collapseSpaces(text))
  }

  // Apply the text that was typed before hydration.
  useEffect(() => {
    if (field.current?.value) changeText(field.current.value)
  }, [])

  return (
    <form
      role="search"
      action={paths.products}
      className="relative flex-1"
      onSubmit={event => {
        event.preventDefault()
        flushQuery()
      }}
    >
      <label htmlFor={FIELD_ID} className="sr-only">
        Search products
      </label>
      <Icon
        name="search"
        className="pointer-events-none absolute left-4 top-3 size-5 text-ink/70"
      />
      <input
        ref={field}
        id={FIELD_ID}
        type="search"
        name="q"
        autoComplete="off"
        enterKeyHint="search"
        placeholder="Search products"
        className="field rounded-full pl-12"
        // Show the text as typed, with its extra spaces, unless the URL contains another search,
        // e.g. after Back.
        value={collapseSpaces(typed) === q ? typed : q}
        onChange={event => changeText(event.target.value)}
        onFocus={() => void loadMatcher()}
        onBlur={flushQuery}
      />
    </form>
  )
}

/** The header's magnifier is a label of this field. */
const FIELD_ID = 'product-search'
