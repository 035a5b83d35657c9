import { useState } from 'react'
import { ADMIN_MESSAGES, drawnCount } from '#lib/admin/messages.ts'
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
  const [asking, setAsking] = useState(false)
  const { name, drawn } = deal
  return (
    <>
      <button
        type="button"
        className="button-quiet"
        aria-label={`Delete deal for ${name}`}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Delete
      </button>
      <ConfirmDialog
        open={asking}
        title="Delete this deal?"
        confirm="Delete deal"
        busyLabel="Deleting…"
        failed={ADMIN_MESSAGES.dealDeleteFailed}
        onConfirm={async () => {
          await deleteDeal(deal)
          notify({ title: MESSAGES.dealDeleted, text: name })
          onDone?.()
        }}
        onClose={() => setAsking(false)}
      >
        {name} goes back to its normal price right away. {drawnCount(drawn)}.
        {drawn > 0 && ' Customers who drew a discount but have not ordered will lose it.'} This can’t be undone.
      </ConfirmDialog>
    </>
  )
}
