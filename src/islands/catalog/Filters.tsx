import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { CardProduct } from '#lib/catalog/cards.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { DIETARY, PRICE_RANGES, SORTS } from '#lib/constants.ts'
import { plural, t, texts } from '#lib/contract/texts.ts'
import { DIETARY_LABELS } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { loadMatcher } from '#lib/stores/catalog.ts'
import { Button, Icon } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { flushQuery, useOverlayHistory } from '../ui/history.ts'
import {
  type Category,
  countMatches,
  DEFAULT_FILTERS,
  type Filters,
  toSort
} from './use-filters.ts'

interface FilterChoices {
  filters: Filters
  categories: readonly Category[]
  products: readonly CardProduct[] | undefined
}

type DraftProps = FilterChoices & { onApply: (filters: Filters) => void }

export function FilterDrawer({
  open,
  onClose,
  ...draft
}: DraftProps & { open: boolean; onClose: () => void }) {
  useOverlayHistory(open, onClose)
  return (
    <Dialog open={open} onClose={onClose} title={t('Filters')} shape="drawer">
      <DraftFilters {...draft} />
    </Dialog>
  )
}

// Mounted with the drawer, so that it opens with the current filters.
function DraftFilters({ filters, categories, products, onApply }: DraftProps) {
  const [draft, setDraft] = useState(filters)
  const resultId = useId()
  const { category, diet, price } = DEFAULT_FILTERS
  return (
    <>
      <div className="flex-1 overflow-y-auto overscroll-contain px-4 pb-6">
        <FilterPanel
          filters={draft}
          categories={categories}
          products={products}
          onSelect={choice => setDraft({ ...draft, ...choice })}
        />
      </div>
      <div className="flex flex-col gap-2 border-t border-brass/40 p-4">
        <p id={resultId} aria-live="polite" className="text-center text-sm text-ink/70">
          {products &&
            plural(
              countMatches(products, draft, {}),
              'Shows {count} product',
              'Shows {count} products'
            )}
        </p>
        <Button
          look="primary"
          label={t('Apply Filters')}
          aria-describedby={resultId}
          onClick={() => onApply(draft)}
        />
        <Button
          label={t('Clear all')}
          onClick={() => setDraft({ ...draft, category, diet, price })}
        />
      </div>
    </>
  )
}

type FilterPanelProps = FilterChoices & { onSelect: (choice: Partial<Filters>) => void }

const ALL = { id: 'all', label: '' } as const

export function FilterPanel({ filters, categories, products, onSelect }: FilterPanelProps) {
  const count = (choice: Partial<Filters>) => products && countMatches(products, filters, choice)
  return (
    <div className="flex flex-col gap-6">
      <RadioGroup
        legend={t('Category')}
        choices={[ALL, ...categories.map(({ name, label }) => ({ id: name, label }))]}
        selected={filters.category}
        countResults={category => count({ category })}
        onSelect={category => onSelect({ category })}
      />
      <RadioGroup
        legend={t('Dietary')}
        choices={[ALL, ...DIETARY.map(id => ({ id, label: DIETARY_LABELS[id] }))]}
        selected={filters.diet}
        countResults={diet => count({ diet })}
        onSelect={diet => onSelect({ diet })}
      />
      <RadioGroup
        legend={t('Price')}
        choices={PRICE_RANGES}
        selected={filters.price}
        countResults={price => count({ price })}
        onSelect={price => onSelect({ price })}
      />
    </div>
  )
}

interface RadioGroupProps<Id extends string> {
  legend: string
  choices: readonly { id: Id; label: string }[]
  selected: Id
  countResults: (id: Id) => number | undefined
  onSelect: (id: Id) => void
}

