import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CartLine } from '#lib/cart/line.ts'
import type { CardProduct, CollectionLink } from '#lib/catalog-filter.ts'
import { CARDS_PER_PAGE, PREBUILT_PRODUCT_CARDS } from '#lib/constants.ts'
import { formatCount, MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $cart, addToCart, countPacksOfProduct } from '#lib/stores/cart.ts'
import { $liveProducts, loadCatalog } from '#lib/stores/catalog.ts'
import { Button, ButtonLink, Icon } from '../ui/Button.tsx'
import { EmptyState, RetryNotice, StillWaiting } from '../ui/States.tsx'
import { saveShownCount, useShownCount } from '../ui/history.ts'
import type { ActiveFilter, Filters } from './use-filters.ts'
import { ProductCard } from './ProductCard.tsx'

interface ResultsProps {
  found: readonly CardProduct[]
  total: number
  collections: readonly CollectionLink[]
  active: readonly ActiveFilter[]
  complete: boolean
  loading: boolean
  failure: string | undefined
  onRemove: (choice: Partial<Filters>) => void
  onClear: () => void
  noResults: ReactNode
}

export function Results(props: ResultsProps) {
  const {
    found,
    total,
    collections,
    active,
    complete,
    loading,
    failure,
    onRemove,
    onClear,
    noResults
  } = props
  const filtered = active.length > 0
  const empty = complete && !loading && found.length === 0
  const count = complete || filtered ? found.length : total
  return (
    <section aria-label="Products" className="[[data-query]_&]:invisible">
      <h2 className="sr-only">Products</h2>
      <div className="flex min-h-target flex-wrap items-center gap-2 py-3">
        <p role="status" className="mr-2 text-ink/70">
          {loading && filtered ? 'Loading products…' : formatCount(count, 'product')}
        </p>
        {active.map(({ name, label, removal }) => (
          <button
            key={name}
            type="button"
            aria-label={`Remove filter: ${label}`}
            onClick={() => onRemove(removal)}
            className="inline-flex min-h-target max-w-full items-center gap-2 rounded-full bg-turmeric/30 py-1 pl-4 pr-3 text-sm font-semibold hover:bg-turmeric/60"
          >
            <span className="truncate">{label}</span>
            <Icon name="close" className="size-4" />
          </button>
        ))}
        {filtered && !empty && (
          <Button look="link" label="Clear all" className="px-2" onClick={onClear} />
        )}
      </div>
      <RetryNotice
        title={MESSAGES.productsFailed}
        text={failure}
        onRetry={() => void loadCatalog()}
      />
      {loading && <StillWaiting />}
      <ProductGrid found={found} loading={loading} filtered={filtered} />
      {empty && (
        <EmptyState
          text={filtered ? MESSAGES.productsNone : 'Our first products will be here soon.'}
        >
          {filtered &&
            collections.map(({ id, name }) => (
              <ButtonLink
                key={id}
                look="primary"
                label={`See ${name}`}
                href={paths.collection(id)}
              />
            ))}
          <Suspense>{noResults}</Suspense>
          {filtered && (
            <Button
              look={collections.length > 0 || noResults ? 'quiet' : 'primary'}
              label="Clear all filters"
              onClick={onClear}
            />
          )}
        </EmptyState>
      )}
    </section>
  )
}

const NO_LINES: readonly CartLine[] = []
const GRID = 'card-grid grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 xl:grid-cols-4'

interface ProductGridProps {
  found: readonly CardProduct[]
  loading: boolean
  filtered: boolean
}

export function ProductGrid({ found, loading, filtered }: ProductGridProps) {
  // Like the prebuilt HTML. `ssr: 'initial'` would start with the stored cart.
  const lines = useStore($cart, { ssr: () => NO_LINES })
  const live = useStore($liveProducts, { ssr: 'initial' })
  const shown = useShownCount(PREBUILT_PRODUCT_CARDS)
  const grid = useRef<HTMLUListElement>(null)

  const showMore = () => {
    flushSync(() => saveShownCount(shown + CARDS_PER_PAGE))
    grid.current?.children[shown]?.querySelector('a')?.focus()
  }

  return (
    <>
      <ul ref={grid} className={GRID}>
        {found.slice(0, shown).map((product, index) => (
          <li key={product.id} data-category={product.category}>
            <ProductCard
              product={product}
              quantityInCart={countPacksOfProduct(lines, ...(product.sizes ?? [product._id]))}
              deal={live.get(product.id)?.deal?.percent}
              left={live.get(product.id)?.left}
              eager={index === 0}
              onAdd={addToCart}
            />
          </li>
        ))}
      </ul>
      {loading && filtered && (
        <div aria-hidden="true" className={GRID}>
          {Array.from({ length: 8 }, (_, index) => (
            <div key={index} className="skeleton h-96" />
          ))}
        </div>
      )}
      {(found.length > shown || (loading && !filtered)) && (
        <p className="pt-8 text-center [@media(scripting:none)]:hidden">
          <Button label="Load more" disabled={loading} onClick={showMore} />
        </p>
      )}
    </>
  )
}
