import { ADMIN_MESSAGES, productDeletedText, productHiddenText } from '#lib/admin/messages.ts'
import { formatProductField, PRODUCT_LABELS } from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { paths } from '#lib/paths.ts'
import { deleteProduct, readProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { DetailView, NEW_ID, RecordView } from '../ui/RecordView.tsx'
import { ProductForm } from './ProductForm.tsx'
import type { CategoryChoice } from './ProductsPage.tsx'

interface ProductEditorProps {
  id: string
  categories: readonly CategoryChoice[]
  onClose: () => void
}

export function ProductEditor({ id, categories, onClose }: ProductEditorProps) {
  if (id === NEW_ID) {
    return (
      <DetailView noun="product" title="New product">
        <ProductForm id={id} original={undefined} categories={categories} onClose={onClose} />
      </DetailView>
    )
  }
  return (
    <RecordView
      id={id}
      noun="product"
      read={readProduct}
      getTitle={({ name }) => name}
      notFoundText={ADMIN_MESSAGES.productNotFound}
    >
      {(product, takeTheirs) => (
        <>
          {product.hiddenAt === null && (
            <p className="mb-4">
              <a className="link target" href={paths.product(id)}>
                View on the website
              </a>
            </p>
          )}
          <ProductForm
            key={product.version}
            id={id}
            original={product}
            categories={categories}
            onUseTheirs={takeTheirs}
            onClose={onClose}
          />
          <div className="mt-8">
            <ChangeHistory kinds={['product', 'stock']} id={id} labels={PRODUCT_LABELS} format={formatProductField} />
            <div className="border-t border-brass/40 py-4">
              <DeleteProduct product={product} onDone={onClose} />
            </div>
          </div>
        </>
      )}
    </RecordView>
  )
}

function DeleteProduct({ product, onDone }: { product: AdminProduct; onDone: () => void }) {
  const { name, isReferred } = product
  const deleteAndClose = async () => {
    const outcome = await deleteProduct(product)
    const title = outcome === 'deleted' ? productDeletedText(name) : productHiddenText(name)
    notify({ title, text: ADMIN_MESSAGES.saved })
    onDone()
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
