import { useEffect, useRef } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import type { ShopDetails } from '#lib/contract/shop.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { listNextSteps } from '#lib/order-status.ts'
import { paths } from '#lib/paths.ts'
import { closePayment } from '#lib/stores/payment.ts'
import { OrderItems } from '../orders/OrderItems.tsx'
import { Icon } from '../ui/Icon.tsx'
import { ContactLine } from './ContactLine.tsx'
import { SaveAddress } from './SaveAddress.tsx'

export type ShopContact = Pick<ShopDetails, 'name' | 'phone' | 'email'>

export function OrderPlaced({ order, shop }: { order: Order; shop: ShopContact }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return (
    <div className="mx-auto max-w-prose pb-12">
      <div className="flex flex-col items-center gap-3 py-8 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-leaf text-paper">
          <Icon name="check" className="h-8 w-8" />
        </span>
        <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none sm:text-3xl">
          {CHECKOUT_MESSAGES.orderPlaced}
        </h1>
        <p>
          Your order number is <b className="whitespace-nowrap">{order.orderNumber}</b>.
        </p>
        <p className="break-words">
          {CHECKOUT_MESSAGES.orderMailSentTo} <b>{order.customerDetails.email}</b>.
        </p>
      </div>
      <section className="card p-4 sm:p-6">
        <h2 className="text-xl">{CHECKOUT_MESSAGES.orderNext}</h2>
        <ol className="mt-3 grid list-decimal gap-2 pl-6">
          {listNextSteps(order).map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <h2 className="mt-6 text-xl">Your order</h2>
        <OrderItems items={order.items} />
        <p className="flex justify-between gap-4 border-t border-brass/40 pt-3 text-lg font-semibold">
          Total paid <span className="tabular-nums">{formatRupees(order.totalAmount)}</span>
        </p>
      </section>
      <div className="flex flex-wrap justify-center gap-3 py-6 print:hidden">
        <a href={paths.orders} className="button-primary">
          {CHECKOUT_MESSAGES.viewOrders}
        </a>
        <button type="button" className="button-quiet" onClick={() => print()}>
          Print this page
        </button>
        <a href={paths.products} className="button-quiet" onClick={closePayment}>
          {MESSAGES.cartContinue}
        </a>
      </div>
      <SaveAddress order={order} />
      <div className="text-center">
        <ContactLine shop={shop} />
      </div>
    </div>
  )
}
