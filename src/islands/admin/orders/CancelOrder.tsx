import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { isBlank, toProblems } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { isOpenOrder } from '#lib/admin/orders.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { AdminOrder } from '#lib/contract/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { cancelOrderAsAdmin } from '#lib/stores/admin/orders.ts'
import { $user } from '#lib/stores/session.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/admin-field-texts.ts'

/** Asks for the administrator's password or a code, because a refund can't be undone. */
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

function formatAction({ refundable }: AdminOrder): string {
  return refundable === 0 ? 'Cancel order' : `Cancel and refund ${formatRupees(refundable)}`
}

function CancelDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const email = useStore($user)?.email ?? ''
  // With `hasPassword`, the form first asks for the password and offers a code as an alternative.
  const { form, field, failure, busy, verification } = useVerifiedForm({
    account: { email, hasPassword: true },
    names: ['reason'],
    check: ({ reason }) =>
      toProblems({ reason: isBlank(reason) && ADMIN_FIELD_TEXTS.orderReasonRequired }),
    send: async ({ reason }, proof) => {
      await cancelOrderAsAdmin(order, reason, proof)
      onClose()
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
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
