import { useRef } from 'react'
import { pushQuery, useQuery } from '../../ui/history.ts'
import type { Seller } from '../../orders/Invoice.tsx'
import { AdminFrame } from '../AdminFrame.tsx'
import { readView } from './orders-view.ts'
import { OrderDetail } from './OrderDetail.tsx'
import { OrderList } from './OrderList.tsx'
import { PrintPage } from './print/PrintPage.tsx'

export function OrdersPage({ sender }: { sender: Seller }) {
  const query = useQuery()
  const view = readView(query)
  const list = useRef('')
  const lastId = useRef<string>(undefined)
  if (view.kind === 'list') list.current = query
  if (view.kind === 'order') lastId.current = view.id
  if (view.kind === 'print') {
    return <PrintPage template={view.template} ids={view.ids} sender={sender} onClose={() => pushQuery(list.current)} />
  }
  return (
    <AdminFrame section="orders">
      {() =>
        view.kind === 'order' ? (
          <OrderDetail key={view.id} id={view.id} list={list.current} />
        ) : (
          <OrderList query={query} filter={view.filter} returnTo={lastId.current} />
        )
      }
    </AdminFrame>
  )
}
