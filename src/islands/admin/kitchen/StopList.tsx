import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/account/forms.ts'
import type { DeliveryMethod } from '#lib/delivery/zones.ts'
import { toMapLink } from '#lib/kitchen/day.ts'
import { formatRupees } from '#lib/money.ts'
import type { DayOrder } from '#lib/stores/admin/kitchen-day.ts'
import { formatDayAndTime, formatShortDay, fromIndianDateTime } from '#lib/time.ts'

interface StopListProps {
  orders: readonly DayOrder[]
  method: DeliveryMethod
}

/** The parcels of one delivery method. Printed, each has a box to tick by hand. */
export function StopList({ orders, method }: StopListProps) {
  return (
    <ol className="card divide-y divide-brass/40 px-4 print:px-0 print:shadow-none">
      {orders.map(order => (
        <Stop key={order._id} order={order} method={method} />
      ))}
    </ol>
  )
}

function Stop({ order, method }: { order: DayOrder; method: DeliveryMethod }) {
  const { orderNumber, customerDetails, shippingAddress, lines, totalAmount, deliveryDate, isAnonymised } = order
  const packs = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  // The last line is the country.
  const address = toAddressLines(shippingAddress).slice(0, -1).join(', ')
  return (
    <li className="flex break-inside-avoid flex-wrap gap-x-3 py-3 sm:flex-nowrap print:flex-nowrap print:py-1">
      <span aria-hidden="true" className="mt-1 hidden h-4 w-4 shrink-0 border border-ink print:block" />
      <div className="min-w-0 grow basis-full sm:basis-auto print:basis-auto">
        <p className="break-words">
          <b>{isAnonymised ? 'Deleted account' : customerDetails.name}</b> · {orderNumber} ·{' '}
          {packs === 1 ? '1 pack' : `${packs} packs`}
        </p>
        {method !== 'pickup' && !isAnonymised && <p className="break-words">{address}</p>}
        {method === 'courier' && deliveryDate !== null && <p>Arrives {formatShortDay(deliveryDate)}</p>}
        <OrderRemarks order={order} />
      </div>
      <div className="flex shrink-0 items-center gap-x-4 sm:flex-col sm:items-end sm:text-right print:flex-col print:items-end print:text-right">
        {customerDetails.phone !== '' && (
          <a href={`tel:+91${customerDetails.phone}`} className="link target whitespace-nowrap print:min-h-0">
            {formatPhone(customerDetails.phone)}
          </a>
        )}
        {method === 'own' && !isAnonymised && (
          <a href={toMapLink(shippingAddress)} target="_blank" rel="noreferrer" className="link target print:hidden">
            Map<span className="sr-only">: {customerDetails.name}</span>
          </a>
        )}
        {totalAmount !== undefined && <span className="tabular-nums">{formatRupees(totalAmount)}</span>}
      </div>
    </li>
  )
}

export function OrderRemarks({ order: { note, eventAt, isTest } }: { order: DayOrder }) {
  const event = eventAt === undefined ? undefined : fromIndianDateTime(eventAt)
  return (
    <>
      {event !== undefined && <p className="font-semibold">Event: {formatDayAndTime(event)}</p>}
      {note !== undefined && <p className="break-words italic">“{note}”</p>}
      {isTest && <p className="text-sm font-semibold">Test order</p>}
    </>
  )
}
