import { useId, type ReactNode } from 'react'

export interface Column<Row> {
  id: string
  label: string
  cell: (row: Row) => ReactNode
  /** Right-aligned. */
  numeric?: boolean
  /** Full width in the cards on phones. */
  wide?: boolean
  /** Hidden on phones, or on all but wide screens. */
  only?: keyof typeof VISIBILITY
}

const VISIBILITY = { table: 'hidden md:table-cell', 'wide table': 'hidden xl:table-cell' } as const
const ALWAYS_VISIBLE = 'md:table-cell'

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** Label of the checkbox: 'Select order PG-1042'. */
  labelOf: (row: Row) => string
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string
  /** The first column is the row header. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  actions?: (row: Row) => ReactNode
  selection?: Selection<Row>
}

/**
 * A list of cards on phones. The explicit roles are needed because browsers drop the table semantics when `display`
 * changes.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf, actions, selection }: DataTableProps<Row>) {
  return (
    <table role="table" className="block w-full border-collapse md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-brass/60 text-sm text-ink/70">
          {selection && <SelectAll rows={rows} keyOf={keyOf} {...selection} />}
          {columns.map(({ id, label, numeric, only }) => (
            <th
              key={id}
              role="columnheader"
              scope="col"
              className={`px-3 py-2 font-semibold ${numeric ? 'text-right' : 'text-left'} ${only ? VISIBILITY[only] : ALWAYS_VISIBLE}`}
            >
              {label}
            </th>
          ))}
          {actions && (
            <th role="columnheader" scope="col" className="px-3 py-2">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 md:table-row-group">
        {rows.map(row => (
          <tr
            key={keyOf(row)}
            role="row"
            className="card relative grid grid-cols-2 gap-x-4 gap-y-3 p-4 md:table-row md:rounded-none md:border-b md:border-brass/30 md:bg-transparent md:shadow-none"
          >
            {selection && <SelectRow row={row} id={keyOf(row)} {...selection} />}
            {columns.map((column, at) => (
              <Cell key={column.id} column={column} isName={at === 0} row={row} hasCheckbox={selection !== undefined} />
            ))}
            {actions && (
              <td role="cell" className="col-span-2 md:table-cell md:px-3 md:py-2 md:text-right">
                {actions(row)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps<Row> {
  column: Column<Row>
  row: Row
  isName: boolean
  /** Leaves room for the checkbox in the corner of the card. */
  hasCheckbox: boolean
}

function Cell<Row>({ column: { label, cell, numeric, wide, only }, row, isName, hasCheckbox }: CellProps<Row>) {
  if (isName) {
    return (
      <th
        role="rowheader"
        scope="row"
        className={`col-span-2 min-w-0 text-left font-semibold md:table-cell md:px-3 md:py-2 ${hasCheckbox ? 'pr-12 md:pr-3' : ''}`}
      >
        {cell(row)}
      </th>
    )
  }
  return (
    <td
      role="cell"
      className={`min-w-0 md:px-3 md:py-2 ${only ? VISIBILITY[only] : ALWAYS_VISIBLE} ${wide ? 'col-span-2' : ''} ${numeric ? 'tabular-nums md:text-right' : ''}`}
    >
      <span aria-hidden="true" className="block text-sm text-ink/70 md:hidden">
        {label}
      </span>
      {cell(row)}
    </td>
  )
}

const BOX = 'h-5 w-5 accent-chilli'

interface SelectAllProps<Row> extends Selection<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

function SelectAll<Row>({ rows, keyOf, selected, onSelect }: SelectAllProps<Row>) {
  const all = rows.length > 0 && rows.every(row => selected.has(keyOf(row)))
  return (
    <th role="columnheader" scope="col" className="w-12">
      <label className="target cursor-pointer">
        <input
          type="checkbox"
          className={BOX}
          checked={all}
          aria-label="Select all"
          onChange={() => onSelect(new Set(all ? [] : rows.map(keyOf)))}
        />
      </label>
    </th>
  )
}

function SelectRow<Row>({ row, id, selected, onSelect, labelOf }: Selection<Row> & { row: Row; id: string }) {
  const field = useId()
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <td role="cell" className="absolute right-1 top-1 md:static md:table-cell">
      <label htmlFor={field} className="target cursor-pointer">
        <input
          id={field}
          type="checkbox"
          className={BOX}
          checked={selected.has(id)}
          aria-label={labelOf(row)}
          onChange={toggle}
        />
      </label>
    </td>
  )
}
