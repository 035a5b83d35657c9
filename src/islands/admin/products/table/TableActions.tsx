import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { exportProducts } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import { IMPORT_QUERY } from '../product-view.ts'
import { ViewLink } from '../../ui/ViewLink.tsx'

export function TableActions() {
  return (
    <div className="flex gap-3">
      <button type="button" className="button-quiet" onClick={() => void download()}>
        Export
      </button>
      <ViewLink query={IMPORT_QUERY} className="button-quiet">
        Import
      </ViewLink>
    </div>
  )
}

async function download(): Promise<void> {
  try {
    const url = URL.createObjectURL(await exportProducts())
    Object.assign(document.createElement('a'), { href: url, download: 'products.csv' }).click()
    URL.revokeObjectURL(url)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    notify({
      title: ADMIN_MESSAGES.exportFailed,
      text: toErrorText(error, ADMIN_MESSAGES.tryAgain),
      kind: 'destructive'
    })
  }
}
