import { useId, type ReactNode } from 'react'

export interface Column<Row> {
  id: string
  label: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  numeric?: boolean
  /** On a phone the whole width of the card instead of half of it. */
  wide?: boolean
  /** Left out of the cards of a phone, or even of tables that are not wide; the first column says it there if it must. */
  only?: keyof typeof PLACES
}

const PLACES = { table: 'hidden md:table-cell', 'wide table': 'hidden xl:table-cell' } as const
const EVERYWHERE = 'md:table-cell'

/** Rows that are chosen, for what is done with many at once. */
export interface Selection<Row> {
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  /** What the box of a row is called: 'Choose order PG-1042'. */
  labelOf: (row: Row) => string
}

interface DataTableProps<Row> {
  /** What the table is, for those who don't see what stands around it. */
  caption: string
  /** The first one names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What stands in a last column without a heading. */
  actions?: (row: Row) => ReactNode
  selection?: Selection<Row>
}

/**
 * A table that becomes a list of cards on a phone. The roles are written out, because a browser forgets that a table is
 * one when it is drawn as something else.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf, actions, selection }: DataTableProps<Row>) {
  return (
    <table role="table" className="block w-full border-collapse md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-brass/60 text-sm text-ink/70">
          {selection && <ChooseAll rows={rows} keyOf={keyOf} {...selection} />}
          {columns.map(({ id, label, numeric, only }) => (
            <th
              key={id}
              role="columnheader"
              scope="col"
              className={`px-3 py-2 font-semibold ${numeric ? 'text-right' : 'text-left'} ${only ? PLACES[only] : EVERYWHERE}`}
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
            {selection && <ChooseRow row={row} id={keyOf(row)} {...selection} />}
            {columns.map((column, at) => (
              <Cell key={column.id} column={column} isName={at === 0} row={row} narrowed={selection !== undefined} />
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
  /** A box stands in the card's corner. */
  narrowed: boolean
}

function Cell<Row>({ column: { label, cell, numeric, wide, only }, row, isName, narrowed }: CellProps<Row>) {
  if (isName) {
    return (
      <th
        role="rowheader"
        scope="row"
        className={`col-span-2 min-w-0 text-left font-semibold md:table-cell md:px-3 md:py-2 ${narrowed ? 'pr-12 md:pr-3' : ''}`}
      >
        {cell(row)}
      </th>
    )
  }
  return (
    <td
      role="cell"
      className={`min-w-0 md:px-3 md:py-2 ${only ? PLACES[only] : EVERYWHERE} ${wide ? 'col-span-2' : ''} ${numeric ? 'tabular-nums md:text-right' : ''}`}
    >
      <span aria-hidden="true" className="block text-sm text-ink/70 md:hidden">
        {label}
      </span>
      {cell(row)}
    </td>
  )
}

const BOX = 'h-5 w-5 accent-chilli'

interface ChooseAllProps<Row> extends Selection<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

function ChooseAll<Row>({ rows, keyOf, chosen, onChoose }: ChooseAllProps<Row>) {
  const all = rows.length > 0 && rows.every(row => chosen.has(keyOf(row)))
  return (
    <th role="columnheader" scope="col" className="w-12">
      <label className="target cursor-pointer">
        <input
          type="checkbox"
          className={BOX}
          checked={all}
          aria-label="Choose all"
          onChange={() => onChoose(new Set(all ? [] : rows.map(keyOf)))}
        />
      </label>
    </th>
  )
}

function ChooseRow<Row>({ row, id, chosen, onChoose, labelOf }: Selection<Row> & { row: Row; id: string }) {
  const field = useId()
  const choose = () => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    <td role="cell" className="absolute right-1 top-1 md:static md:table-cell">
      <label htmlFor={field} className="target cursor-pointer">
        <input
          id={field}
          type="checkbox"
          className={BOX}
          checked={chosen.has(id)}
          aria-label={labelOf(row)}
          onChange={choose}
        />
      </label>
    </td>
  )
}
