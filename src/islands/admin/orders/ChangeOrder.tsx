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
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { formatRupees } from '#lib/money.ts'
import { notifyFailure } from '#lib/stores/admin/notices.ts'
import { cancelOrderAsAdmin, changeOrderAsAdmin } from '#lib/stores/admin/orders.ts'
import { $user } from '#lib/stores/session.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, TextArea } from '../../ui/Field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { Note } from '../ui/views.tsx'
import { RefundForm } from './RefundForm.tsx'

type Task = 'refund' | 'change' | 'cancel'

export function OrderActions({ order }: { order: AdminOrder }) {
  // While the dialog is open, it says why the order can't be changed any more.
  const [task, setTask] = useState<Task>()
  const { orderNumber, status, totalAmount, paymentStatus } = order
  const isPaid = paymentStatus === 'completed' && hasParcel(order)
  const canChange = status === 'pending' || status === 'packed'
  const canRefund = isPaid && totalAmount > 0
  const edit = canRefund ? (canChange ? 'Refund or change' : 'Refund') : 'Change order'
  const cancelLabel = formatAction(order)
  const close = () => setTask(undefined)
  const open = (label: string, opened: Task, look: 'link' | 'quiet') => (
    <Button
      look={look}
      label={label}
      aria-haspopup="dialog"
      aria-label={`${label}: order ${orderNumber}`}
      onClick={() => setTask(opened)}
    />
  )
  return (
    <>
      {(canRefund || canChange) && open(edit, canRefund ? 'refund' : 'change', 'quiet')}
      {isOpenOrder(order) && open(cancelLabel, 'cancel', 'link')}
      {task !== undefined && (
        <Dialog
          open
          onClose={close}
          title={task === 'cancel' ? `Cancel order ${orderNumber}?` : edit}
          shape="box"
        >
          {task !== 'cancel' && canRefund && canChange && (
            <div className="grid grid-cols-2 gap-2 px-4 pb-4">
              {CHOICES.map(([choice, label]) => (
                <Button
                  key={choice}
                  look={choice === task ? 'primary' : 'quiet'}
                  label={label}
                  aria-pressed={choice === task}
                  className="px-2"
                  onClick={() => setTask(choice)}
                />
              ))}
            </div>
          )}
          {/* Each keeps what was typed while the other is open. */}
          {task !== 'cancel' && canRefund && (
            <div hidden={task !== 'refund'}>
              <RefundForm order={order} onDone={close} onCancelOrder={() => setTask('cancel')} />
            </div>
          )}
          {task !== 'cancel' && canChange && (
            <div hidden={task !== 'change'}>
              <ChangeForm order={order} onClose={close} />
            </div>
          )}
          {task === 'cancel' && <CancelForm order={order} onClose={close} />}
        </Dialog>
      )}
    </>
  )
}

const CHOICES = [
  ['refund', 'Refund'],
  ['change', 'Change']
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
    onMissed: error => notifyFailure(`Order ${orderNumber} was not changed`, error)
  })
  return (
    <form {...form} className="grid gap-5 px-4 pb-4" aria-label={`Change order ${orderNumber}`}>
      <Field
        state={field('deliveryDate')}
        label={deliveryMethod === 'pickup' ? 'Pickup date' : 'Delivery date'}
        type="date"
      />
      {refusedDay !== '' && (
        <p className="font-semibold">
          Send the change once more to confirm this day, or choose another one.
        </p>
      )}
      <Field state={field('phone')} label="Phone number" type="tel" inputMode="tel" />
      {deliveryMethod !== 'pickup' && (
        <details>
          <summary className="min-h-target cursor-pointer py-2 font-semibold">
            Delivery address
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
              Same state, delivery place and fee. For anything else, cancel the order and order
              again.
            </Note>
          </div>
        </details>
      )}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse items-center justify-end gap-3">
        <Button label="Keep as it is" onClick={onClose} />
        <SubmitButton label="Change order" busyLabel="Changing…" busy={busy} secondary />
      </div>
    </form>
  )
}

function formatAction({ refundable }: AdminOrder) {
  return refundable === 0 ? 'Cancel order' : `Cancel and refund ${formatRupees(refundable)}`
}

function CancelForm({ order, onClose }: FormProps) {
  const email = useStore($user)?.email ?? ''
  // With `hasPassword`, the form offers password and code.
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account: { email, hasPassword: true },
    names: ['reason'],
    check: ({ reason }) =>
      toProblems({ reason: isBlank(reason) && ADMIN_MESSAGES.orderReasonRequired }),
    send: ({ reason }, proof) => cancelOrderAsAdmin(order, reason, proof),
    errorText: { title: ADMIN_MESSAGES.saveFailed },
    onDone: onClose,
    onMissed: error => notifyFailure(`Order ${order.orderNumber} was not cancelled`, error)
  })
  return (
    <form
      {...form}
      className="grid gap-5 px-4 pb-4"
      aria-label={`Cancel order ${order.orderNumber}`}
    >
      <p>
        Packs that you count go back into stock
        {order.refundable > 0 && ', and the refund takes 5–8 days'}. This can’t be undone.
        {order.status === 'shipped' &&
          ' If the parcel does not come back, correct the stock by hand.'}
      </p>
      <TextArea
        state={field('reason')}
        label="Reason (the customer gets it by email)"
        rows={3}
        maxLength={ORDER_LIMITS.maxReasonLength}
      />
      {verification}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse items-center justify-end gap-3">
        <Button label="Keep order" onClick={onClose} />
        <SubmitButton label={formatAction(order)} busyLabel="Cancelling…" busy={busy} secondary />
      </div>
    </form>
  )
}
