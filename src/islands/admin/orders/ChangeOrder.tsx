import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { ADDRESS_LABELS, toAddressLines } from '#lib/account/address.ts'
import { isBlank, toProblems } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  ADDRESS_FIELDS,
  CHANGE_FIELDS,
  describeChange,
  findChangeProblems,
  isOpenOrder,
  previewChange,
  toChangeForm,
  toChangeRequest
} from '#lib/admin/orders.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import { ShopError } from '#lib/errors.ts'
import { formatPaise, formatRupees, toPaise } from '#lib/money.ts'
import { formatPack } from '#lib/product.ts'
import { cancelOrderAsAdmin, changeOrderAsAdmin } from '#lib/stores/admin/orders.ts'
import { $user } from '#lib/stores/session.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, TextArea } from '../../ui/Field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { Note } from '../ui/views.tsx'

export function ChangeOrder({ order }: { order: AdminOrder }) {
  const [isOpen, setIsOpen] = useState(false)
  const { orderNumber, history } = order
  const hasLeft = history.some(step => step.status === 'shipped' || step.status === 'ready')
  if (hasLeft || !isOpenOrder(order)) return null
  return (
    <>
      <Button
        label="Change order"
        aria-haspopup="dialog"
        aria-label={`Change order ${orderNumber}`}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <ChangeDialog order={order} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function ChangeDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { items, shippingAddress, deliveryMethod, orderNumber } = order
  const [quantities, setQuantities] = useState<Readonly<Record<number, number>>>({})
  const [before] = useState(() => toChangeForm(order))
  // A full or closed day that was refused. Sending it once more confirms it.
  const [refusedDay, setRefusedDay] = useState('')
  const lines = items.flatMap(({ line, quantity }) => {
    const left = quantities[line] ?? quantity
    return left === quantity ? [] : [{ line, quantity: left }]
  })
  const preview = previewChange(order, lines)
  const { form, field, failure, busy } = useForm({
    names: CHANGE_FIELDS,
    initial: before,
    check: values => findChangeProblems(order, values),
    send: async values => {
      const isConfirmed = refusedDay !== '' && values.deliveryDate === refusedDay
      const request = {
        ...toChangeRequest(order, lines, values, before),
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
      onClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed }
  })
  const refund = 'refund' in preview ? preview.refund : toPaise(0)
  return (
    <Dialog open onClose={onClose} title={`Change order ${orderNumber}`} shape="box">
      <form
        {...form}
        className="grid gap-5 overflow-y-auto px-4 pb-4"
        aria-label={`Change order ${orderNumber}`}
      >
        <fieldset className="grid gap-3">
          <legend className="pb-2 font-semibold">Items</legend>
          {items.map(({ line, product, packSize, quantity }) => (
            <label key={line} className="grid grid-cols-[1fr_auto] items-center gap-3">
              <span>
                {product.name}
                {packSize && <Note>{formatPack(packSize)}</Note>}
              </span>
              <select
                className="field"
                value={quantities[line] ?? quantity}
                onChange={({ target }) =>
                  setQuantities({ ...quantities, [line]: Number(target.value) })
                }
              >
                {Array.from({ length: quantity + 1 }, (_, removed) => quantity - removed).map(
                  count => (
                    <option key={count} value={count}>
                      {count === 0 ? 'Remove' : count}
                    </option>
                  )
                )}
              </select>
            </label>
          ))}
        </fieldset>
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
              <span className="block font-normal">
                {toAddressLines(shippingAddress).join(', ')}
              </span>
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
                Same state, delivery zone and fee. For anything else, cancel the order and order
                again.
              </Note>
            </div>
          </details>
        )}
        <p role="status" className="rounded-card bg-cream-deep p-4 font-semibold">
          {describeChange(preview, lines.length > 0)}
        </p>
        <Failure failure={failure} busy={busy} />
        <div className="flex flex-wrap-reverse items-center justify-end gap-3">
          <Button label="Keep as it is" onClick={onClose} />
          <SubmitButton
            label={refund > 0 ? `Change and refund ${formatPaise(refund)}` : 'Change order'}
            busyLabel="Changing…"
            busy={busy}
            secondary
          />
        </div>
      </form>
    </Dialog>
  )
}

export function CancelOrder({ order }: { order: AdminOrder }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const label = formatAction(order)
  // While the dialog is open, it says why the order can't be cancelled any more.
  if (!isDialogOpen && !isOpenOrder(order)) return null
  return (
    <>
      <Button
        look="link"
        label={label}
        aria-haspopup="dialog"
        aria-label={`${label}: order ${order.orderNumber}`}
        onClick={() => setIsDialogOpen(true)}
      />
      {isDialogOpen && <CancelDialog order={order} onClose={() => setIsDialogOpen(false)} />}
    </>
  )
}

function formatAction({ refundable }: AdminOrder) {
  return refundable === 0 ? 'Cancel order' : `Cancel and refund ${formatRupees(refundable)}`
}

function CancelDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const email = useStore($user)?.email ?? ''
  // With `hasPassword`, the form offers password and code.
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account: { email, hasPassword: true },
    names: ['reason'],
    check: ({ reason }) =>
      toProblems({ reason: isBlank(reason) && ADMIN_MESSAGES.orderReasonRequired }),
    send: async ({ reason }, proof) => {
      await cancelOrderAsAdmin(order, reason, proof)
      onClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed }
  })
  return (
    <Dialog open onClose={onClose} title={`Cancel order ${order.orderNumber}?`} shape="box">
      <form
        {...form}
        className="grid gap-5 px-4 pb-4"
        aria-label={`Cancel order ${order.orderNumber}`}
      >
        <p>
          The items go back into stock{order.refundable > 0 && ', and the refund takes 5–8 days'}.
          This can’t be undone.
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
    </Dialog>
  )
}
