import { useStore } from '@nanostores/react'
import { lazy, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { toCards, type CardProduct, type CollectionLink } from '#lib/catalog/cards.ts'
import { plural, t } from '#lib/contract/texts.ts'
import {
  $catalog,
  $matcher,
  loadCatalog,
  loadLiveProducts,
  loadMatcher
} from '#lib/stores/catalog.ts'
import { readFound, saveFound } from '#lib/stores/storage.ts'
import { FilterDrawer, FilterPanel, ListBar } from './Filters.tsx'
import type { NoResults as Help } from './NoResults.tsx'
import { ProductGrid, Results } from './Results.tsx'
import {
  activeFilters,
  DEFAULT_FILTERS,
  type DescribedCategory,
  filterProducts,
  type Filters,
  findCollections,
  findLiterally,
  toFilterQuery,
  useFilters
} from './use-filters.ts'

interface ProductBrowserProps {
  products: readonly CardProduct[]
  total: number
  categories: readonly DescribedCategory[]
  collections: readonly CollectionLink[]
  title?: ReactNode
  pincode?: ReactNode
}

/** Search, filters and sorting are stored only in the URL. */
export function ProductBrowser({
  products: prebuilt,
  total,
  categories,
  collections,
  title,
  pincode
}: ProductBrowserProps) {
  const { filters, changeFilters, changeSearch, clearFilters } = useFilters(categories)
  const { products, complete, waiting, failure } = useCatalog(prebuilt, total)
  const [drawer, setDrawer] = useState(false)
  const results = useRef<HTMLDivElement>(null)
  const { matches, search, waiting: searching } = useSearch(products, filters)
  const found = useMemo(() => filterProducts(matches, filters), [matches, filters])
  const foundCollections = findCollections(collections, filters)
  const active = activeFilters(filters, categories)
  const loading = (waiting && !complete) || (searching && matches.length === 0)
  const count = complete || active.length > 0 ? found.length : total
  const panel = { filters, categories, products: complete ? matches : undefined }
  const hasProducts = total > 0 || products.length > 0

  // `data-query` hides the prebuilt cards until they are filtered.
  useEffect(() => document.documentElement.removeAttribute('data-query'), [])
  useEffect(() => {
    if (active.length > 0 && !loading && !searching)
      saveFound(
        toFilterQuery(filters),
        found.map(({ id }) => id)
      )
  }, [found, loading, searching])

  const applyFilters = (choice: Partial<Filters>) => {
    changeFilters(choice)
    const { current } = results
    if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView()
  }

  return (
    <>
      <ListBar
        filters={filters}
        filterCount={active.filter(({ name }) => name !== 'q').length}
        title={title}
        count={
          loading && active.length > 0
            ? t('Loading products…')
            : plural(count, '{count} product', '{count} products')
        }
        pincode={pincode}
        onType={changeSearch}
        onSort={sort => changeFilters({ sort })}
        onOpenFilters={() => setDrawer(true)}
      />
      <div className="gap-8 lg:flex [@media(scripting:none)]:block">
        {hasProducts && (
          <section
            aria-label={t('Filters')}
            className="hidden w-52 shrink-0 lg:block [@media(scripting:none)]:hidden"
          >
            <div className="sticky top-36 -m-2 max-h-[calc(100vh-9rem)] overflow-y-auto p-2">
              <FilterPanel {...panel} onSelect={applyFilters} />
            </div>
          </section>
        )}
        <div ref={results} className="min-w-0 grow">
          <Results
            found={found}
            category={categories.find(({ name }) => name === filters.category)}
            collections={foundCollections}
            active={active}
            complete={complete}
            loading={loading}
            failure={failure}
            onRemove={applyFilters}
            onClear={clearFilters}
            noResults={
              search &&
              matches.length === 0 && (
                <NoResults
                  q={filters.q}
                  products={toCards(products)}
                  search={search}
                  Grid={ProductGrid}
                  onSearch={q => changeFilters({ ...DEFAULT_FILTERS, q })}
                />
              )
            }
          />
        </div>
      </div>
      <FilterDrawer
        {...panel}
        open={drawer}
        onClose={() => setDrawer(false)}
        onApply={draft => {
          setDrawer(false)
          applyFilters(draft)
        }}
      />
    </>
  )
}

const NoResults = lazy(() =>
  import('./NoResults.tsx').then(
    module => ({ default: module.NoResults }),
    // Without it, the list still says that nothing was found.
    (): { default: typeof Help } => ({ default: () => <></> })
  )
)

function useSearch(products: readonly CardProduct[], filters: Filters) {
  const { q } = filters
  const matcher = useStore($matcher, { ssr: 'initial' })
  const isSearch = q !== ''
  const waiting = isSearch && matcher.state === 'loading'

  useEffect(() => {
    if (isSearch) void loadMatcher()
  }, [isSearch])

  const search = useMemo(() => {
    if (matcher.state !== 'ready') return
    const { createSearch, data } = matcher.value
    return { ...createSearch(products, data), data }
  }, [products, matcher])
  const matches = useMemo(() => {
    if (search && isSearch) return search.find(q)
    const known = waiting && readFound(toFilterQuery(filters))
    return known
      ? known.flatMap(id => products.find(product => product.id === id) ?? [])
      : findLiterally(products, q)
  }, [products, search, isSearch, waiting, q])
  return {
    matches,
    search: isSearch ? search : undefined,
    waiting
  }
}

function useCatalog(prebuilt: readonly CardProduct[], total: number) {
  const catalog = useStore($catalog, { ssr: 'initial' })

  useEffect(() => {
    const load = () => {
      void loadCatalog()
      void loadLiveProducts()
    }
    load()
    addEventListener('online', load)
    return () => removeEventListener('online', load)
  }, [])

  const products = catalog.state === 'ready' ? catalog.value : prebuilt
  return {
    products,
    complete: catalog.state === 'ready' || (total > 0 && toCards(prebuilt).length >= total),
    waiting: catalog.state === 'loading',
    // Without a network, `elements/offline-bar.ts` says so.
    failure: catalog.state === 'failed' && navigator.onLine ? catalog.error.message : undefined
  }
}
