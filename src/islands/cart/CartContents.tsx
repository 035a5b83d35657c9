import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CartView } from '#lib/cart-view.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { removeFromCart, restoreToCart } from '#lib/stores/cart.ts'
import { $cartView } from '#lib/stores/cart-shown.ts'
import { clearEverywhere } from '#lib/stores/cart-sync.ts'
import { requote } from '#lib/stores/quote.ts'
import { $token } from '#lib/stores/stored-session.ts'
import { Checkout } from '../checkout/Checkout.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CartLines, type Removed } from './CartLines.tsx'
import { CartTotal } from './CartTotal.tsx'
import { ClearCart } from './ClearCart.tsx'

export function CartContents({ shopName }: { shopName: string }) {
  const view = useStore($cartView)
  const [removed, setRemoved] = useState<Removed>()
  const content = useRef<HTMLDivElement>(null)
  useQuote(view)

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

  const rows = (
    <CartLines
      lines={view.lines}
      removed={removed}
      onRemove={remove}
      onUndo={({ line, position }) => changeAll(() => restoreToCart(line, position))}
    />
  )
  const lines = (
    <div>
      {rows}
      <div className="flex flex-wrap items-center justify-between gap-3 pt-4">
        <a href={paths.products} className="button-quiet">
          {MESSAGES.cartContinue}
        </a>
        <ClearCart onClear={() => changeAll(() => void clearEverywhere())} />
      </div>
    </div>
  )
  return (
    <div
      ref={content}
      tabIndex={-1}
      className="grid gap-6 pb-12 outline-none lg:grid-cols-[1fr_24rem] lg:items-start lg:gap-8"
    >
      {view.lines.length > 0 ? (
        <Checkout view={view} shopName={shopName} lines={lines} total={<CartTotal total={view.total} />} />
      ) : (
        <div className="lg:col-span-2">
          {rows}
          <EmptyCart />
        </div>
      )}
    </div>
  )
}

function EmptyCart() {
  return (
    <EmptyState text={MESSAGES.cartEmpty}>
      <a href={paths.products} className="button-primary">
        {MESSAGES.cartContinue}
      </a>
    </EmptyState>
  )
}

/** Asks what the cart costs: at first, when another product joins it, when somebody logs in, and when it is looked at again. */
function useQuote({ lines }: CartView): void {
  const token = useStore($token)
  const ids = lines
    .map(({ line }) => `${line._id} ${line.dealId ?? ''}`)
    .sort()
    .join(',')

  useEffect(() => {
    if (ids === '') return
    void requote()
    const look = () => void (document.visibilityState === 'visible' && requote())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [ids, token])
}
