import { countPacks } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatDelivery } from '#lib/order-status.ts'
import { formatPack } from '#lib/pack.ts'
import { formatPhone } from '#lib/phone.ts'

export function PackingList({ orders }: { orders: readonly AdminOrder[] }) {
  return (
    <div className="grid gap-6 print:block">
      <section aria-labelledby="packs" className="card break-inside-avoid p-4 print:mb-6 print:p-0 print:shadow-none">
        <h2 id="packs" className="text-lg">
          Totals for all orders
        </h2>
        <ul className="mt-2 columns-1 gap-8 sm:columns-2 print:columns-2">
          {countPacks(orders).map(({ name, pack, count }) => (
            <li key={`${name} ${pack}`} className="flex justify-between gap-4 border-b border-brass/40 py-1">
              <span>
                {name} {pack && <span className="text-ink/70">{pack}</span>}
              </span>
              <b className="tabular-nums">{count}</b>
            </li>
          ))}
        </ul>
      </section>
      {orders.map(order => (
        <OrderSheet key={order._id} order={order} />
      ))}
    </div>
  )
}

function OrderSheet({ order }: { order: AdminOrder }) {
  const { _id, orderNumber, customerDetails, shippingAddress, items } = order
  return (
    <article
      aria-labelledby={`sheet-${_id}`}
      className="card break-inside-avoid p-4 print:mb-4 print:rounded-none print:border-t print:border-ink print:p-0 print:pt-3 print:shadow-none"
    >
      <div className="flex flex-wrap justify-between gap-x-4">
        <h2 id={`sheet-${_id}`} className="text-lg">
          {orderNumber}
        </h2>
        <p className="font-semibold">{formatDelivery(order)}</p>
      </div>
      <p className="break-words">
        {customerDetails.name}, {shippingAddress.city} {shippingAddress.pincode}
        {customerDetails.phone && `, ${formatPhone(customerDetails.phone)}`}
      </p>
      <ul className="mt-2">
        {items.map(({ product, packSize, quantity, discount }) => (
          <li key={`${product._id} ${discount ?? ''}`} className="flex items-center gap-3 py-1">
            <span aria-hidden="true" className="size-5 shrink-0 border-2 border-ink" />
            <span>
              <b className="tabular-nums">{quantity} ×</b> {product.name}
              {packSize && <span className="text-ink/70"> {formatPack(packSize)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </article>
  )
}
