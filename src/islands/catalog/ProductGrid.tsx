import { useStore } from '@nanostores/react'
import type { Ref } from 'react'
import type { CardProduct } from '#lib/catalog-filter.ts'
import { EAGER_CARDS } from '#lib/product-card-classes.ts'
import { $cart, countPacksOfProduct } from '#lib/stores/cart.ts'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { $liveProducts } from '#lib/stores/live-products.ts'
import { ProductCard } from './ProductCard.tsx'

const NO_LINES: readonly CartLine[] = []
const GRID = 'card-grid grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 xl:grid-cols-4'

interface ProductGridProps {
  products: readonly CardProduct[]
  ref: Ref<HTMLUListElement>
}

export function ProductGrid({ products, ref }: ProductGridProps) {
  // Hydration must start with an empty cart, like the prebuilt HTML. `ssr: 'initial'` would start with the stored cart.
  const lines = useStore($cart, { ssr: () => NO_LINES })
  const live = useStore($liveProducts, { ssr: 'initial' })

  return (
    <ul ref={ref} className={GRID}>
      {products.map((product, index) => (
        <li key={product.id}>
          <ProductCard
            product={product}
            quantityInCart={countPacksOfProduct(lines, product._id)}
            deal={live.get(product.id)?.deal?.percent}
            eager={index < EAGER_CARDS}
          />
        </li>
      ))}
    </ul>
  )
}

export function SkeletonGrid() {
  return (
    <div aria-hidden="true" className={GRID}>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="skeleton h-96" />
      ))}
    </div>
  )
}
