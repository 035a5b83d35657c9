import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { loadProducts, $products } from '#lib/stores/admin/products.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { ImportTable } from './table/ImportTable.tsx'
import { NEW_ID, productQuery, parseView, type View } from './product-view.ts'
import { ProductEditor } from './ProductEditor.tsx'
import { ProductList } from './ProductList.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'

export interface CategoryChoice {
  name: string
  label: string
}

export function ProductsPage({ categories }: { categories: readonly CategoryChoice[] }) {
  const view = parseView(useQuery())
  const addButton = (
    <ViewLink query={productQuery(NEW_ID)} className="button-primary">
      Add product
    </ViewLink>
  )
  return (
    <AdminFrame section="products" action={view.kind === 'list' ? addButton : undefined}>
      {() => <ProductsView view={view} categories={categories} />}
    </AdminFrame>
  )
}

function ProductsView({ view, categories }: { view: View; categories: readonly CategoryChoice[] }) {
  const products = useStore($products)
  const lastOpenedId = useRef<string>(undefined)
  useEffect(() => void loadProducts(), [])
  const close = () => pushQuery('')

  if (view.kind === 'product') {
    lastOpenedId.current = view.id
    return <ProductEditor key={view.id} id={view.id} categories={categories} onClose={close} />
  }
  if (view.kind === 'import') return <ImportTable onClose={close} />
  if (products.state === 'loading') {
    return (
      <>
        <p role="status" className="sr-only">
          Loading products…
        </p>
        <Skeleton rows={4} />
      </>
    )
  }
  if (products.state === 'failed') {
    return (
      <div role="alert">
        <EmptyState text={products.reason}>
          <button type="button" className="button-primary" onClick={() => void loadProducts()}>
            Try again
          </button>
        </EmptyState>
      </div>
    )
  }
  return <ProductList products={products.products} categories={categories} lastOpenedId={lastOpenedId.current} />
}
