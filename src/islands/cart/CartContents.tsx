import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $cartView, clearCart, removeFromCart, restoreToCart } from '#lib/stores/cart.ts'
import { loadLive } from '#lib/stores/live.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CartLines, type Removed } from './CartLines.tsx'
import { CartSummary } from './CartSummary.tsx'

export function CartContents() {
  const { lines, total } = useStore($cartView)
  const [removed, setRemoved] = useState<Removed>()
  const content = useRef<HTMLDivElement>(null)
  useLivePrices(lines.map(({ line }) => line._id))

  // What was pressed goes with what it did, so each of these says where the focus goes instead; at once, since a dialog
  // that is still open lets nothing behind it have it.
  const remove = (line: Removed) => {
    flushSync(() => {
      removeFromCart(line.line)
      setRemoved(line)
    })
    content.current?.querySelector<HTMLElement>('[data-undo]')?.focus()
  }
  const changeAll = (change: () => void) => {
    flushSync(() => {
      change()
      setRemoved(undefined)
    })
    content.current?.focus()
  }

  return (
    <div
      ref={content}
      tabIndex={-1}
      className="grid gap-6 pb-12 outline-none lg:grid-cols-[1fr_22rem] lg:items-start lg:gap-8"
    >
      <CartLines
        lines={lines}
        removed={removed}
        onRemove={remove}
        onUndo={({ line, position }) => changeAll(() => restoreToCart(line, position))}
      />
      {lines.length > 0 ? <CartSummary total={total} onClear={() => changeAll(clearCart)} /> : <EmptyCart />}
    </div>
  )
}

function EmptyCart() {
  return (
    <div className="lg:col-span-2">
      <EmptyState text={MESSAGES.cartEmpty}>
        <a href={paths.products} className="button-primary">
          {MESSAGES.cartContinue}
        </a>
      </EmptyState>
    </div>
  )
}

/** Asks what the products cost and how many are left, again when another one joins them. */
function useLivePrices(productIds: readonly string[]): void {
  const ids = [...new Set(productIds)].sort().join(',')
  useEffect(() => {
    if (ids !== '') void loadLive(ids.split(','))
  }, [ids])
}
