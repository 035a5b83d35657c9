import { useEffect, useState } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { paths } from '#lib/paths.ts'
import { ShopError } from '#lib/shop-error.ts'
import { readOrder } from '#lib/stores/orders.ts'
import { useGuard } from '../account/use-guard.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Invoice, type Seller } from './Invoice.tsx'

export function InvoicePage({ seller }: { seller: Seller }) {
  const session = useGuard()
  const loggedIn = session.state === 'authenticated'
  const [order, setOrder] = useState<Order>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (!loggedIn) return
    const id = new URLSearchParams(location.search).get('order') ?? ''
    readOrder(id).then(setOrder, (error: unknown) => {
      if (!(error instanceof ShopError)) throw error
      setProblem(error.status === 404 ? CHECKOUT_MESSAGES.orderNotFound : CHECKOUT_MESSAGES.invoiceFailed)
    })
  }, [loggedIn])

  if (problem !== undefined) return <ErrorState text={problem} />
  if (!order) return <Skeleton rows={4} />
  if (order.invoiceNumber === null) return <ErrorState text={CHECKOUT_MESSAGES.invoiceNone} />
  return <Invoice order={order} number={order.invoiceNumber} seller={seller} />
}

function ErrorState({ text }: { text: string }) {
  return (
    <div role="alert">
      <EmptyState text={text}>
        <a href={paths.orders} className="button-primary">
          {CHECKOUT_MESSAGES.viewOrders}
        </a>
      </EmptyState>
    </div>
  )
}
