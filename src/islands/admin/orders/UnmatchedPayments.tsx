import type { ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { formatRupees } from '#lib/money.ts'
import { decideUnmatchedPayment, listUnmatchedPayments } from '#lib/stores/admin/requests.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Time } from '../../ui/Facts.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { LoadFailed } from '../../ui/Loading.tsx'
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
  if (payments.state === 'loading') return null
  if (payments.state === 'failed') return <LoadFailed text={payments.error.message} onRetry={() => void reload()} />
  const withProblem = (problem: UnmatchedPayment['problem']) => payments.value.filter(one => one.problem === problem)
  const decide = async (id: string, decision: PaymentDecision['decision']) => {
    await decideUnmatchedPayment(id, decision)
    await reload()
  }
  return (
    <>
      <Payments id="unmatched" title="Unmatched payments" payments={withProblem('no_order')}>
        {payment => (
          <>
            <Decide payment={payment} label="Refund" onConfirm={() => decide(payment.id, 'refund')}>
              The customer gets {formatRupees(payment.amount)} back. Do this if you will not deliver the order.
            </Decide>
            <Decide payment={payment} label="Keep" onConfirm={() => decide(payment.id, 'keep')}>
              The payment leaves this list. Do this if you deliver the order, or if its money has already gone back.
            </Decide>
          </>
        )}
      </Payments>
      <Payments id="failed-refunds" title="Failed refunds" payments={withProblem('refund_failed')}>
        {payment => (
          <>
            <Decide payment={payment} label="Try again" onConfirm={() => decide(payment.id, 'refund')}>
              Razorpay is asked again to refund {formatRupees(payment.amount)}.
            </Decide>
            <Decide payment={payment} label="Mark as done" onConfirm={() => decide(payment.id, 'keep')}>
              The refund leaves this list. Do this if the money has gone back.
            </Decide>
          </>
        )}
      </Payments>
    </>
  )
}

interface PaymentsProps {
  id: keyof typeof TEXTS
  title: string
  payments: readonly UnmatchedPayment[]
  children: (payment: UnmatchedPayment) => ReactNode
}

const TEXTS = { unmatched: ADMIN_MESSAGES.unmatchedText, 'failed-refunds': ADMIN_MESSAGES.failedRefundsText }

function Payments({ id, title, payments, children }: PaymentsProps) {
  if (payments.length === 0) return null
  return (
    <section aria-labelledby={id} className="card grid gap-2 p-4">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <p>{TEXTS[id]}</p>
      <DataTable
        caption={title}
        columns={COLUMNS}
        rows={payments}
        getKey={payment => payment.id}
        actions={payment => <div className="flex flex-wrap gap-3 xl:justify-end">{children(payment)}</div>}
      />
    </section>
  )
}

interface DecideProps {
  payment: UnmatchedPayment
  label: string
  children: ReactNode
  onConfirm: () => Promise<void>
}

function Decide({ payment: { id }, label, children, onConfirm }: DecideProps) {
  return (
    <ConfirmButton
      label={label}
      name={`${label}: payment ${id}`}
      title={`${label}?`}
      confirmLabel={label}
      busyLabel="Saving…"
      errorTitle={ADMIN_MESSAGES.unmatchedFailed}
      onConfirm={onConfirm}
    >
      {children}
    </ConfirmButton>
  )
}
