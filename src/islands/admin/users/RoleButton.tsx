import { useState } from 'react'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { setRole } from '#lib/stores/admin/users.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

export function RoleButton({ user, onChanged }: { user: AdminUser; onChanged: () => void }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const isAdmin = user.role === 'admin'
  const label = isAdmin ? 'Remove as administrator' : 'Make administrator'
  return (
    <>
      <button type="button" className="button-quiet" aria-haspopup="dialog" onClick={() => setIsDialogOpen(true)}>
        {label}
      </button>
      <ConfirmDialog
        open={isDialogOpen}
        title={isAdmin ? `Remove ${user.name} as administrator?` : `Make ${user.name} an administrator?`}
        confirmLabel={label}
        busyLabel="Saving…"
        onConfirm={async () => {
          await setRole(user, isAdmin ? 'user' : 'admin', onChanged)
          onChanged()
        }}
        onClose={() => setIsDialogOpen(false)}
      >
        {isAdmin
          ? `${user.name} will lose access to the admin pages.`
          : `${user.name} (${user.email}) will be able to see all orders and users, and change everything in the shop.`}
      </ConfirmDialog>
    </>
  )
}
