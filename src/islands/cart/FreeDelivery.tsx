import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { CartView } from '#lib/cart/view.ts'
import type { CardProduct } from '#lib/catalog/cards.ts'
import { t } from '#lib/contract/texts.ts'
import { formatShort } from '#lib/delivery/place.ts'
import { toRupees } from '#lib/money.ts'
import { $cart, addToCart, countPacksOfProduct } from '#lib/stores/cart.ts'
import { $delivery } from '#lib/stores/delivery.ts'
import { ProductCard } from '../catalog/ProductCard.tsx'

/** Not live, because the total is: each change would be announced twice. */
export function FreeDelivery({ view: { goods, missingForFree } }: { view: CartView }) {
  const { reply } = useStore($delivery)
  const lines = useStore($cart)
  // While a button has the focus, the cards stay as they are.
  const [held, setHeld] = useState<readonly CardProduct[]>()
  if (missingForFree === undefined) return null
  const isFree = missingForFree === 0
  const fitting = isFree ? [] : (reply?.suggestions ?? [])
  const shown = held ?? fitting.filter(product => countPacksOfProduct(lines, product.id) === 0)
  return (
    <div className="mt-3 grid gap-3 rounded-card bg-cream-deep p-4">
      <p className={`font-semibold ${isFree ? 'text-leaf' : ''}`}>
        {isFree
          ? t('Your delivery is free')
          : t('{amount} more for free delivery', { amount: formatShort(toRupees(missingForFree)) })}
      </p>
      <div aria-hidden="true" className="rounded-full bg-ink/10">
        <div
          className="h-2 rounded-full bg-leaf"
          style={{ width: `${(100 * goods) / (goods + missingForFree)}%` }}
        />
      </div>
      <ul
        className="flex gap-3 overflow-x-auto empty:hidden"
        // Safari does not focus what is tapped.
        onClick={({ target }) => (target as Element).closest('button')?.focus()}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setHeld(undefined)
        }}
      >
        {shown.map(product => (
          <li key={product.id} className="w-[88%] shrink-0 sm:w-96 xl:w-auto xl:flex-1">
            <ProductCard
              product={product}
              deal={undefined}
              look="small"
              quantityInCart={countPacksOfProduct(lines, product.id)}
              onAdd={added => {
                setHeld(shown)
                addToCart(added)
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
