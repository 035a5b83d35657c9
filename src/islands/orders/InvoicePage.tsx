import { useEffect, useState } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { paths } from '#lib/paths.ts'
import { ShopError } from '#lib/shop-error.ts'
import { readOrder } from '#lib/stores/orders.ts'
import { useGuard } from '../accounts/guard.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Invoice, type Seller } from './Invoice.tsx'

/** The invoice of the order that the address names, on a page for paper. */
export function InvoicePage({ seller }: { seller: Seller }) {
  const session = useGuard()
  const known = session.state === 'authenticated'
  const [order, setOrder] = useState<Order>()
  const [trouble, setTrouble] = useState<string>()

  useEffect(() => {
    if (!known) return
    const id = new URLSearchParams(location.search).get('order') ?? ''
    readOrder(id).then(setOrder, (error: unknown) => {
      if (!(error instanceof ShopError)) throw error
      setTrouble(error.status === 404 ? CHECKOUT_MESSAGES.orderNotFound : CHECKOUT_MESSAGES.invoiceFailed)
    })
  }, [known])

  if (trouble !== undefined) return <Trouble text={trouble} />
  if (!order) return <Skeleton rows={4} />
  if (order.invoiceNumber === null) return <Trouble text={CHECKOUT_MESSAGES.invoiceNone} />
  return <Invoice order={order} number={order.invoiceNumber} seller={seller} />
}

function Trouble({ text }: { text: string }) {
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
