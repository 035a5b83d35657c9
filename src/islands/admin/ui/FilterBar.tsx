import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Choices } from '#lib/account/forms.ts'
import { NOUNS, type Noun } from '#lib/admin/messages.ts'
import { saveFile } from '#lib/browser.ts'
import { t } from '#lib/contract/texts.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import { Button, ButtonLink, Icon } from '../../ui/Button.tsx'
import { Options } from '../../ui/Field.tsx'
import { pushQuery, replaceQuery, useQuery } from '../../ui/history.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { Load, viewLink } from './views.tsx'

interface FilterBarProps {
  searchLabel: string
  searchText: string
  onSearch: (text: string) => void
  filters: Choices
  filter: string
  onFilter: (filter: string) => void
  children?: ReactNode
}

export function FilterBar(props: FilterBarProps) {
  const { searchLabel, searchText, onSearch, filters, filter, onFilter, children } = props
  return (
    <StickyBar>
      <SearchBox label={searchLabel} value={searchText} onSearch={onSearch} />
      <FilterSelect label={t('Show')} choices={filters} value={filter} onChange={onFilter} />
      {children}
    </StickyBar>
  )
}

/** Its parent must not be a grid, whose rows would hold the bar. */
export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <div
      data-sticky-bar
      className={
        'sticky top-14 z-20 -mx-4 flex flex-wrap items-center gap-x-3 gap-y-2 bg-cream px-4 ' +
        'py-2'
      }
    >
      {children}
    </div>
  )
}

export function ExportButton({ read, fileName }: { read: () => Promise<Blob>; fileName: string }) {
  const download = async () => saveFile(await read(), fileName)
  const handleClick = () => void toastErrors(download, t('The export failed.'))
  return <Button label={t('Export')} onClick={handleClick} />
}

interface FilterSelectProps {
  label: string
  choices: Choices
  value: string
  onChange: (value: string) => void
}

export function FilterSelect({ label, choices, value, onChange }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      className="field w-auto min-w-[6.5rem] flex-1 sm:flex-none"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <Options choices={choices} />
    </select>
  )
}

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const id = useId()
  return (
    <form
      role="search"
      aria-label={label}
      className="relative min-w-0 flex-1 basis-full sm:basis-60"
      onSubmit={event => event.preventDefault()}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Icon
        name="search"
        className="pointer-events-none absolute left-4 top-3 h-5 w-5 text-ink/70"
      />
      <input
        id={id}
        type="search"
        enterKeyHint="search"
        placeholder={label}
        className="field rounded-full pl-12"
        value={value}
        onChange={event => onSearch(event.target.value)}
      />
    </form>
  )
}

interface ListCountProps {
  count: number
  noun: Noun
  noneText?: string | undefined
}

export function ListCount({ count, noun, noneText }: ListCountProps) {
  const [one, many] = NOUNS[noun]
  return (
    <p role="status" className="text-sm text-ink/70">
      {count === 0
        ? (noneText ?? t('No {things} found.', { things: many }))
        : `${count} ${count === 1 ? one : many}`}
    </p>
  )
}

export function Pagination({ page, pages }: { page: number; pages: number }) {
  const query = useQuery()
  if (pages <= 1 && page <= 1) return null
  const toPage = (target: number) => viewLink(changeQuery(query, { page: String(target) }))
  return (
    <nav aria-label={t('Pages')} className="flex items-center justify-center gap-4">
      {page > 1 && <ButtonLink label={t('Previous')} {...toPage(page - 1)} />}
      <p>{t('Page {page} of {pages}', { page, pages })}</p>
      {page < pages && <ButtonLink label={t('Next')} {...toPage(page + 1)} />}
    </nav>
  )
}

export const SEARCH_DEBOUNCE_MS = 250

interface PagedListProps<Reply> {
  filterName: string
  filters: Choices
  noun: Noun
  emptyText?: string
  read: (request: Readonly<Record<string, string>>) => Promise<Reply>
  children: (reply: Reply, key: string) => ReactNode
}

export function PagedList<Reply extends { count: number; pages: number }>(
  props: PagedListProps<Reply>
) {
  const { filterName, filters, noun, emptyText, read, children } = props
  const query = useQuery()
  const params = new URLSearchParams(query)
  const searchText = params.get('q') ?? ''
  const filter = params.get(filterName) ?? ''
  const page = parsePage(params)
  const search = useDebounced(searchText.trim(), SEARCH_DEBOUNCE_MS)
  const request = {
    ...(search !== '' && { q: search }),
    ...(filter !== '' && { [filterName]: filter }),
    ...(page > 1 && { page: String(page) })
  }
  const key = JSON.stringify(request)
  const things = NOUNS[noun][1]
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        searchLabel={t('Search {things}', { things })}
        searchText={searchText}
        onSearch={text => replaceQuery(changeQuery(query, { q: text }))}
        filters={filters}
        filter={filter}
        onFilter={id => pushQuery(changeQuery(query, { [filterName]: id }))}
      />
      <Load id={key} label={things} read={() => read(request)}>
        {reply => (
          <>
            <ListCount
              count={reply.count}
              noun={noun}
              noneText={key === '{}' ? emptyText : undefined}
            />
            {children(reply, key)}
            <Pagination page={page} pages={reply.pages} />
          </>
        )}
      </Load>
    </div>
  )
}

export function parsePage(params: URLSearchParams): number {
  return Math.max(1, Number(params.get('page')) || 1)
}

/** Resets the page to 1, unless `change` sets a page. */
export function changeQuery(query: string, change: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: '', ...change })) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const changed = params.toString()
  return changed && `?${changed}`
}

export function MoreMenu({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  return (
    <div
      ref={menu}
      className="relative"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        setIsOpen(false)
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={t('More tools')}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="target rounded-full text-xl font-semibold hover:bg-cream-deep md:hidden"
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        onClick={() => setIsOpen(false)}
        className={`absolute right-0 top-full z-10 w-max min-w-[12rem] flex-col gap-2 rounded-card bg-paper p-2 shadow-lg md:static md:flex md:w-auto md:flex-row md:gap-3 md:bg-transparent md:p-0 md:shadow-none ${isOpen ? 'flex' : 'hidden'}`}
      >
        {children}
      </div>
    </div>
  )
}
