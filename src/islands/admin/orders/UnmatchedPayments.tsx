import type { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { formatRupees } from '#lib/money.ts'
import { api } from '#lib/api.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Time } from '../../ui/Facts.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { LoadFailed } from '../../ui/States.tsx'
import { DataTable, type Column } from '../ui/DataTable.tsx'

const texts = {
  unmatchedText:
    'Customers paid these orders, but they are not in our database, for example because it was ' +
    'restored from an older backup.',
  failedRefundsText:
    'Razorpay did not make these refunds. Try again, or pay the money back by hand and mark ' +
    'the refund as done. Refunds that you make at Razorpay leave this list by themselves.',
  unmatchedFailed: 'The decision could not be saved.'
}

interface PaymentList {
  problem: UnmatchedPayment['problem']
  title: string
  text: string
  decisions: readonly (PaymentDecision & { label: string; toText: (amount: string) => string })[]
}

const LISTS: readonly PaymentList[] = [
  {
    problem: 'no_order',
    title: 'Unmatched payments',
    text: texts.unmatchedText,
    decisions: [
      {
        decision: 'refund',
        label: 'Refund',
        toText: amount =>
          `The customer gets ${amount} back. Do this if you will not deliver the order.`
      },
      {
        decision: 'keep',
        label: 'Keep',
        toText: () =>
          'The payment leaves this list. Do this if you deliver the order, or if its money has ' +
          'already gone back.'
      }
    ]
  },
  {
    problem: 'refund_failed',
    title: 'Failed refunds',
    text: texts.failedRefundsText,
    decisions: [
      {
        decision: 'refund',
        label: 'Try again',
        toText: amount => `Razorpay is asked again to refund ${amount}.`
      },
      {
        decision: 'keep',
        label: 'Mark as done',
        toText: amount =>
          `Do this if you have paid ${amount} back, for example by bank transfer. The shop ` +
          'won’t refund it again.'
      }
    ]
  }
]

const COLUMNS: readonly Column<UnmatchedPayment>[] = [
  { label: 'Payment', cell: ({ id }) => id },
  { label: 'Order', cell: ({ orderNumber }) => orderNumber ?? '–' },
  { label: 'Paid', cell: ({ paidAt }) => <Time iso={paidAt} /> },
  { label: 'Amount', numeric: true, cell: ({ amount }) => formatRupees(amount) }
]

export function UnmatchedPayments() {
  const [payments, reload] = useLoad('unmatched payments', () =>
    api('GET /admin/unmatched-payments')
  )
  if (payments.state === 'loading') return null
  if (payments.state === 'failed')
    return <LoadFailed text={payments.error.message} onRetry={() => void reload()} />
  return LISTS.map(({ problem, title, text, decisions }) => {
    const rows = payments.value.filter(payment => payment.problem === problem)
    if (rows.length === 0) return null
    return (
      <section key={problem} aria-labelledby={problem} className="card grid gap-2 p-4">
        <h2 id={problem} className="text-lg">
          {title}
        </h2>
        <p>{text}</p>
        <DataTable
          caption={title}
          columns={COLUMNS}
          rows={rows}
          getKey={({ id }) => id}
          actions={({ id, amount }) => (
            <div className="flex flex-wrap gap-3 xl:justify-end">
              {decisions.map(({ decision, label, toText }) => (
                <ConfirmButton
                  key={decision}
                  label={label}
                  name={`${label}: payment ${id}`}
                  title={`${label}?`}
                  confirmLabel={label}
                  busyLabel="Saving…"
                  errorTitle={texts.unmatchedFailed}
                  onConfirm={async () => {
                    const { message: title } = await api('POST /admin/unmatched-payments/{id}', {
                      params: { id },
                      body: { decision }
                    })
                    notify({ title })
                    await reload()
                  }}
                >
                  {toText(formatRupees(amount))}
                </ConfirmButton>
              ))}
            </div>
          )}
        />
      </section>
    )
  })
}
