import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { exportOrders } from '#lib/stores/admin/orders.ts'
import { notify } from '#lib/stores/toasts.ts'
import { saveFile } from '../ui/save-file.ts'
import { ViewLink } from '../ui/ViewLink.tsx'
import { toListQuery, printQuery, type Filter } from './orders-view.ts'

interface ListActionsProps {
  filter: Filter
  orders: readonly AdminOrder[]
  selected: ReadonlySet<string>
}

/** Prints the selected orders, or all orders on the page if none is selected. Exports the orders of all pages. */
export function ListActions({ filter, orders, selected }: ListActionsProps) {
  const selectedOrders = orders.filter(({ _id }) => selected.has(_id))
  const ids = (selectedOrders.length > 0 ? selectedOrders : orders).map(({ _id }) => _id)
  const download = async () => {
    try {
      saveFile(await exportOrders(toListQuery(filter, Date.now())), 'orders.csv')
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const text = toErrorText(error, ADMIN_MESSAGES.tryAgain)
      notify({ title: ADMIN_MESSAGES.exportFailed, text, kind: 'destructive' })
    }
  }
  return (
    <div className="flex flex-wrap gap-3">
      <ViewLink query={printQuery('packing', ids)} className="button-quiet">
        Packing list
      </ViewLink>
      <ViewLink query={printQuery('labels', ids)} className="button-quiet">
        Labels
      </ViewLink>
      <button type="button" className="button-quiet" onClick={() => void download()}>
        Export
      </button>
    </div>
  )
}
