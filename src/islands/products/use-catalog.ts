import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { CardProduct } from '#lib/catalog-filter.ts'
import { $catalog, loadCatalog } from '#lib/stores/catalog.ts'
import { loadLive } from '#lib/stores/live.ts'

/** The prebuilt products until the shop's own answer is there; `total` is how many there were when the page was built. */
export function useCatalog(prebuilt: readonly CardProduct[], total: number) {
  const catalog = useStore($catalog, { ssr: 'initial' })

  useEffect(() => {
    void loadCatalog()
    void loadLive()
  }, [])

  const products = catalog.state === 'ready' ? catalog.products : prebuilt
  return {
    products,
    complete: catalog.state === 'ready' || (total > 0 && prebuilt.length >= total),
    waiting: catalog.state === 'waiting',
    failure: catalog.state === 'failed' ? catalog.reason : undefined
  }
}
