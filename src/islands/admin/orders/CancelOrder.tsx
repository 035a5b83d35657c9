import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ORDER_LIMITS } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { cancelOrderAsAdmin } from '#lib/stores/admin/orders.ts'
import { $user } from '#lib/stores/stored-session.ts'
import { VerificationFields } from '../../accounts/profile/VerificationFields.tsx'
import { VERIFICATION_FIELDS, useVerification } from '../../accounts/profile/use-verification.ts'
import { Failure } from '../../form/Failure.tsx'
import { SubmitButton } from '../../form/SubmitButton.tsx'
import { TextArea } from '../../form/TextArea.tsx'
import { useForm } from '../../form/use-form.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/** Cancels an order that has not been delivered; asked first, because a refund can't be taken back, and only of who proves to be it. */
export function CancelOrder({ order }: { order: AdminOrder }) {
  const [asking, setAsking] = useState(false)
  const { orderNumber, status, totalAmount } = order
  if (status !== 'pending' && status !== 'packed') return null
  return (
    <>
      <button
        type="button"
        className="link target px-2"
        aria-haspopup="dialog"
        aria-label={`Cancel order ${orderNumber}`}
        onClick={() => setAsking(true)}
      >
        Cancel order
      </button>
      {asking && (
        <CancelDialog order={order} onClose={() => setAsking(false)}>
          {`${formatRupees(totalAmount)} goes back to the shopper, and the packs back into stock. This can’t be undone.`}
        </CancelDialog>
      )}
    </>
  )
}

function CancelDialog({ order, onClose, children }: { order: AdminOrder; onClose: () => void; children: string }) {
  const email = useStore($user)?.email ?? ''
  // Who has no password finds the code beside it.
  const { way, setWay, problems, proof, placeOf } = useVerification(true)
  const { form, field, failure, busy, run } = useForm({
    names: ['reason', ...VERIFICATION_FIELDS],
    check: values => ({
      ...(values.reason.trim() === '' && { reason: ADMIN_MESSAGES.orderReasonRequired }),
      ...problems(values)
    }),
    send: async values => {
      await cancelOrderAsAdmin(order, values.reason, proof(values))
      onClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain },
    fieldForError: placeOf
  })
  return (
    <Dialog open onClose={onClose} title={`Cancel order ${order.orderNumber}?`} shape="box">
      <form {...form} className="grid gap-5 px-4 pb-4" aria-label={`Cancel order ${order.orderNumber}`}>
        <p>{children}</p>
        <TextArea
          state={field('reason')}
          label="Reason, as the shopper reads it"
          rows={3}
          maxLength={ORDER_LIMITS.reason}
        />
        <VerificationFields {...{ email, way, field, run }} hasPassword onWay={setWay} />
        <Failure failure={failure} />
        <div className="flex flex-wrap-reverse items-center justify-end gap-3">
          <button type="button" className="button-quiet" onClick={onClose}>
            Keep the order
          </button>
          <SubmitButton label="Cancel order" busyLabel="Cancelling…" busy={busy} quiet />
        </div>
      </form>
    </Dialog>
  )
}
