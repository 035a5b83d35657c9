import { useState } from 'react'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { logOutUser } from '#lib/stores/admin/users.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

export function LogOutUser({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (user.sessions === 0) return null
  return (
    <>
      <button type="button" className="button-quiet" aria-haspopup="dialog" onClick={() => setIsDialogOpen(true)}>
        Log out everywhere
      </button>
      <ConfirmDialog
        open={isDialogOpen}
        title={`Log ${user.name} out everywhere?`}
        confirmLabel="Log out everywhere"
        busyLabel="Logging out…"
        onConfirm={async () => {
          await logOutUser(user)
          onDone()
        }}
        onClose={() => setIsDialogOpen(false)}
      >
        {user.name} will have to log in again on every device.
      </ConfirmDialog>
    </>
  )
}
