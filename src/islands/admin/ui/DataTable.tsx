import { type ReactNode, useState } from 'react'
import { NOUNS, type Noun } from '#lib/admin/messages.ts'
import { toSearchText } from '#lib/contract/formats.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import type { Picture as PictureData } from '#lib/contract/values.ts'
import { Picture } from '../../ui/Picture.tsx'
import { FilterBar, ListCount } from './FilterBar.tsx'
import { useReturnFocus, viewLink } from './views.tsx'

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  numeric?: boolean
  isFullWidth?: boolean
  isOnlyInTable?: boolean
}

interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getKey: (row: Row) => string
  actions?: (row: Row) => ReactNode
  selection?: {
    selected: ReadonlySet<string>
    onSelect: (selected: ReadonlySet<string>) => void
    getLabel: (row: Row) => string
  }
}

/** Narrow screens show cards. Changing `display` removes the built-in roles of a table. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, getKey, actions, selection } = props
  const areAllSelected = rows.length > 0 && rows.every(row => selection?.selected.has(getKey(row)))
  const selectAll = () => selection?.onSelect(new Set(areAllSelected ? [] : rows.map(getKey)))
  const toggle = (id: string) => {
    const next = new Set(selection?.selected)
    if (!next.delete(id)) next.add(id)
    selection?.onSelect(next)
  }
  return (
    <table role="table" className="block w-full border-collapse xl:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="block xl:table-header-group">
        <tr
          role="row"
          className="block border-brass/60 text-sm text-ink/70 xl:table-row xl:border-b"
        >
          {selection && (
            <th role="columnheader" scope="col" className="block text-left xl:table-cell xl:w-12">
              <Checkbox label={t('Select all')} checked={areAllSelected} onChange={selectAll}>
                <span className="px-2 xl:hidden">{t('Select all')}</span>
              </Checkbox>
            </th>
          )}
          {columns.map(({ label, numeric, isOnlyInTable }) => (
            <th
              key={label}
              role="columnheader"
              scope="col"
              className={
                'font-semibold xl:not-sr-only xl:table-cell xl:px-2 xl:py-2 ' +
                `${numeric ? 'text-right' : 'text-left'} ` +
                `${isOnlyInTable ? 'hidden' : 'sr-only'}`
              }
            >
              {t(label)}
            </th>
          ))}
          {actions && (
            <th role="columnheader" scope="col" className="sr-only xl:not-sr-only xl:table-cell">
              <span className="sr-only">{t('Actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 md:grid-cols-2 xl:table-row-group">
        {rows.map(row => (
          <tr
            key={getKey(row)}
            role="row"
            className={
              'card relative grid grid-cols-2 content-start gap-x-4 gap-y-3 p-4 xl:table-row ' +
              'xl:rounded-none xl:border-b xl:border-brass/30 xl:bg-transparent xl:shadow-none'
            }
          >
            {selection && (
              <td role="cell" className="absolute right-1 top-1 xl:static xl:table-cell">
                <Checkbox
                  label={selection.getLabel(row)}
                  checked={selection.selected.has(getKey(row))}
                  onChange={() => toggle(getKey(row))}
                />
              </td>
            )}
            {columns.map((column, index) => (
              <Cell
                key={column.label}
                {...column}
                isRowHeader={index === 0}
                row={row}
                hasCheckbox={selection !== undefined}
              />
            ))}
            {actions && (
              <td
                role="cell"
                className={
                  'col-span-full xl:table-cell xl:px-2 xl:py-2 xl:text-right ' +
                  'xl:[&_button]:whitespace-nowrap'
                }
              >
                {actions(row)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps<Row> extends Column<Row> {
  row: Row
  isRowHeader: boolean
  hasCheckbox: boolean
}

function Cell<Row>(props: CellProps<Row>) {
  const { label, cell, numeric, isFullWidth, isOnlyInTable, row, isRowHeader, hasCheckbox } = props
  if (isRowHeader) {
    return (
      <th
        role="rowheader"
        scope="row"
        className={
          'col-span-full min-w-0 text-left font-semibold xl:table-cell xl:min-w-44 xl:px-2 ' +
          `xl:py-2 ${hasCheckbox ? 'pr-12 xl:pr-2' : ''}`
        }
      >
        {cell(row)}
      </th>
    )
  }
  return (
    <td
      role="cell"
      className={
        `min-w-0 xl:px-2 xl:py-2 ${isOnlyInTable ? 'hidden' : ''} xl:table-cell ` +
        `${isFullWidth ? 'col-span-full' : ''} ${numeric ? 'xl:text-right' : ''}`
      }
    >
      <span aria-hidden="true" className="block text-sm text-ink/70 xl:hidden">
        {t(label)}
      </span>
      {cell(row)}
    </td>
  )
}

interface CheckboxProps {
  label: string
  checked: boolean
  onChange: () => void
  children?: ReactNode
}

function Checkbox({ label, checked, onChange, children }: CheckboxProps) {
  return (
    <label className="target cursor-pointer">
      <input
        type="checkbox"
        className="h-5 w-5 accent-chilli"
        checked={checked}
        aria-label={label}
        onChange={onChange}
      />
      {children}
    </label>
  )
}

export function Badge({ text }: { text: string }) {
  return <span className="rounded-full bg-turmeric/40 px-2 text-sm font-semibold">{text}</span>
}

interface SearchableTableProps<Row> extends Omit<DataTableProps<Row>, 'getKey'> {
  getTexts: (row: Row) => readonly string[]
  filters: readonly { label: string; matches: (row: Row) => boolean }[]
  noun: Noun
  noneText?: string
  children?: ReactNode
}

export function SearchableTable<Row extends { id: string }>(props: SearchableTableProps<Row>) {
  const { rows, filters, getTexts, noun, noneText, children, ...table } = props
  const [searchText, setSearchText] = useState('')
  const [filterIndex, setFilterIndex] = useState(0)
  const matching = rows.filter(
    row => filters[filterIndex]?.matches(row) && matchesSearch(getTexts(row), searchText)
  )
  useReturnFocus()

  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        searchLabel={t('Search {things}', { things: NOUNS[noun][1] })}
        searchText={searchText}
        onSearch={setSearchText}
        filters={filters.map(({ label }, index) => [String(index), label])}
        filter={String(filterIndex)}
        onFilter={index => setFilterIndex(Number(index))}
      >
        {children}
      </FilterBar>
      <ListCount count={matching.length} noun={noun} noneText={noneText} />
      {matching.length > 0 && <DataTable {...table} rows={matching} getKey={({ id }) => id} />}
    </div>
  )
}

export function matchesSearch(texts: readonly string[], searchText: string): boolean {
  const text = toSearchText(texts.join(' '))
  const words = toSearchText(searchText).split(' ')
  return words.every(word => text.includes(word))
}

interface PictureCellProps {
  query: Readonly<Record<string, string>>
  picture: PictureData | null | undefined
  image: string
  isWide?: boolean
  title: string
  children: ReactNode
}

export function PictureCell(props: PictureCellProps) {
  const { query, picture, image, isWide = false, title, children } = props
  return (
    <a {...viewLink(query)} className="flex min-h-target items-center gap-3 hover:text-chilli">
      <span
        className={
          'block h-14 shrink-0 overflow-hidden rounded-xl bg-cream-deep ' +
          `${isWide ? 'w-20' : 'w-14'}`
        }
      >
        {image !== '' && (
          <Picture
            picture={picture}
            image={image}
            sizes={isWide ? '80px' : '56px'}
            maxWidth={240}
          />
        )}
      </span>
      <span className="min-w-0">
        <span lang={langOf(title)} className="block break-words">
          {title}
        </span>
        {children}
      </span>
    </a>
  )
}
