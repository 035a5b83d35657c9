import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { PRODUCT_LABELS, formatProductField } from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { readProduct } from '#lib/stores/admin/products.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { DetailView } from '../ui/DetailView.tsx'
import { useLoad } from '../ui/use-load.ts'
import { DeleteProduct } from './DeleteProduct.tsx'
import { NEW_ID } from './product-view.ts'
import { ProductForm } from './ProductForm.tsx'
import type { CategoryChoice } from './ProductsPage.tsx'

const ALL_PRODUCTS = 'All products'

interface ProductEditorProps {
  id: string
  categories: readonly CategoryChoice[]
  onClose: () => void
}

export function ProductEditor({ id, categories, onClose }: ProductEditorProps) {
  return id === NEW_ID ? (
    <DetailView backLabel={ALL_PRODUCTS} title="New product">
      <ProductForm id={NEW_ID} original={undefined} categories={categories} onSaved={onClose} onCancel={onClose} />
    </DetailView>
  ) : (
    <ExistingProduct id={id} categories={categories} onClose={onClose} />
  )
}

function ExistingProduct({ id, categories, onClose }: ProductEditorProps) {
  const [result, reload] = useLoad(id, () => readProduct(id))
  // Set only if the user chooses the other person's version in an edit conflict.
  const [theirs, setTheirs] = useState<AdminProduct>()

  if (result.state === 'loading') {
    return (
      <DetailView backLabel={ALL_PRODUCTS} title="Product">
        <p role="status" className="sr-only">
          Loading…
        </p>
        <Skeleton rows={3} />
      </DetailView>
    )
  }
  if (result.state === 'failed') {
    const isDeleted = result.error.code === 'PRODUCT_NOT_FOUND'
    return (
      <DetailView backLabel={ALL_PRODUCTS} title="Product">
        <div role="alert">
          <EmptyState text={isDeleted ? ADMIN_MESSAGES.productNotFound : result.error.message}>
            <button type="button" className="button-primary" onClick={isDeleted ? onClose : () => void reload()}>
              {isDeleted ? ALL_PRODUCTS : 'Try again'}
            </button>
          </EmptyState>
        </div>
      </DetailView>
    )
  }
  const product = theirs ?? result.value
  return (
    <DetailView backLabel={ALL_PRODUCTS} title={product.name}>
      {product.hiddenAt === null && (
        <p className="mb-4">
          <a className="link target" href={paths.product(product.id)}>
            View on the website
          </a>
        </p>
      )}
      <ProductForm
        key={product.version}
        id={id}
        original={product}
        categories={categories}
        onUseTheirs={setTheirs}
        onSaved={onClose}
        onCancel={onClose}
      />
      <div className="mt-8">
        <ChangeHistory kinds={['product', 'stock']} id={id} labels={PRODUCT_LABELS} format={formatProductField} />
        <DeleteProduct product={product} onDone={onClose} />
      </div>
    </DetailView>
  )
}
