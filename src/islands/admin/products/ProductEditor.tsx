import {
  ADMIN_MESSAGES,
  newSizeText,
  productDeletedText,
  productHiddenText
} from '#lib/admin/messages.ts'
import { formatProductField, PRODUCT_LABELS } from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { deleteProduct, readProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { pushQuery } from '../../ui/history.ts'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { PackSizes } from './PackSizes.tsx'
import { ProductForm } from './ProductForm.tsx'

interface ProductEditorProps {
  id: string
  /** Id of the product of which the new one is another pack size. */
  sizeOf: string | undefined
  categories: readonly Category[]
  onAdded: (product: AdminProduct) => void
}

export function ProductEditor({ id, sizeOf, categories, onAdded }: ProductEditorProps) {
  if (sizeOf !== undefined) {
    return (
      <RecordEditor
        id={sizeOf}
        kind="product"
        read={readProduct}
        getTitle={({ name }) => newSizeText(name)}
      >
        {(product, reset) =>
          product && (
            <ProductForm
              id={`${id} ${sizeOf}`}
              original={undefined}
              sizeOf={product}
              categories={categories}
              onAdded={onAdded}
              onReset={reset}
            />
          )
        }
      </RecordEditor>
    )
  }
  return (
    <RecordEditor
      id={id}
      kind="product"
      read={readProduct}
      getTitle={({ name }) => name}
      getPath={({ hiddenAt }) => hiddenAt === null && paths.product(id)}
      history={{ labels: PRODUCT_LABELS, format: formatProductField }}
      actions={product => <DeleteProduct product={product} />}
    >
      {(product, reset) => (
        <>
          <ProductForm
            id={id}
            original={product}
            categories={categories}
            onAdded={onAdded}
            onReset={reset}
          />
          {product && <PackSizes product={product} />}
        </>
      )}
    </RecordEditor>
  )
}

function DeleteProduct({ product }: { product: AdminProduct }) {
  const { name, isReferred } = product
  const deleteAndClose = async () => {
    const outcome = await deleteProduct(product)
    const title = outcome === 'deleted' ? productDeletedText(name) : productHiddenText(name)
    notify({ title, text: ADMIN_MESSAGES.websiteUpdates })
    pushQuery('')
  }
  return (
    <ConfirmButton
      label="Delete product"
      title={isReferred ? 'Hide this product?' : 'Delete this product?'}
      confirmLabel={isReferred ? `Hide ${name}` : `Delete ${name}`}
      busyLabel={isReferred ? 'Hiding…' : 'Deleting…'}
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={deleteAndClose}
    >
      {isReferred
        ? 'This product has orders or deals, so it will be hidden instead of deleted.'
        : 'This product was never ordered. Deleting it can’t be undone.'}
    </ConfirmButton>
  )
}
