import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { viewLink } from '../ui/view-link.ts'
import { ImportTable } from './ImportTable.tsx'
import { ProductEditor } from './ProductEditor.tsx'
import { ProductList } from './ProductList.tsx'

export function ProductsPage({ categories }: { categories: readonly Category[] }) {
  const params = new URLSearchParams(useQuery())
  const addButton = <ButtonLink look="primary" label="Add product" {...viewLink(toQuery({ product: NEW_ID }))} />
  const isList = !params.get('product') && !params.has('import')
  return (
    <AdminFrame section="products" action={isList && addButton}>
      {() => <ProductsView params={params} categories={categories} />}
    </AdminFrame>
  )
}

interface ProductsViewProps {
  params: URLSearchParams
  categories: readonly Category[]
}

function ProductsView({ params, categories }: ProductsViewProps) {
  const products = useStore($products)
  useEffect(() => void loadProducts(), [])
  const close = () => pushQuery('')

  const id = params.get('product')
  if (id) return <ProductEditor key={id} id={id} categories={categories} onClose={close} />
  if (params.has('import')) return <ImportTable onClose={close} />
  return (
    <Loaded state={products} label="products" onRetry={() => void loadProducts()}>
      {list => <ProductList products={list} categories={categories} />}
    </Loaded>
  )
}
