import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CartLine } from '#lib/cart/line.ts'
import type { CardProduct, CollectionLink } from '#lib/catalog/cards.ts'
import { CARDS_PER_PAGE, PREBUILT_PRODUCT_CARDS } from '#lib/constants.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import { CARD } from '#lib/product.ts'
import { $cart, addToCart, countPacksOfProduct } from '#lib/stores/cart.ts'
import { $liveProducts, loadCatalog } from '#lib/stores/catalog.ts'
import { Button, ButtonLink, Icon } from '../ui/Button.tsx'
import { EmptyState, RetryNotice, StillWaiting } from '../ui/States.tsx'
import { saveShownCount, useShownCount } from '../ui/history.ts'
import type { ActiveFilter, DescribedCategory, Filters } from './use-filters.ts'
import { ProductCard } from './ProductCard.tsx'

interface ResultsProps {
  found: readonly CardProduct[]
  category: DescribedCategory | undefined
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
    category,
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
  const shownForChips = filtered ? 'flex' : 'hidden [[data-query~=chips]_&]:flex'
  const empty = complete && !loading && found.length === 0
  return (
    <section aria-label={t('Products')} className="[[data-query]_&]:invisible">
      {!category && <h2 className="sr-only">{t('Products')}</h2>}
      <CategoryHead category={category} />
      {filtered && !empty && <CollectionLinks collections={collections} />}
      {/* Before the list is alive, its place is kept. */}
      <div className={`min-h-target flex-wrap items-center gap-2 pb-3 lg:pt-1 ${shownForChips}`}>
        {active.map(({ name, label, removal }) => (
          <button
            key={name}
            type="button"
            aria-label={t('Remove filter: {label}', { label })}
            onClick={() => onRemove(removal)}
            className="chip max-w-full px-4"
          >
            <span className="truncate">{label}</span>
            <Icon name="close" className="size-4" />
          </button>
        ))}
        {filtered && !empty && (
          <Button look="link" label={t('Clear all')} className="px-2" onClick={onClear} />
        )}
      </div>
      <RetryNotice
        title={t('Failed to fetch products')}
        text={failure}
        onRetry={() => void loadCatalog()}
      />
      {loading && <StillWaiting />}
      <ProductGrid found={found} loading={loading} filtered={filtered} />
      {empty && (
        <EmptyState
          text={t(
            filtered
              ? 'No products found matching your criteria.'
              : 'Our first products will be here soon.'
          )}
        >
          {filtered &&
            collections.map(({ id, name }) => (
              <ButtonLink
                key={id}
                look="primary"
                label={t('See {name}', { name })}
                href={paths.collection(id)}
              />
            ))}
          <Suspense>{noResults}</Suspense>
          {filtered && (
            <Button
              look={collections.length > 0 ? 'quiet' : 'primary'}
              label={t('Clear all filters')}
              onClick={onClear}
            />
          )}
        </EmptyState>
      )}
      {!filtered && <CollectionLinks collections={collections} />}
    </section>
  )
}

const HEAD = 'mb-3 min-h-24 flex-col justify-center rounded-card border-l-4 border-tint'

function CategoryHead({ category }: Pick<ResultsProps, 'category'>) {
  const shown = category ? 'flex' : 'hidden [[data-query~=category]_&]:flex'
  return (
    <div data-tint={category?.name} className={`bg-cream-deep px-4 py-3 lg:px-6 ${HEAD} ${shown}`}>
      <h2 className="text-xl lg:text-2xl">
        {category?.label}{' '}
        <span
          lang={langOf(category?.labelTamil ?? '')}
          className="text-[0.6em] font-normal text-ink/70"
        >
          {category?.labelTamil}
        </span>
      </h2>
      <p lang={langOf(category?.description ?? '')} className="line-clamp-2 leading-5">
        {category?.description}
      </p>
    </div>
  )
}

function CollectionLinks({ collections }: Pick<ResultsProps, 'collections'>) {
  if (collections.length === 0) return null
  return (
    <nav
      aria-label={t('Collections')}
      className="-mx-4 overflow-x-auto px-4 pb-3 [scrollbar-width:none] last:pb-1 last:pt-8"
    >
      <ul className="flex gap-2">
        {collections.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <a href={paths.collection(id)} lang={langOf(name)} className="chip px-4">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
          <li key={product.id} className={CARD.alone} data-category={product.category}>
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
          <Button label={t('Load more')} disabled={loading} onClick={showMore} />
        </p>
      )}
    </>
  )
}
