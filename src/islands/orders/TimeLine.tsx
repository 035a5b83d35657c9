import type { Order } from '#lib/contract/orders.ts'
import { STATUS_WORDS, stepsOf } from '#lib/order-status.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { Icon } from '../ui/Icon.tsx'

/** Where the order has been and when, and what is still to come. */
export function TimeLine({ order }: { order: Order }) {
  return (
    <ol aria-label="Progress" className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
      {stepsOf(order).map(({ status, at }, index) => (
        <li key={index} className={`flex items-start gap-2 ${at ? '' : 'text-ink/70'}`}>
          <span
            className={`grid size-6 shrink-0 place-items-center rounded-full ${at ? 'bg-leaf text-paper' : 'border border-ink/50'}`}
          >
            {at && <Icon name="check" className="h-4 w-4" />}
          </span>
          <span>
            <b className="block">{STATUS_WORDS[status]}</b>
            <span className="text-sm">{at ? formatDayAndTime(at) : 'to come'}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
