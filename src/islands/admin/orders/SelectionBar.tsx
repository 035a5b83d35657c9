import { FULFILMENT_STATUSES, nextStatus } from '#lib/admin/orders.ts'
import { orderCount } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import { setOrderStatuses } from '#lib/stores/admin/orders.ts'
import { Icon } from '../../ui/Icon.tsx'
import { attempt } from './StatusButton.tsx'

interface SelectionBarProps {
  orders: readonly AdminOrder[]
  chosen: ReadonlySet<string>
  onDone: () => void
}

/** What can be done with many orders at once; each button says how many of them it moves. */
export function SelectionBar({ orders, chosen, onDone }: SelectionBarProps) {
  const some = orders.filter(({ _id }) => chosen.has(_id))
  return (
    <div className="sticky top-20 z-10 empty:hidden">
      {some.length > 0 && (
        <div className="card flex flex-wrap items-center gap-3 p-3">
          <p role="status" className="grow font-semibold">
            {orderCount(some.length)} chosen
          </p>
          {FULFILMENT_STATUSES.map(from => {
            const to = nextStatus(from)
            const those = some.filter(({ status }) => status === from)
            if (to === undefined || those.length === 0) return null
            const move = () => setOrderStatuses(those, from, to).then(onDone)
            return (
              <button
                key={from}
                type="button"
                className="button-primary"
                onClick={() => void attempt(move, 'chosen orders')}
              >
                Mark {those.length} {STATUS_LABELS[to].toLowerCase()}
              </button>
            )
          })}
          <button type="button" aria-label="Choose none" className="target rounded-full" onClick={onDone}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
