import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Seller } from '#lib/contract/orders.ts'
import type { StaffOrder } from '#lib/stores/admin/orders.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { Invoice } from '../../orders/Invoice.tsx'

interface InvoicesProps {
  orders: readonly StaffOrder[]
  /** For orders that are older than the facts that invoices store. */
  shop: { seller: Seller; taxText: string }
}

/** Each invoice and each credit note on a sheet of its own. The kitchen's orders have neither. */
export function Invoices({ orders, shop }: InvoicesProps) {
  const sheets = orders.flatMap(order => {
    if (!('totalAmount' in order)) return []
    return listPapers(order, shop).map(paper => ({ order, paper }))
  })
  if (sheets.length === 0) return <p role="status">{ADMIN_MESSAGES.printNone}</p>
  return (
    <div className="grid gap-6 print:block">
      {sheets.map(({ order, paper }) => (
        <div key={paper.number} className="print:break-after-page print:last:break-after-auto">
          <Invoice order={order} paper={paper}>
            {order.isTest && <p className="mt-2 font-semibold">{ADMIN_MESSAGES.testOrder}</p>}
          </Invoice>
        </div>
      ))}
    </div>
  )
}
