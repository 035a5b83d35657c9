import { FULFILMENT_STATUSES, nextStatus } from '#lib/admin/orders.ts'
import { formatOrderCount } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import { setOrderStatuses } from '#lib/stores/admin/orders.ts'
import { Icon } from '../../ui/Icon.tsx'
import { showErrors } from './StatusButton.tsx'

interface SelectionBarProps {
  orders: readonly AdminOrder[]
  selected: ReadonlySet<string>
  onDone: () => void
}

export function SelectionBar({ orders, selected, onDone }: SelectionBarProps) {
  const selectedOrders = orders.filter(({ _id }) => selected.has(_id))
  return (
    <div className="sticky top-20 z-10 empty:hidden">
      {selectedOrders.length > 0 && (
        <div className="card flex flex-wrap items-center gap-3 p-3">
          <p role="status" className="grow font-semibold">
            {formatOrderCount(selectedOrders.length)} selected
          </p>
          {FULFILMENT_STATUSES.map(from => {
            const to = nextStatus(from)
            const matching = selectedOrders.filter(({ status }) => status === from)
            if (to === undefined || matching.length === 0) return null
            const update = () => setOrderStatuses(matching, from, to).then(onDone)
            return (
              <button
                key={from}
                type="button"
                className="button-primary"
                onClick={() => void showErrors(update, 'selected orders')}
              >
                Mark {matching.length} as {STATUS_LABELS[to].toLowerCase()}
              </button>
            )
          })}
          <button type="button" aria-label="Clear selection" className="target rounded-full" onClick={onDone}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
