import type { CartViewLine } from '#lib/cart-view.ts'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { CartLineRow } from './CartLineRow.tsx'

export interface RemovedLine {
  line: CartLine
  position: number
}

interface CartLinesProps {
  lines: readonly CartViewLine[]
  removed: RemovedLine | undefined
  onRemove: (line: RemovedLine) => void
  onUndo: (removed: RemovedLine) => void
}

export function CartLines({ lines, removed, onRemove, onUndo }: CartLinesProps) {
  const rows = lines.map((view, position) => (
    <li key={`${view.line._id} ${view.line.discount ?? ''}`} className={ROW}>
      <CartLineRow view={view} onRemove={() => onRemove({ line: view.line, position })} />
    </li>
  ))
  if (removed) rows.splice(removed.position, 0, <RemovedRow key="removed" removed={removed} onUndo={onUndo} />)
  return rows.length > 0 && <ul className="card px-4 lg:px-6">{rows}</ul>
}

const ROW = 'border-b border-brass/40 last:border-0'

function RemovedRow({ removed, onUndo }: Required<Pick<CartLinesProps, 'onUndo'>> & { removed: RemovedLine }) {
  const { name } = removed.line
  return (
    <li className={`flex items-center justify-between gap-4 py-3 ${ROW}`}>
      {name} was removed.
      <button
        type="button"
        className="button-quiet"
        data-undo
        aria-label={`Undo: put ${name} back`}
        onClick={() => onUndo(removed)}
      >
        Undo
      </button>
    </li>
  )
}
