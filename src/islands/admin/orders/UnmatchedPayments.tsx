import type { ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { formatRupees } from '#lib/money.ts'
import { decideUnmatchedPayment, listUnmatchedPayments } from '#lib/stores/admin/requests.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Time } from '../../ui/Facts.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { DataTable, type Column } from '../ui/DataTable.tsx'

const COLUMNS: readonly Column<UnmatchedPayment>[] = [
  { label: 'Payment', cell: ({ id }) => id },
  { label: 'Order', cell: ({ orderNumber }) => orderNumber ?? '–' },
  { label: 'Paid', cell: ({ paidAt }) => <Time iso={paidAt} /> },
  { label: 'Amount', numeric: true, cell: ({ amount }) => formatRupees(amount) }
]

/** Shown only if there are payments about which an administrator must decide. */
export function UnmatchedPayments() {
  const [payments, reload] = useLoad('unmatched payments', listUnmatchedPayments)
  if (payments.state !== 'ready' || payments.value.length === 0) return null
  const decide = async (id: string, decision: PaymentDecision['decision']) => {
    await decideUnmatchedPayment(id, decision)
    await reload()
  }
  return (
    <section aria-labelledby="unmatched" className="card grid gap-2 p-4">
      <h2 id="unmatched" className="text-lg">
        Unmatched payments
      </h2>
      <p>{ADMIN_MESSAGES.unmatchedText}</p>
      <DataTable
        caption="Unmatched payments"
        columns={COLUMNS}
        rows={payments.value}
        getKey={({ id }) => id}
        actions={payment => (
          <div className="flex flex-wrap gap-3 md:justify-end">
            <Decide payment={payment} label="Refund" onConfirm={() => decide(payment.id, 'refund')}>
              The customer gets {formatRupees(payment.amount)} back. Do this if you will not deliver the order.
            </Decide>
            <Decide payment={payment} label="Keep" onConfirm={() => decide(payment.id, 'keep')}>
              The payment leaves this list. Do this if you deliver the order, or if its money has already gone back.
            </Decide>
          </div>
        )}
      />
    </section>
  )
}

interface DecideProps {
  payment: UnmatchedPayment
  label: 'Refund' | 'Keep'
  children: ReactNode
  onConfirm: () => Promise<void>
}

function Decide({ payment: { id }, label, children, onConfirm }: DecideProps) {
  return (
    <ConfirmButton
      label={label}
      name={`${label} payment ${id}`}
      title={`${label} this payment?`}
      confirmLabel={label}
      busyLabel="Saving…"
      errorTitle={ADMIN_MESSAGES.unmatchedFailed}
      onConfirm={onConfirm}
    >
      {children}
    </ConfirmButton>
  )
}
