import { useState } from 'react'
import { ADMIN_MESSAGES, productDeletedText, productHiddenText } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { deleteProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

export function DeleteProduct({ product, onDone }: { product: AdminProduct; onDone: () => void }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { name, isReferred } = product
  const deleteAndClose = async () => {
    const outcome = await deleteProduct(product)
    notify({
      title: outcome === 'deleted' ? productDeletedText(name) : productHiddenText(name),
      text: ADMIN_MESSAGES.saved
    })
    onDone()
  }
  return (
    <div className="border-t border-brass/40 py-4">
      <button type="button" className="button-quiet" onClick={() => setIsDialogOpen(true)}>
        Delete product
      </button>
      <ConfirmDialog
        open={isDialogOpen}
        title={isReferred ? 'Hide this product?' : 'Delete this product?'}
        confirmLabel={isReferred ? `Hide ${name}` : `Delete ${name}`}
        busyLabel={isReferred ? 'Hiding…' : 'Deleting…'}
        onConfirm={deleteAndClose}
        onClose={() => setIsDialogOpen(false)}
      >
        {isReferred
          ? 'This product has orders or deals, so it will be hidden instead of deleted.'
          : 'This product was never ordered. Deleting it can’t be undone.'}
      </ConfirmDialog>
    </div>
  )
}
