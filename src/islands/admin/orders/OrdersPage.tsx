import { useRef } from 'react'
import type { Seller } from '#lib/contract/orders.ts'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { OrderDetail } from './OrderDetail.tsx'
import { OrderList } from './OrderList.tsx'
import { PrintPage } from './PrintPage.tsx'
import { parseView } from './orders-view.ts'

interface OrdersPageProps {
  sender: Seller
  taxText: string
}

export function OrdersPage(shop: OrdersPageProps) {
  const query = useQuery()
  const view = parseView(query)
  const lastListQuery = useRef('')
  if (view.kind === 'list') lastListQuery.current = query
  if (view.kind === 'print') {
    return (
      <PrintPage template={view.template} ids={view.ids} {...shop} onClose={() => pushQuery(lastListQuery.current)} />
    )
  }
  return (
    <AdminFrame section="orders">
      {() =>
        view.kind === 'order' ? (
          <OrderDetail key={view.id} id={view.id} listQuery={lastListQuery.current} />
        ) : (
          <OrderList query={query} filter={view.filter} />
        )
      }
    </AdminFrame>
  )
}
