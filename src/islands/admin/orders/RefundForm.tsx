import { useState } from 'react'
import {
  countRefundable,
  describeRefund,
  findRefundProblems,
  parseRupees,
  previewRefund,
  type RefundChoice,
  REFUND_FIELDS,
  REFUND_REASONS,
  takesPacksOff
} from '#lib/admin/refunds.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid } from '#lib/browser.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { REFUND_CAUSES } from '#lib/contract/names.ts'
import { t } from '#lib/contract/texts.ts'
import { formatPaise, formatRupees, toRupees } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { notifyFailure } from '#lib/stores/admin/notices.ts'
import { refundOrder } from '#lib/stores/admin/orders.ts'
import { Button, Stepper } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import { fillFields, useForm } from '../../ui/use-form.ts'
import { Note } from '../ui/views.tsx'

interface RefundFormProps {
  order: AdminOrder
  onDone: () => void
  onCancelOrder: () => void
}

export function RefundForm({ order, onDone, onCancelOrder }: RefundFormProps) {
  const [key] = useState(createUuid)
  const [choice, setChoice] = useState<RefundChoice>({ lines: [] })
  const [restock, setRestock] = useState(order.status === 'pending')
  const { lines, amount = 0 } = choice
  const number = order.orderNumber
  const preview = previewRefund(order, choice)
  const refund = 'refund' in preview ? preview.refund : undefined
  const { form, field, failure, busy, showProblems } = useForm({
    names: REFUND_FIELDS,
    check: values => findRefundProblems(order, choice, values),
    send: async ({ cause, note }) => {
      const known = REFUND_CAUSES.find(each => each === cause)
      if (refund === undefined || !known) return
      const { version } = order
      const request = { key, version, ...choice, refund: toRupees(refund), restock }
      await refundOrder(order, { ...request, cause: known, note })
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed },
    onDone,
    onMissed: error => notifyFailure(t('Order {number} was not refunded', { number }), error)
  })
  const choosePacks = (line: number, packs: number) => {
    const others = lines.filter(each => each.line !== line)
    setChoice({ lines: packs > 0 ? [...others, { line, packs }] : others })
    fillFields(form.ref.current, { amount: '' })
    showProblems({})
  }
  const isWhole = 'problem' in preview && preview.isWhole === true
  const reasons = REFUND_CAUSES.map(cause => [cause, REFUND_REASONS[cause].label] as const)
  return (
    <form {...form} className="grid gap-4 px-4" aria-label={t('Refund order {number}', { number })}>
      <fieldset className="grid gap-3">
        <legend className="pb-2 font-semibold">{t('Packs||goods')}</legend>
        {order.items.map(item => (
          <div key={item.line} className="flex items-center justify-between gap-3">
            <span className="min-w-0 break-words">
              {item.product.name}
              <Note>
                {[item.packSize && formatPack(item.packSize), formatRupees(item.price)]
                  .filter(Boolean)
                  .join(' · ')}
              </Note>
            </span>
            <span className="flex shrink-0 items-center gap-2">
              <Stepper
                label={t('Packs of {name} to refund', { name: item.product.name })}
                value={lines.find(({ line }) => line === item.line)?.packs ?? 0}
                min={0}
                max={countRefundable(item)}
                onChange={count => choosePacks(item.line, count)}
              />
              <span className="text-sm text-ink/70">
                {t('of {count}', { count: countRefundable(item) })}
              </span>
            </span>
          </div>
        ))}
      </fieldset>
      <Field
        state={field('amount')}
        label={t('Or an amount in rupees')}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        prefix="₹"
        onInput={({ currentTarget }) =>
          setChoice({ lines: [], amount: parseRupees(currentTarget.value) ?? 0 })
        }
      />
      <div
        role="status"
        className="grid gap-2 rounded-card bg-cream-deep p-3 font-semibold empty:hidden"
      >
        {lines.length === 0 && amount === 0
          ? t('Choose what to take out. You’ll see the refund here.')
          : 'problem' in preview
            ? !field('amount').invalid && preview.problem
            : describeRefund(preview)}
      </div>
      <SelectField
        state={field('cause')}
        label={t('Reason')}
        choices={[['', t('Choose a reason')], ...reasons]}
      />
      <TextArea
        state={field('note')}
        label={t('{label} (optional)', { label: t('Your words') })}
        rows={2}
        maxLength={ORDER_LIMITS.maxReasonLength}
      />
      {lines.length > 0 && (
        <label className="flex min-h-target cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            className="size-6 shrink-0 accent-chilli"
            checked={restock}
            onChange={({ currentTarget }) => setRestock(currentTarget.checked)}
          />
          <span>
            {t('I can sell these packs again')}
            {!takesPacksOff(order, lines) && <Note>{t('They came back, or never left.')}</Note>}
          </span>
        </label>
      )}
      <div className="sticky bottom-0 z-10 -mx-4 grid gap-3 bg-paper px-4 py-3">
        <Failure failure={failure} busy={busy} />
        {isWhole ? (
          <Button look="primary" label={t('Cancel the order')} onClick={onCancelOrder} />
        ) : (
          <SubmitButton
            label={
              refund === undefined
                ? t('Refund')
                : t('Refund {amount}', { amount: formatPaise(refund) })
            }
            busyLabel={t('Refunding…')}
            busy={busy}
          />
        )}
      </div>
    </form>
  )
}
