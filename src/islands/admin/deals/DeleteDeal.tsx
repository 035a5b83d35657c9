import { useState } from 'react'
import { ADMIN_MESSAGES, formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { deleteDeal } from '#lib/stores/admin/deals.ts'
import { notify } from '#lib/stores/toasts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

interface DeleteDealProps {
  deal: AdminDeal
  onDone?: () => void
}

export function DeleteDeal({ deal, onDone }: DeleteDealProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const { name, drawn } = deal
  return (
    <>
      <button
        type="button"
        className="button-quiet"
        aria-label={`Delete deal for ${name}`}
        aria-haspopup="dialog"
        onClick={() => setIsDialogOpen(true)}
      >
        Delete
      </button>
      <ConfirmDialog
        open={isDialogOpen}
        title="Delete this deal?"
        confirmLabel="Delete deal"
        busyLabel="Deleting…"
        errorTitle={ADMIN_MESSAGES.dealDeleteFailed}
        onConfirm={async () => {
          await deleteDeal(deal)
          notify({ title: MESSAGES.dealDeleted, text: name })
          onDone?.()
        }}
        onClose={() => setIsDialogOpen(false)}
      >
        {name} goes back to its normal price right away. {formatDrawnCount(drawn)}.
        {drawn > 0 && ' Customers who drew a discount but have not ordered will lose it.'} This can’t be undone.
      </ConfirmDialog>
    </>
  )
}
