import type { Order } from '#lib/contract/orders.ts'
import { STATUS_LABELS, listTimelineSteps } from '#lib/order-status.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { Icon } from '../ui/Icon.tsx'

export function Timeline({ order }: { order: Order }) {
  return (
    <ol aria-label="Progress" className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
      {listTimelineSteps(order).map(({ status, at }, index) => (
        <li key={index} className={`flex items-start gap-2 ${at ? '' : 'text-ink/70'}`}>
          <span
            className={`grid size-6 shrink-0 place-items-center rounded-full ${at ? 'bg-leaf text-paper' : 'border border-ink/50'}`}
          >
            {at && <Icon name="check" className="h-4 w-4" />}
          </span>
          <span>
            <b className="block">{STATUS_LABELS[status]}</b>
            {at && <span className="text-sm">{formatDayAndTime(at)}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
