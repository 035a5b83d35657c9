import { toAddressLines } from '#lib/address.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatPhone } from '#lib/phone.ts'
import type { Seller } from '../../../orders/Invoice.tsx'

/** Prints on A4 sheets of eight labels (99.1 × 67.7 mm each). */
export function Labels({ orders, sender }: { orders: readonly AdminOrder[]; sender: Seller }) {
  const { street, area, city, pincode } = sender.address
  return (
    <ul className="label-sheet">
      {orders.map(({ _id, orderNumber, customerDetails: { name, phone }, shippingAddress }) => (
        <li key={_id} className="label">
          <address className="not-italic leading-snug">
            <b className="block break-words text-lg">{name}</b>
            {toAddressLines(shippingAddress).map(line => (
              <span key={line} className="block break-words">
                {line}
              </span>
            ))}
            <span className="block">Phone {formatPhone(phone)}</span>
          </address>
          <p className="text-xs leading-tight">
            <b>{orderNumber}</b> · From {sender.name}, {street}, {area}, {city} {pincode}, {sender.phone}
          </p>
        </li>
      ))}
    </ul>
  )
}
