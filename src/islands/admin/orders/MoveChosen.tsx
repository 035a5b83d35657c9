import { WAY, nextOf } from '#lib/admin/orders.ts'
import { orderCount } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_WORDS } from '#lib/order-status.ts'
import { moveOrders } from '#lib/stores/admin/orders.ts'
import { Icon } from '../../ui/Icon.tsx'
import { attempt } from './MoveButton.tsx'

interface MoveChosenProps {
  orders: readonly AdminOrder[]
  chosen: ReadonlySet<string>
  onDone: () => void
}

/** What can be done with many orders at once; each button says how many of them it moves. */
export function MoveChosen({ orders, chosen, onDone }: MoveChosenProps) {
  const some = orders.filter(({ _id }) => chosen.has(_id))
  return (
    <div className="sticky top-20 z-10 empty:hidden">
      {some.length > 0 && (
        <div className="card flex flex-wrap items-center gap-3 p-3">
          <p role="status" className="grow font-semibold">
            {orderCount(some.length)} chosen
          </p>
          {WAY.map(from => {
            const to = nextOf(from)
            const those = some.filter(({ status }) => status === from)
            if (to === undefined || those.length === 0) return null
            const move = () => moveOrders(those, from, to).then(onDone)
            return (
              <button
                key={from}
                type="button"
                className="button-primary"
                onClick={() => void attempt(move, 'chosen orders')}
              >
                Mark {those.length} {STATUS_WORDS[to].toLowerCase()}
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