function RadioGroup<Id extends string>(props: RadioGroupProps<Id>) {
  const { legend, choices, selected, countResults, onSelect } = props
  const name = useId()
  return (
    <fieldset>
      <legend className="font-serif text-lg font-semibold">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label
          key={id}
          className="-mx-2 flex min-h-target cursor-pointer items-center gap-3 rounded-xl px-2 hover:bg-cream-deep"
        >
          <input
            type="radio"
            name={name}
            checked={id === selected}
            onChange={() => onSelect(id)}
            aria-describedby={`${name}-${id}`}
            className="size-5 accent-chilli"
          />
          {id === 'all' ? t('All') : label}
          {/* The accessible name must not change with the count. */}
          <span id={`${name}-${id}`} aria-hidden="true" className="ml-auto text-sm text-ink/70">
            {countResults(id)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface ListBarProps {
  filters: Filters
  filterCount: number
  /** The page's heading. */
  title: ReactNode
  count: string
  pincode: ReactNode
  onType: (q: string) => void
  onSort: (sort: Filters['sort']) => void
  onOpenFilters: () => void
}

/** One line that stays below the header. On phones the field covers it while it has the focus. */
export function ListBar(props: ListBarProps) {
  const { filters, filterCount, title, count, pincode, onType, onSort, onOpenFilters } = props
  return (
    <div data-list-bar className="list-bar">
      <div className="mr-auto grid grid-cols-[auto_1fr] items-center max-sm:flex-[1_1_6.5rem]">
        {title}
        <p role="status" className="col-start-2 text-sm leading-4 text-ink/70 max-[359px]:sr-only">
          {count}
        </p>
      </div>
      <div className="contents [@media(scripting:none)]:hidden">
        <SearchField q={filters.q} onType={onType} />
        {pincode}
        <SortField filters={filters} onSort={onSort} />
        <button
          type="button"
          className="chip relative lg:hidden"
          aria-haspopup="dialog"
          onClick={onOpenFilters}
        >
          <Icon name="filter" className="size-5 max-sm:hidden" />
          {t('Filters')}
          {filterCount > 0 && (
            <>
              <span className="max-sm:sr-only"> ({filterCount})</span>
              <span aria-hidden="true" className="filter-count">
                {filterCount}
              </span>
            </>
          )}
        </button>
      </div>
    </div>
  )
}

const SORT_LABELS = texts({
  best: 'Best match',
  'price-low': 'Price: low to high',
  'price-high': 'Price: high to low',
  rating: 'Rating'
})

/** The browser's own list lies, transparent, over a label that is an icon on phones. */
function SortField({ filters, onSort }: Pick<ListBarProps, 'filters' | 'onSort'>) {
  const sorts = filters.q === '' ? SORTS : ([DEFAULT_FILTERS.sort, ...SORTS] as const)
  const sort = toSort(filters)
  return (
    <label className="chip relative justify-center has-[:focus-visible]:outline has-[:focus-visible]:outline-[3px] has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-chilli max-sm:px-0">
      <Icon name="sort" />
      <span className="sr-only">{t('Sort by')}</span>
      <span aria-hidden="true" className="max-sm:hidden">
        {SORT_LABELS[sort]}
      </span>
      <select
        className="absolute inset-0 cursor-pointer opacity-0"
        value={sort}
        onChange={event => onSort(event.target.value as Filters['sort'])}
      >
        {sorts.map(id => (
          <option key={id} value={id}>
            {SORT_LABELS[id]}
          </option>
        ))}
      </select>
    </label>
  )
}

function SearchField({ q, onType }: { q: string; onType: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLInputElement>(null)

  const changeText = (text: string) => {
    setTyped(text)
    onType(toOneLine(text))
  }

  // Text typed before hydration.
  useEffect(() => {
    if (field.current?.value) changeText(field.current.value)
  }, [])

  return (
    <form
      role="search"
      action={paths.products}
      className="pointer-events-none absolute inset-x-4 top-1 z-10 opacity-0 focus-within:pointer-events-auto focus-within:opacity-100 sm:inset-x-6 lg:pointer-events-auto lg:relative lg:inset-auto lg:max-w-md lg:flex-1 lg:opacity-100"
      onSubmit={event => {
        event.preventDefault()
        flushQuery()
      }}
    >
      <label htmlFor={FIELD_ID} className="sr-only">
        {t('Search products')}
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
        placeholder={t('Search products')}
        className="field rounded-full pl-12"
        // Keeps extra spaces, unless the URL has another search, e.g. after Back.
        value={toOneLine(typed) === q ? typed : q}
        onChange={event => changeText(event.target.value)}
        onFocus={() => void loadMatcher()}
        onBlur={flushQuery}
      />
    </form>
  )
}

/** The header's magnifier is a label of this field. */
const FIELD_ID = 'product-search'
