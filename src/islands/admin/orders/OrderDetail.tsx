import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import type { OrderStatus } from '#lib/constants.ts'
import { readAdminOrder, $orderById } from '#lib/stores/admin/orders.ts'
import { formatDate } from '#lib/time.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StatusBadge } from '../../orders/StatusBadge.tsx'
import { Timeline } from '../../orders/Timeline.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { useLoad } from '../ui/use-load.ts'
import { CancelOrder } from './CancelOrder.tsx'
import { StatusButton } from './StatusButton.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { printQuery } from './orders-view.ts'

export function OrderDetail({ id, listQuery }: { id: string; listQuery: string }) {
  const [result, reload] = useLoad(id, () => readAdminOrder(id))
  const order = useStore($orderById)[id]
  return (
    <div className="grid gap-4">
      <p>
        <ViewLink query={listQuery} className="link target">
          ← All orders
        </ViewLink>
      </p>
      {order && result.state !== 'failed' ? (
        <Detail order={order} />
      ) : result.state === 'failed' ? (
        <div role="alert">
          <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${result.error.message}`}>
            <button type="button" className="button-primary" onClick={() => void reload()}>
              Try again
            </button>
          </EmptyState>
        </div>
      ) : (
        <>
          <p role="status" className="sr-only">
            Loading order…
          </p>
          <Skeleton rows={4} />
        </>
      )}
    </div>
  )
}

function Detail({ order }: { order: AdminOrder }) {
  const { _id, orderNumber, createdAt, status } = order
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <article aria-labelledby="order" className="card grid gap-4 p-4 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id="order" ref={heading} tabIndex={-1} className="text-xl outline-none">
            Order {orderNumber}
          </h2>
          <p className="text-sm text-ink/70">Ordered on {formatDate(createdAt)}</p>
        </div>
        <p role="status">
          <StatusBadge status={status} />
        </p>
      </div>
      <Timeline order={order} />
      <div className="flex flex-wrap gap-3">
        <StatusButton order={order} primary />
        <ViewLink query={printQuery('packing', [_id])} className="button-quiet">
          Packing list
        </ViewLink>
        <ViewLink query={printQuery('labels', [_id])} className="button-quiet">
          Label
        </ViewLink>
        <CancelOrder order={order} />
      </div>
      <OrderFacts order={order} />
      <ChangeHistory key={status} kinds={['order']} id={_id} labels={FIELD_LABELS} format={formatField} />
    </article>
  )
}

const FIELD_LABELS = { status: 'Status', reason: 'Reason' }

function formatField(field: string, value: unknown): string {
  if (value === undefined || value === null) return 'empty'
  return field === 'status' ? STATUS_LABELS[value as OrderStatus] : String(value)
}
