import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { ADDRESS_LABELS, toAddressLines } from '#lib/account/address.ts'
import { isBlank, toProblems } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  ADDRESS_FIELDS,
  CHANGE_FIELDS,
  findChangeProblems,
  hasParcel,
  isOpenOrder,
  toChangeForm,
  toChangeRequest
} from '#lib/admin/orders.ts'
import { api } from '#lib/api.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { AdminOrder, OrderMessage } from '#lib/contract/desk.ts'
import { formatPhone, toWhatsAppLink } from '#lib/contract/formats.ts'
import { t, text, texts } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { toStatusLabel } from '#lib/order.ts'
import { formatRupees } from '#lib/money.ts'
import { notifyFailure } from '#lib/stores/admin/notices.ts'
import { cancelOrderAsAdmin, changeOrderAsAdmin } from '#lib/stores/admin/orders.ts'
import { $user } from '#lib/stores/session.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button, WhatsAppLink } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, TextArea } from '../../ui/Field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { Load, Note } from '../ui/views.tsx'
import { RefundForm } from './RefundForm.tsx'

type Task = 'refund' | 'change' | 'cancel' | 'messages'

export function OrderActions({ order }: { order: AdminOrder }) {
  // While the dialog is open, it says why the order can't be changed any more.
  const [task, setTask] = useState<Task>()
  const { orderNumber, status, totalAmount, paymentStatus, customerDetails, isAnonymised } = order
  const isPaid = paymentStatus === 'completed' && hasParcel(order)
  const canChange = status === 'pending' || status === 'packed'
  const canRefund = isPaid && totalAmount > 0
  const edit = canRefund ? t(canChange ? 'Refund or change' : 'Refund') : t('Change order')
  const cancelLabel = formatAction(order)
  const isEdit = task === 'refund' || task === 'change'
  const isReachable =
    hasParcel(order) && !isAnonymised && toWhatsAppLink(customerDetails.phone) !== ''
  const send = t('Send by WhatsApp')
  const titles = {
    ...{ refund: edit, change: edit, messages: send },
    cancel: t('Cancel order {number}?', { number: orderNumber })
  }
  const close = () => setTask(undefined)
  const open = (label: string, opened: Task, look: 'link' | 'quiet') => (
    <Button
      look={look}
      label={label}
      aria-haspopup="dialog"
      aria-label={t('{action}: order {number}', { action: label, number: orderNumber })}
      onClick={() => setTask(opened)}
    />
  )
  return (
    <>
      {isReachable && open(send, 'messages', 'quiet')}
      {(canRefund || canChange) && open(edit, canRefund ? 'refund' : 'change', 'quiet')}
      {isOpenOrder(order) && open(cancelLabel, 'cancel', 'link')}
      {task !== undefined && (
        <Dialog open onClose={close} title={titles[task]} shape="box">
          {isEdit && canRefund && canChange && (
            <div className="grid grid-cols-2 gap-2 px-4 pb-4">
              {CHOICES.map(([choice, label]) => (
                <Button
                  key={choice}
                  look={choice === task ? 'primary' : 'quiet'}
                  label={t(label)}
                  aria-pressed={choice === task}
                  className="px-2"
                  onClick={() => setTask(choice)}
                />
              ))}
            </div>
          )}
          {/* Each keeps what was typed while the other is open. */}
          {isEdit && canRefund && (
            <div hidden={task !== 'refund'}>
              <RefundForm order={order} onDone={close} onCancelOrder={() => setTask('cancel')} />
            </div>
          )}
          {isEdit && canChange && (
            <div hidden={task !== 'change'}>
              <ChangeForm order={order} onClose={close} />
            </div>
          )}
          {task === 'cancel' && <CancelForm order={order} onClose={close} />}
          {task === 'messages' && <MessagesToSend order={order} />}
        </Dialog>
      )}
    </>
  )
}

const CHOICES = [
  ['refund', text('Refund')],
  ['change', text('Change')]
] as const

interface FormProps {
  order: AdminOrder
  onClose: () => void
}

