import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminOrder } from '#lib/contract/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { acknowledgeReversals } from '#lib/stores/admin/orders.ts'
import { Button } from '../../ui/Button.tsx'
import { toastErrors } from '../ui/toast-errors.ts'

type Reversal = AdminOrder['reversals'][number]

const TITLES: Record<Reversal['kind'], string> = { refund: 'Refund at Razorpay', dispute: 'Dispute at Razorpay' }
const STATES: Record<Reversal['kind'], Record<Reversal['state'], string>> = {
  refund: { pending: 'not finished yet', returned: 'refunded', void: 'failed' },
  dispute: { pending: 'open', returned: 'lost', void: 'won or closed' }
}

export function Reversals({ order }: { order: AdminOrder }) {
  const { reversals, orderNumber, isOnHold } = order
  const may = useStore($may)
  if (reversals.length === 0) return null
  const acknowledge = () => toastErrors(() => acknowledgeReversals(order), ADMIN_MESSAGES.saveFailed, order._id)
  return (
    <section aria-labelledby="reversals" className="grid gap-3 rounded-card border-2 border-chilli p-4">
      <h3 id="reversals" className="font-semibold text-chilli">
        {isOnHold ? 'On hold' : 'Reported by Razorpay'}
      </h3>
      <ul>
        {reversals.map(({ id, kind, amount, state }) => (
          <li key={id}>
            <b>
              {TITLES[kind]}: {formatRupees(amount)}, {STATES[kind][state]}
            </b>{' '}
            <span className="break-all text-sm text-ink/70">{id}</span>
          </li>
        ))}
      </ul>
      {isOnHold && (
        <>
          <p>{ADMIN_MESSAGES.orderReversed}</p>
          <p>
            {may('POST /admin/orders/{id}/acknowledge') ? (
              <Button
                label="Acknowledge"
                aria-label={`Acknowledge: order ${orderNumber} may go on`}
                onClick={() => void acknowledge()}
              />
            ) : (
              ADMIN_MESSAGES.reversalOwner
            )}
          </p>
        </>
      )}
    </section>
  )
}
