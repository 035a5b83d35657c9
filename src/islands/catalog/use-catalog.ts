import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { CardProduct } from '#lib/catalog-filter.ts'
import { $catalog, loadCatalog } from '#lib/stores/catalog.ts'
import { loadLiveProducts } from '#lib/stores/live-products.ts'

/** Returns the prebuilt products until the server has answered. `total` is the number of products at build time. */
export function useCatalog(prebuilt: readonly CardProduct[], total: number) {
  const catalog = useStore($catalog, { ssr: 'initial' })

  useEffect(() => {
    void loadCatalog()
    void loadLiveProducts()
  }, [])

  const products = catalog.state === 'ready' ? catalog.products : prebuilt
  return {
    products,
    complete: catalog.state === 'ready' || (total > 0 && prebuilt.length >= total),
    waiting: catalog.state === 'waiting',
    failure: catalog.state === 'failed' ? catalog.reason : undefined
  }
}
