import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { setHidden } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'

export function HideButton({ product }: { product: AdminProduct }) {
  const isHidden = product.hiddenAt !== null
  const toggleHidden = async () => {
    try {
      await setHidden(product, !isHidden)
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      notify({
        title: ADMIN_MESSAGES.saveFailed,
        text: toErrorText(error, ADMIN_MESSAGES.tryAgain),
        kind: 'destructive',
        topic: product.id
      })
    }
  }
  return (
    <button
      type="button"
      className="button-quiet"
      aria-label={`${isHidden ? 'Show' : 'Hide'} ${product.name}`}
      onClick={() => void toggleHidden()}
    >
      {isHidden ? 'Show' : 'Hide'}
    </button>
  )
}