function ChangeForm({ order, onClose }: FormProps) {
  const { shippingAddress, deliveryMethod, orderNumber } = order
  const [before] = useState(() => toChangeForm(order))
  // A full or closed day that was refused. Sending it once more confirms it.
  const [refusedDay, setRefusedDay] = useState('')
  const { form, field, failure, busy } = useForm({
    names: CHANGE_FIELDS,
    initial: before,
    check: values => findChangeProblems(order, values),
    send: async values => {
      const isConfirmed = refusedDay !== '' && values.deliveryDate === refusedDay
      const request = {
        ...toChangeRequest(order, values, before),
        ...(isConfirmed && { confirmDay: true })
      }
      try {
        await changeOrderAsAdmin(order, request)
      } catch (error) {
        if (!(error instanceof ShopError)) throw error
        if (/^DAY_/.test(error.code)) setRefusedDay(values.deliveryDate)
        // The form has no field for the state, which can't be changed.
        const { 'shippingAddress.state': conflict } = error.fields ?? {}
        if (conflict === undefined) throw error
        throw new ShopError('INVALID_INPUT', { fields: { 'shippingAddress.pincode': conflict } })
      }
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed },
    onDone: onClose,
    onMissed: error =>
      notifyFailure(t('Order {number} was not changed', { number: orderNumber }), error)
  })
  return (
    <form
      {...form}
      className="grid gap-5 px-4 pb-4"
      aria-label={t('Change order {number}', { number: orderNumber })}
    >
      <Field
        state={field('deliveryDate')}
        label={t(deliveryMethod === 'pickup' ? 'Pickup date' : 'Delivery date')}
        type="date"
      />
      {refusedDay !== '' && (
        <p className="font-semibold">
          {t('Send the change once more to confirm this day, or choose another one.')}
        </p>
      )}
      <Field state={field('phone')} label={t('Phone number')} type="tel" inputMode="tel" />
      {deliveryMethod !== 'pickup' && (
        <details>
          <summary className="min-h-target cursor-pointer py-2 font-semibold">
            {t('Delivery address')}
            <span className="block font-normal">{toAddressLines(shippingAddress).join(', ')}</span>
          </summary>
          <div className="mt-3 grid gap-4">
            {ADDRESS_FIELDS.map(name => (
              <Field
                key={name}
                state={field(`shippingAddress.${name}`)}
                label={ADDRESS_LABELS[name]}
                type="text"
              />
            ))}
            <Note>
              {t(
                'Same state, delivery place and fee. ' +
                  'For anything else, cancel the order and order again.'
              )}
            </Note>
          </div>
        </details>
      )}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse items-center justify-end gap-3">
        <Button label={t('Keep as it is')} onClick={onClose} />
        <SubmitButton label={t('Change order')} busyLabel={t('Changing…')} busy={busy} secondary />
      </div>
    </form>
  )
}

const KIND_LABELS = texts<Partial<Record<OrderMessage['kind'], string>>>({
  pending: 'Order confirmed',
  delayed: 'Delayed'
})

function MessagesToSend({ order }: { order: AdminOrder }) {
  const { _id, customerDetails, language } = order
  const { name, phone } = customerDetails
  const read = () => api('POST /admin/orders/{id}/messages', { params: { id: _id } })
  return (
    <div className="px-4 pb-4">
      <Note>
        {t('To {name}, {phone}. You can change the text in WhatsApp before you send it.', {
          ...{ name, phone: formatPhone(phone) }
        })}
      </Note>
      <Load id={_id} label={t('texts')} read={read}>
        {messages =>
          messages.map(({ kind, text: message }, index) => (
            <details key={kind} open={index === 0} className="mt-2">
              <summary className="min-h-target cursor-pointer py-2.5 font-semibold">
                {KIND_LABELS[kind] ?? toStatusLabel(kind, order)}
              </summary>
              <p
                lang={language}
                className="mb-3 whitespace-pre-line rounded-xl bg-cream-deep p-3 text-sm ![overflow-wrap:anywhere]"
              >
                {message}
              </p>
              <WhatsAppLink
                phone={phone}
                message={message}
                look={index === 0 ? 'primary' : 'quiet'}
                label={t('Open WhatsApp')}
              />
            </details>
          ))
        }
      </Load>
    </div>
  )
}

function formatAction({ refundable }: AdminOrder) {
  return refundable === 0
    ? t('Cancel order')
    : t('Cancel and refund {amount}', { amount: formatRupees(refundable) })
}

function CancelForm({ order, onClose }: FormProps) {
  const email = useStore($user)?.email ?? ''
  const number = order.orderNumber
  // With `hasPassword`, the form offers password and code.
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account: { email, hasPassword: true },
    names: ['reason'],
    check: ({ reason }) =>
      toProblems({ reason: isBlank(reason) && ADMIN_MESSAGES.orderReasonRequired }),
    send: ({ reason }, proof) => cancelOrderAsAdmin(order, reason, proof),
    errorText: { title: ADMIN_MESSAGES.saveFailed },
    onDone: onClose,
    onMissed: error => notifyFailure(t('Order {number} was not cancelled', { number }), error)
  })
  return (
    <form
      {...form}
      className="grid gap-5 px-4 pb-4"
      aria-label={t('Cancel order {number}', { number })}
    >
      <p>
        {t(
          order.refundable > 0
            ? 'Packs that you count go back into stock, and the refund takes 5–8 days.'
            : 'Packs that you count go back into stock.'
        )}{' '}
        {t('This can’t be undone.')}{' '}
        {order.status === 'shipped' &&
          t('If the parcel does not come back, correct the stock by hand.')}
      </p>
      <TextArea
        state={field('reason')}
        label={t('Reason (the customer gets it by email)')}
        rows={3}
        maxLength={ORDER_LIMITS.maxReasonLength}
      />
      {verification}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse items-center justify-end gap-3">
        <Button label={t('Keep order')} onClick={onClose} />
        <SubmitButton
          label={formatAction(order)}
          busyLabel={t('Cancelling…')}
          busy={busy}
          secondary
        />
      </div>
    </form>
  )
}
