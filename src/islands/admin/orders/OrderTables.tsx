import { formatPhone } from '#lib/contract/formats.ts'
import { lastPromisedDay } from '#lib/admin/orders.ts'
import { api } from '#lib/api.ts'
import type { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { t, text } from '#lib/contract/texts.ts'
import { formatRupees } from '#lib/money.ts'
import { formatItem, METHOD_LABELS } from '#lib/order.ts'
import type { StaffOrder } from '#lib/stores/admin/orders.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDayAndTime, formatShortDay } from '#lib/time.ts'
import { StatusBadge } from '../../orders/OrderParts.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Time } from '../../ui/Facts.tsx'
import { LoadFailed } from '../../ui/States.tsx'
import { useLoad } from '../../ui/hooks.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Card, Note, useMay, useReturnFocus, viewLink } from '../ui/views.tsx'
import { StatusButton } from './MoveOrders.tsx'

interface OrderTableProps {
  orders: readonly StaffOrder[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

export function OrderTable({ orders, selected, onSelect }: OrderTableProps) {
  const may = useMay()
  useReturnFocus()
  return (
    <DataTable
      caption={t('Orders')}
      columns={may('GET /admin/orders') ? [...COLUMNS, TOTAL] : COLUMNS}
      rows={orders}
      getKey={({ _id }) => _id}
      actions={order => <StatusButton order={order} />}
      selection={{
        selected,
        onSelect,
        getLabel: ({ orderNumber }) => t('Select order {number}', { number: orderNumber })
      }}
    />
  )
}

const COLUMNS: readonly Column<StaffOrder>[] = [
  {
    label: text('Order'),
    cell: ({ _id, orderNumber, createdAt, customerDetails: { name, phone } }) => (
      <a {...viewLink({ order: _id })} className="block min-h-target hover:text-chilli">
        <span className="block underline underline-offset-4">{orderNumber}</span>
        <span className="block break-words font-normal">{name || t('Deleted account')}</span>
        <Note>
          {phone && `${formatPhone(phone)} · `}
          {formatDayAndTime(createdAt)}
        </Note>
      </a>
    )
  },
  {
    label: text('Delivery'),
    cell: order => (
      <div className="xl:min-w-28">
        {order.deliveryDate === null ? (
          <>
            {t('As soon as possible')}
            <Note>
              {t('By {day} at the latest', { day: formatShortDay(lastPromisedDay(order)) })}
            </Note>
          </>
        ) : (
          <span className="whitespace-nowrap">{formatShortDay(order.deliveryDate)}</span>
        )}
        {order.deliveryMethod && <Note>{METHOD_LABELS[order.deliveryMethod]}</Note>}
      </div>
    )
  },
  {
    label: text('Status'),
    cell: order => (
      <>
        <StatusBadge order={order} />
        {order.isTest && <b className="block text-sm">{t('Test order')}</b>}
        {order.isOnHold && <b className="block text-chilli">{t('On hold')}</b>}
      </>
    )
  },
  {
    label: text('Products'),
    isFullWidth: true,
    cell: ({ items }) => (
      <div className="break-words xl:min-w-32">{items.map(formatItem).join(', ')}</div>
    )
  }
]
const TOTAL: Column<StaffOrder> = {
  label: text('Total'),
  numeric: true,
  cell: order => 'totalAmount' in order && formatRupees(order.totalAmount)
}

interface PaymentList {
  problem: UnmatchedPayment['problem']
  title: string
  text: string
  /** In `text`, `{amount}` is filled in. */
  decisions: readonly (PaymentDecision & { label: string; text: string })[]
}

const LISTS: readonly PaymentList[] = [
  {
    problem: 'no_order',
    title: text('Unmatched payments'),
    text: text(
      'Customers paid these orders, but they are not in our database, for example because it ' +
        'was restored from an older backup.'
    ),
    decisions: [
      {
        decision: 'refund',
        label: text('Refund'),
        text: text('The customer gets {amount} back. Do this if you will not deliver the order.')
      },
      {
        decision: 'keep',
        label: text('Keep'),
        text: text(
          'The payment leaves this list. Do this if you deliver the order, or if its money has ' +
            'already gone back.'
        )
      }
    ]
  },
  {
    problem: 'refund_failed',
    title: text('Failed refunds'),
    text: text(
      'Razorpay did not make these refunds. Try again, or pay the money back by hand and mark ' +
        'the refund as done. Refunds that you make at Razorpay leave this list by themselves.'
    ),
    decisions: [
      {
        decision: 'refund',
        label: text('Try again'),
        text: text('Razorpay is asked again to refund {amount}.')
      },
      {
        decision: 'keep',
        label: text('Mark as done'),
        text: text(
          'Do this if you have paid {amount} back, for example by bank transfer. The shop ' +
            'won’t refund it again.'
        )
      }
    ]
  }
]

const PAYMENT_COLUMNS: readonly Column<UnmatchedPayment>[] = [
  { label: text('Payment'), cell: ({ id }) => id },
  { label: text('Order'), cell: ({ orderNumber }) => orderNumber ?? '–' },
  { label: text('Paid'), cell: ({ paidAt }) => <Time iso={paidAt} /> },
  { label: text('Amount'), numeric: true, cell: ({ amount }) => formatRupees(amount) }
]

export function UnmatchedPayments() {
  const [payments, reload] = useLoad('unmatched payments', () =>
    api('GET /admin/unmatched-payments')
  )
  if (payments.state === 'loading') return null
  if (payments.state === 'failed')
    return <LoadFailed text={payments.error.message} onRetry={() => void reload()} />
  return LISTS.map(({ problem, decisions, ...list }) => {
    const rows = payments.value.filter(payment => payment.problem === problem)
    if (rows.length === 0) return null
    const title = t(list.title)
    return (
      <Card key={problem} id={problem} title={title} className="grid gap-2 p-4">
        <p>{t(list.text)}</p>
        <DataTable
          caption={title}
          columns={PAYMENT_COLUMNS}
          rows={rows}
          getKey={({ id }) => id}
          actions={({ id, amount }) => (
            <div className="flex flex-wrap gap-3 xl:justify-end">
              {decisions.map(({ decision, label, text: explanation }) => (
                <ConfirmButton
                  key={decision}
                  label={t(label)}
                  name={t('{action}: payment {id}', { action: t(label), id })}
                  title={`${t(label)}?`}
                  confirmLabel={t(label)}
                  busyLabel={t('Saving…')}
                  errorTitle={t('The decision could not be saved.')}
                  onConfirm={async () => {
                    const request = { params: { id }, body: { decision } }
                    const { message } = await api('POST /admin/unmatched-payments/{id}', request)
                    notify({ title: message })
                    await reload()
                  }}
                >
                  {t(explanation, { amount: formatRupees(amount) })}
                </ConfirmButton>
              ))}
            </div>
          )}
        />
      </Card>
    )
  })
}
